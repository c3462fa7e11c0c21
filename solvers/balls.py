"""Twelve pieces of joined balls and a tray to fill: the Lonpos pyramid's triangle and the Kanoodle board.

Twelve pieces hold 55 balls, which fill a triangle of ten rows (the lattice standing on its corner) and a board of
5 x 11. The pieces, the trays and every way to lay a piece are in :mod:`solvers.ball_trays`; here are the rules.

As text, a tray is its rows, ``.`` an empty pit and a capital a ball of a piece that lies there. A small letter is a
single ball that is given in advance: whichever way its piece comes to lie, it covers that pit. A first line ``iq``
names the set. ``/`` may stand for the end of a line.

Filling a tray is an exact cover: pieces and pits are the items, each way to lay a piece is an option.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from solvers.ball_colours import COLOURS
from solvers.ball_trays import EMPTY, LETTERS, SETS, Lay, Tray, all_lays, bits, normal, orientations, shapes
from solvers.board import Cell, Layout
from solvers.budget import Budget
from solvers.exact_cover import Engine, covers
from solvers.kind import Choices, Frame, Record
from solvers.marks import Ball, Ink, Mark, Text
from solvers.message import Message, counted, joined, listed, pit
from solvers.rehearsal import rehearse_cover
from solvers.tones import tones


@dataclass(frozen=True)
class Balls:
    """A tray with what is given in advance.

    Attributes:
        rows: one string a row: ``.`` empty, a capital for a piece that lies there, a small letter for a single ball.
        pieces: the set, ``"standard"`` or ``"iq"``.
    """

    rows: tuple[str, ...]
    pieces: str = "standard"

    def cells_of(self, letters: str) -> dict[str, list[Cell]]:
        """The cells of each of ``letters`` that stands somewhere."""
        found: dict[str, list[Cell]] = {}
        for r, row in enumerate(self.rows):
            for c, letter in enumerate(row):
                if letter in letters:
                    found.setdefault(letter, []).append((r, c))
        return found


Answer = tuple[str, ...]
"""The rows with a capital everywhere."""


@dataclass(frozen=True)
class BallRules:
    """The functions of :class:`solvers.kind.Rules` for one tray; :mod:`solvers.pyramid` hands them on."""

    tray: Tray

    # --- as text -----------------------------------------------------------------------------------------------------

    def parse(self, text: str) -> Balls:
        """The puzzle that ``text`` tells; the inverse of :meth:`write`.

        Raises:
            ValueError: the rows do not fit the tray, or a letter names no piece.
        """
        words = text.replace("/", " ").split()
        pieces = words.pop(0) if words and words[0] in SETS else "standard"
        widths = tuple(map(len, words))
        if widths != self.tray.widths:
            raise ValueError(f"a {self.tray.name} has rows of {_many(self.tray.widths)} balls, not of {_many(widths)}")
        for r, row in enumerate(words):
            for c, letter in enumerate(row):
                if letter.upper() not in LETTERS + EMPTY:
                    raise ValueError(f"{letter!r} at {pit((r, c))} names no piece: use A to L, a to l, or '.'")
        return Balls(tuple(words), pieces)

    def write(self, puzzle: Balls) -> str:
        """The puzzle as text."""
        named = [] if puzzle.pieces == "standard" else [puzzle.pieces]
        return "\n".join([*named, *puzzle.rows])

    def put(self, puzzle: Balls, cell: Cell, text: str) -> Balls:
        """The tray with a letter or nothing in a pit; see :class:`solvers.kind.Rules`."""
        if cell not in self.tray.index:
            raise ValueError(Message("there is no pit at {cell}", cell=pit(cell)))
        ball = text.strip() or EMPTY
        if len(ball) != 1 or ball.upper() not in LETTERS + EMPTY:
            why = "{text!r} cannot lie at {cell}: give a letter from A to L, a to l, or nothing"
            raise ValueError(Message(why, text=text, cell=pit(cell)))
        row, place = cell
        rows = [line[:place] + ball + line[place + 1 :] if r == row else line for r, line in enumerate(puzzle.rows)]
        return replace(puzzle, rows=tuple(rows))

    def word(self, puzzle: Balls, cell: Cell) -> str:
        """The letter of the ball in a pit, or nothing."""
        row, place = cell
        return puzzle.rows[row][place].strip(EMPTY)

    def choices(self, puzzle: Balls) -> Choices:
        """A ball of one of the pieces, or none."""
        del puzzle
        return Choices(("", *LETTERS))

    def title(self, puzzle: Balls) -> str:
        """Such as ``triangle of 55 balls, 4 pieces given``."""
        given, hinted = len(puzzle.cells_of(LETTERS)), sum(map(len, puzzle.cells_of(LETTERS.lower()).values()))
        parts = [self.tray.name, counted(given, "1 piece given", "{count} pieces given")]
        if hinted:
            parts.append(counted(hinted, "1 single ball", "{count} single balls"))
        if puzzle.pieces != "standard":
            parts.append(Message("{name} set", name=puzzle.pieces))
        return joined(parts)

    def layout(self, puzzle: Balls) -> Layout:
        """The pits of the tray."""
        assert len(puzzle.rows) == len(self.tray.widths)
        return self.tray.layout

    # --- what is wrong with it ---------------------------------------------------------------------------------------

    def faults(self, puzzle: Balls) -> list[str]:
        """Everything that is wrong with the given pieces and balls, each a sentence."""
        if tuple(map(len, puzzle.rows)) != self.tray.widths:
            why, lengths = "a {tray} has rows of {widths} balls, not of {lengths}", tuple(map(len, puzzle.rows))
            return [Message(why, tray=self.tray.name, widths=_many(self.tray.widths), lengths=_many(lengths))]
        if puzzle.pieces not in SETS:
            return [Message("there is no set {name!r}; known are {known}", name=puzzle.pieces, known=listed(SETS))]
        found: list[str] = [
            Message("{letter!r} at {cell} names no piece", letter=letter, cell=pit((r, c)))
            for r, row in enumerate(puzzle.rows)
            for c, letter in enumerate(row)
            if letter.upper() not in LETTERS + EMPTY
        ]
        whole, single = puzzle.cells_of(LETTERS), puzzle.cells_of(LETTERS.lower())
        for letter in LETTERS:
            if letter in whole:
                found += self._bad_piece(puzzle, letter, whole[letter])
                if letter.lower() in single:
                    why = "piece {letter} lies there, and a single ball of it at another place"
                    found.append(Message(why, letter=letter))
            elif letter.lower() in single and not self._open_lays(puzzle, letter):
                places = listed([pit(cell) for cell in single[letter.lower()]])
                found.append(
                    Message("piece {letter} cannot be laid over its ball at {places}", letter=letter, places=places)
                )
        return found

    def _bad_piece(self, puzzle: Balls, letter: str, cells: list[Cell]) -> Iterator[str]:
        """What is wrong with a piece that lies on ``cells``."""
        shape = shapes(puzzle.pieces)[letter]
        parts = self._regions(set(cells))
        forms = [normal([self.tray.point(cell) for cell in part]) for part in parts]
        if len(cells) == 2 * len(shape) and all(form in orientations(shape) for form in forms):
            why = "piece {letter} lies on the board twice, at {one} and at {other}"
            yield Message(why, letter=letter, one=pit(min(parts[0])), other=pit(min(parts[1])))
        elif len(parts) > 1:
            why = "the balls of {letter} fall into {count} parts, at {places}"
            places = listed([pit(min(part)) for part in parts])
            yield Message(why, letter=letter, count=len(parts), places=places)
        elif len(cells) != len(shape):
            why = "piece {letter} has {size} balls, but {count} are given, from {cell} on"
            yield Message(why, letter=letter, size=len(shape), count=len(cells), cell=pit(cells[0]))
        elif forms[0] not in orientations(shape):
            other = next((name for name in SETS if forms[0] in orientations(shapes(name)[letter])), None)
            why = "what lies from {cell} on has not the shape of {letter}"
            if other:
                why = "what lies from {cell} on has not the shape of {letter} (it is the {letter} of the {other} set)"
            yield Message(why, cell=pit(cells[0]), letter=letter, other=other)

    def _regions(self, cells: set[Cell]) -> list[set[Cell]]:
        """The cells in connected parts, in the order of their first cells."""
        left, parts = set(cells), []
        while left:
            part: set[Cell] = set()
            edge = [min(left)]
            while edge:
                cell = edge.pop()
                if cell in left:
                    left.remove(cell)
                    part.add(cell)
                    edge += [other for other in self.tray.layout.neighbours[cell] if other is not None]
            parts.append(part)
        return parts

    # --- solving -----------------------------------------------------------------------------------------------------

    def _open_lays(self, puzzle: Balls, letter: str) -> list[int]:
        """The ways to lay a piece that is not given whole: over its own single balls, and over nothing else given."""
        small = letter.lower()
        own = self.tray.mask(puzzle.cells_of(small).get(small, []))
        given = puzzle.cells_of((LETTERS + LETTERS.lower()).replace(small, ""))
        barred = self.tray.mask(cell for cells in given.values() for cell in cells)
        ways = all_lays(self.tray, puzzle.pieces)[letter]
        return [lay for lay in ways if not lay & barred and lay & own == own]

    def _free(self, puzzle: Balls) -> int:
        """The pits that no piece given whole fills."""
        return self.tray.everything & ~self.tray.mask(c for cells in puzzle.cells_of(LETTERS).values() for c in cells)

    def options(self, puzzle: Balls) -> tuple[list[str], int, list[Lay]]:
        """The puzzle as an exact cover: letters to be laid, pits to be filled (a mask), and the ways to lay.

        Ways that leave a pocket too small for any piece are left out, which halves the search.
        """
        letters = [letter for letter in LETTERS if letter not in puzzle.cells_of(LETTERS)]
        free, cramped = self._free(puzzle), self.tray.cramped
        ways = [(letter, lay) for letter in letters for lay in self._open_lays(puzzle, letter)]
        return letters, free, [way for way in ways if not cramped(free & ~way[1])]

    def answers(self, puzzle: Balls, budget: Budget, engine: Engine = covers) -> Iterator[Answer]:
        """All answers, lazily, each once.

        Args:
            puzzle: without faults (else there may be answers that keep a misplaced piece where it is).
            budget: pays a node for each way to lay a piece that is tried.
            engine: the search for exact covers.

        Raises:
            BudgetSpentError: from the iterator, when the budget is used up.
        """
        letters, free, ways = self.options(puzzle)
        for chosen in engine([*letters, *bits(free)], [(letter, *bits(lay)) for letter, lay in ways], (), budget):
            yield self.filled(puzzle, [ways[index] for index in chosen])

    def count(self, puzzle: Balls, budget: Budget) -> int:
        """How many answers there are, counted without finding them (see :mod:`solvers.counting`).

        Worth its start-up of some 0.1 s from a hundred thousand nodes on: for trays with at most two pieces given.

        Raises:
            BudgetSpentError: the budget is used up.
        """
        from solvers.counting import count  # noqa: PLC0415  (NumPy, which a plain search does not need)

        letters, free, ways = self.options(puzzle)
        # Few pits are open at once when the scan runs along the short side; in the triangle, from the long one.
        first = {cell: (-cell[0], cell[1]) if self.tray.slanted else (cell[1], cell[0]) for cell in self.tray.cells}
        pits = [self.tray.index[cell] for cell in sorted(self.tray.cells_in(free), key=first.__getitem__)]
        return count([*pits, *letters], [(letter, *bits(lay)) for letter, lay in ways], (), budget)

    def filled(self, puzzle: Balls, laid: Sequence[Lay]) -> Answer:
        """The rows of the puzzle with more pieces laid."""
        rows = [list(row) for row in puzzle.rows]
        for letter, mask in laid:
            for row, place in self.tray.cells_in(mask):
                rows[row][place] = letter
        return tuple(map("".join, rows))

    def explain(self, puzzle: Balls, budget: Budget) -> list[str]:
        """Why a puzzle without faults has no answer, as far as that can be seen in one place; each a sentence.

        The empty pits fall into pockets; each must be filled by some of the pieces left. Empty when no pocket alone is
        the reason (or there is an answer).

        Raises:
            BudgetSpentError: the budget is used up.
        """
        letters = [letter for letter in LETTERS if letter not in puzzle.cells_of(LETTERS)]
        ways = [(letter, lay) for letter in letters for lay in self._open_lays(puzzle, letter)]
        able = {letter for letter, _ in ways}
        why = "piece {letter} has no place left"
        found: list[str] = [Message(why, letter=letter) for letter in letters if letter not in able]
        for pocket in self._regions(set(self.tray.cells_in(self._free(puzzle)))):
            found += self._bad_pocket(puzzle, pocket, letters, ways, budget)
        return found

    def _bad_pocket(
        self, puzzle: Balls, pocket: set[Cell], left: list[str], ways: list[Lay], budget: Budget
    ) -> Iterator[str]:
        """Why the pieces left cannot fill a pocket."""
        size, mask = len(pocket), self.tray.mask(pocket)
        values = {"row": min(pocket)[0] + 1, "balls": counted(size, "1 ball", "{count} balls")}
        inside = [(letter, lay) for letter, lay in ways if not lay & ~mask]
        sizes = {letter: len(shapes(puzzle.pieces)[letter]) for letter in left}
        if not inside:
            yield Message("the pocket at row {row} holds {balls}, and no piece left fits", **values)
        elif not _some_sum(list(sizes.values()), size):
            why = "the pocket at row {row} holds {balls}, and the sizes of no pieces left add up to that"
            yield Message(why, **values)
        elif size < sum(sizes.values()):
            options = [(letter, *bits(lay)) for letter, lay in inside]
            if next(covers(bits(mask), options, left, budget), None) is None:
                why = "the pocket at row {row} holds {balls}, which no choice of the pieces left ({pieces}) fills"
                yield Message(why, **values, pieces=listed(left, len(LETTERS)))

    # --- judging and showing an answer -------------------------------------------------------------------------------

    def holds(self, puzzle: Balls, answer: Answer) -> bool:
        """Whether the answer fills the tray with each piece once and keeps what is given."""
        if tuple(map(len, answer)) != self.tray.widths or tuple(map(len, puzzle.rows)) != self.tray.widths:
            return False
        points: dict[str, list[tuple[int, int]]] = {}
        for r, row in enumerate(answer):
            for c, letter in enumerate(row):
                if puzzle.rows[r][c].upper() not in (EMPTY, letter):
                    return False
                points.setdefault(letter, []).append(self.tray.point((r, c)))
        given = Counter("".join(puzzle.rows))
        if any(given[letter] not in (0, len(points.get(letter, ()))) for letter in LETTERS):
            return False
        wanted = shapes(puzzle.pieces)
        return set(points) == set(wanted) and all(normal(p) in orientations(wanted[k]) for k, p in points.items())

    def contents(self, puzzle: Balls, answer: Answer) -> Mapping[Cell, Hashable]:
        """The letter in each pit."""
        assert len(puzzle.rows) == len(answer)
        return {cell: answer[cell[0]][cell[1]] for cell in self.tray.cells}

    def marks(self, puzzle: Balls, answer: Answer) -> Sequence[Ball]:
        """Balls for each piece that was not given whole, in the colour of its single ball or else its makers'."""
        laid = Balls(answer, puzzle.pieces).cells_of(LETTERS)
        palette = tones(list(laid.values()), self.tray.layout.neighbours)
        whole, single = puzzle.cells_of(LETTERS), puzzle.cells_of(LETTERS.lower())
        found = []
        for (letter, cells), tone in zip(laid.items(), palette, strict=True):
            if letter not in whole:
                hint = single.get(letter.lower())
                ink = Ink(tone, COLOURS[puzzle.pieces][letter], hint[0] if hint else None)
                found.append(Ball(tuple(cells), ink, letter))
        return found

    def given(self, puzzle: Balls) -> Sequence[Text]:
        """The letter of the piece on each pit that is taken."""
        return [Text(cell, letter) for cell in self.tray.cells if (letter := puzzle.rows[cell[0]][cell[1]]) != EMPTY]

    def rehearse(self, puzzle: Balls, budget: Budget, show: Callable[[Frame], None]) -> None:
        """Search for the first answer and show every step, in the colours of the answer.

        Raises:
            BudgetSpentError: the budget is used up.
        """
        letters, free, ways = self.options(puzzle)
        answer = next(self.answers(puzzle, budget), None)
        marks = [] if answer is None else self.marks(puzzle, answer)
        inks = {mark.label: mark.ink for mark in marks}

        def laid(chosen: tuple[int, ...]) -> Sequence[Mark]:
            pieces = [ways[index] for index in chosen]
            return [Ball(tuple(self.tray.cells_in(lay)), inks.get(letter, Ink())) for letter, lay in pieces]

        options = [(letter, *bits(lay)) for letter, lay in ways]
        rehearse_cover([*letters, *bits(free)], options, budget, show, laid)

    def puzzle_record(self, puzzle: Balls) -> Record:
        """``rows`` (in capitals) and ``set``."""
        return {"rows": [row.upper() for row in puzzle.rows], "set": puzzle.pieces}

    def answer_record(self, puzzle: Balls, answer: Answer) -> Record:
        """``rows``."""
        assert len(puzzle.rows) == len(answer)
        return {"rows": list(answer)}


def _many(widths: tuple[int, ...]) -> str:
    """Widths in words: ``11, 11, 11`` is ``3 x 11``."""
    if len(widths) > 1 and len(set(widths)) == 1:
        return f"{len(widths)} x {widths[0]}"
    return ", ".join(map(str, widths)) or "0"


def _some_sum(sizes: list[int], total: int) -> bool:
    """Whether some of the sizes add up to the total."""
    return any(sum(some) == total for many in range(len(sizes) + 1) for some in combinations(sizes, many))
