"""Which of the grids found in a picture may be a Stitch board, and which are worth reading.

A grid that is plain is read, with what else its place may be. Where none is, boards that are filled are offered, and
what a common search found wanting: their clues alone can prove these (:mod:`vision.clues.placed`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from solvers.board import Cell
from vision.boards.beyond import whole
from vision.boards.dotted import dotted_boards
from vision.boards.filled import filled_grids, unproved
from vision.boards.fitting import GridGuess
from vision.boards.grids import SURE, in_likeliest_view, is_plain, tilted_looks
from vision.boards.quads import is_photo
from vision.boards.ruling import laid_on_lines
from vision.boards.whole_cells import find_whole_grids, of_whole_cells
from vision.clues.placed import HALF_PLACED, covered, seen_sides
from vision.clues.seen import carrying, clue_chances, may_be_clues, plainest
from vision.kind import PROMISING, Aids
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, Placement
from vision.reading import NotFound

PLAIN_SCORE = 0.58
"""From this score on a guess is a grid: open boards reach 0.6 at least, text and texture 0.5."""

LEAST_EXPLAINED = 0.25
"""Below it, this part of the edges in a grid must lie on its lines: texture has hardly more there than elsewhere."""

LEAST_SEEN = 0.66
"""And this is the least sum of the two. On a board full of placed patches nearly all inner lines are hidden and numbers
are large in view: it reaches 0.3 + 0.4."""

ALONE, AHEAD = 0.55, 1.5
"""From this score on a guess is a grid too where it is that many times as good as each other one at its place: dotted
lines of which patches hide some."""

LEAST_WORTH = 88.0
"""From this evidence on what was measured line by line is a grid, however little else is seen: text reaches 80."""

LEAST_FILLED, LEAST_FOR_EACH = 60.0, 3.5
"""The same of a board of which patches hide the larger part, where its clues have to prove it as well: other lattices
on it mostly have less. Or so much for each of its lines, of which a small board has few: others have 3 at most."""

STRAIGHT = 240.0
"""From this evidence on a grid is no part of a bent board, of which so much never lies straight: grids on bent cells
reach 130. To look where the cells of a bent board lie costs as much as all else that finds a straight one."""

IN_ROWS = 0.1
"""The cells of a straight board are of one form, but for this part of a cell's side; those of bent boards differ by a
third of a side and more."""

MOST_PLACES = 3
"""Places that are read at most."""

MOST_TENTATIVE = 4
"""Places that are read at most though nothing but their clues can prove them."""

EVEN = 0.5
"""Probability from which on it is likelier than not that a cell carries a clue."""

PROMISED = 3
"""So many cells that stand out most must carry what looks like numbers before a grid on a screen is read for its
numbers' sake."""

GLANCED, NUMBERED = 6, 0.4
"""The same of a grid in a photo: cells that are looked at, and the part of them that carries clues."""

ALIKE = 0.03
"""Grids lie alike when their corners are no further apart, in cells: what stands on them is seen as well on both."""

NEARLY = 0.9
"""A second reading of the same place is tried when its score is at least this part of the first one's."""


def guesses_at(photo: Photo, aids: Aids) -> list[GridGuess]:
    """The grids found, of the size that the user named, if any."""
    guesses = find_whole_grids(photo, aids.trace, thorough=aids.thorough)
    if aids.size is None:
        return guesses
    asked = set(aids.size)
    return [guess for guess in guesses if {guess.rows, guess.cols} == asked] or [
        _resized(guess, aids.size) for guess in guesses[:1]
    ]


def likely_places(photo: Photo, guesses: list[GridGuess], aids: Aids) -> list[Placement]:
    """Where boards plainly lie, best first: grids, or else what dots mark on a screen."""
    places = plain_places(photo, guesses)
    if are_doubtful(places) and (dotted := _dotted_places(photo, aids)):
        return dotted
    return places if aids.thorough else [_promised(photo, place) for place in places[:1]] + places[1:]


def plain_places(photo: Photo, guesses: list[GridGuess]) -> list[Placement]:
    """Where those guesses lie that are surely grids, whatever lies in them."""
    grids = [guess for guess in _best_places(guesses) if _is_grid(guess, guesses)]
    places = [(guess, _place(photo, guess)) for guess in grids]
    return [place for guess, place in places if _is_straight(guess) or not _among_bent_cells(photo, place)]


def _is_straight(guess: GridGuess) -> bool:
    """Whether a guess is too good for what lies on bent cells by chance."""
    return guess.worth >= STRAIGHT or guess.is_seen_all_over


def _dotted_places(photo: Photo, aids: Aids) -> list[Placement]:
    """Where dots mark the cells of a board on a screen, if they do."""
    boards = [] if is_photo(photo) else dotted_boards(photo)
    return [board for board in boards if aids.size in (None, (round(board.size[1]), round(board.size[0])))]


def tentative_places(photo: Photo, guesses: Sequence[GridGuess], aids: Aids) -> list[Placement]:
    """Grids that only their clues can prove: boards that are filled, and what a common search found wanting.

    Of each sort those are taken that patches seem to cover best, and on whose lines most of what is seen lies: of few
    large patches much may lie on a wrong grid.
    """
    sources = [list(photo.derive(filled_grids)), [unproved(guess) for guess in guesses]]
    best, others = [], []
    for source in sources:
        asked = [guess for guess in source if aids.size in (None, (guess.rows, guess.cols))]
        ranked = _best_covered(photo, asked)
        best += ranked[: MOST_TENTATIVE // len(sources)]
        others += ranked[MOST_TENTATIVE // len(sources) :]
    best += _best_covered(photo, others)[: MOST_TENTATIVE - len(best)]
    places = [guess.bent or guess.placement for guess in _best_covered(photo, best)]
    return [place for place in places if not _among_bent_cells(photo, place)]


def _promised(photo: Photo, place: Placement) -> Placement:
    """The best place with a score at which it is read at once, if only just: on a screen, what is surely a grid is
    worth that where numbers stand in it, however much patches hide of it.
    """
    if is_photo(photo) or not isinstance(place, FlatPlacement) or place.score >= PROMISING:
        return place
    cells = _plainest(photo, place, PROMISED)
    promised = len(cells) == PROMISED and bool(clue_chances(photo, place, cells).min() > EVEN)
    return replace(place, score=PROMISING) if promised else place


def numbered(photo: Photo, place: Placement) -> bool:
    """Whether numbers stand in a grid in a photo, whichever side is up, at a glance."""
    return is_photo(photo) and may_be_clues(photo, place, _plainest(photo, place, GLANCED), NUMBERED)


def _plainest(photo: Photo, place: Placement, count: int) -> list[Cell]:
    """The cells of a grid that most surely carry something."""
    return plainest(photo, place, [(int(r), int(c)) for r, c in np.argwhere(carrying(photo, place))], count)


def quick_places(photo: Photo, guesses: Sequence[GridGuess], aids: Aids) -> Sequence[Placement] | NotFound:
    """What is read on the quick look where no grid is plain: what may be a bent board, or one that is filled."""
    from vision.clues import hoop  # noqa: PLC0415  (with all that it is made of: most boards need none of it)

    bent = hoop.find_plain(photo, aids)
    if isinstance(bent, NotFound):
        return _filled_places(photo, aids) or bent
    # A few open cells in straight rows may be what is left of a straight board that is filled.
    return bent if bent[0].bend() >= IN_ROWS else [*bent, *tentative_places(photo, guesses, aids)]


def _filled_places(photo: Photo, aids: Aids) -> list[Placement]:
    """The board of which patches hide the larger part that the likeliest view of a photo shows, if any: on the quick
    look it is read after all that other kinds found, and only its clues can prove it.
    """
    found = in_likeliest_view(photo)
    asked = _asked([of_whole_cells(guess) for guess in found if _may_be_filled(guess)], aids)
    # Badges may hide that patches cover it; but of what is surely a grid most would be seen if nothing were hidden.
    best = _best_covered(photo, asked) or [guess for guess in asked if LEAST_WORTH <= guess.worth < SURE]
    hidden = [of_whole_cells(guess) for guess in found if _seems_hidden(guess)]
    best = best or _best_covered(photo, _asked(hidden, aids))
    places = [guess.bent or guess.placement for guess in best[:1]]
    return [place for place in places if not _among_bent_cells(photo, place)]


def further_places(photo: Photo, aids: Aids) -> Iterator[Placement]:
    """The board of which patches hide the larger part that each look at a photo shows, if any: only its clues can prove
    it. A place where another look showed the same grid is not read again; but a grid that is plain, or that two looks
    show best, is one whatever patches cover.
    """
    if not is_photo(photo):
        return
    offered: list[Placement] = []
    best_before: list[GridGuess] = []
    for found in tilted_looks(photo):
        sure = [guess for guess in found[:1] if _times_seen(guess, best_before) == (0 if is_plain(guess) else 1)]
        yield from plain_places(photo, [of_whole_cells(guess) for guess in sure if aids.size is None])
        best_before += found[:1]
        seen = [of_whole_cells(guess) for guess in found if _may_be_filled(guess) or _seems_hidden(guess)]
        best = _best_covered(photo, _asked(seen, aids))[:1]
        places = [guess.bent or guess.placement for guess in best]
        new = [place for place in places if not any(lie_alike(place, other) for other in offered)]
        offered += new
        yield from [place for place in new if not _among_bent_cells(photo, place)]


def _times_seen(guess: GridGuess, others: Sequence[GridGuess]) -> int:
    """How many of the guesses of other looks are the same grid."""
    return sum(lie_alike(guess.bent or guess.placement, other.bent or other.placement) for other in others)


def lie_alike(one: Placement, other: Placement) -> bool:
    """Whether two grids of as many rows and columns lie at the same place."""
    if one.size != other.size:
        return False
    (width, height), corners = one.size, np.array([(0, 0), (1, 0), (1, 1), (0, 1)])
    corners = corners * (width, height)
    return bool(np.abs(one.to_board(other.to_photo(corners)) - corners).max() <= ALIKE)


def _asked(guesses: Sequence[GridGuess], aids: Aids) -> list[GridGuess]:
    """The guesses of the size that the user named, if any, as places that only their clues can prove."""
    return [unproved(guess) for guess in guesses if aids.size in (None, (guess.rows, guess.cols))]


def _may_be_filled(guess: GridGuess) -> bool:
    return guess.worth >= min(LEAST_FILLED, LEAST_FOR_EACH * (guess.rows + guess.cols + 2))


def _seems_hidden(guess: GridGuess) -> bool:
    """The same of a guess that a search found as it is: of another grid it said nothing."""
    return _is_hidden(guess) and not guess.resized


def _best_covered(photo: Photo, guesses: Sequence[GridGuess]) -> list[GridGuess]:
    """Those that patches seem to cover for the larger part, best first."""
    parts = [covered(seen_sides(photo, guess.bent or guess.placement)) for guess in guesses]
    order = sorted(range(len(guesses)), key=lambda i: -parts[i] * guesses[i].explained)
    return [guesses[i] for i in order if parts[i] >= HALF_PLACED]


def _among_bent_cells(photo: Photo, place: Placement) -> bool:
    """Whether a straight grid lies within a bent board: a part of that may be solved by itself, and is wrong."""
    if not is_photo(photo):
        return False
    from vision.clues.hoop import lies_among  # noqa: PLC0415  (with all that it is made of: screenshots need none of it)

    return lies_among(photo, place)


def _place(photo: Photo, guess: GridGuess) -> Placement:
    """Where the board of a guess lies; in a photo it may reach further than was measured."""
    placement = guess.bent or guess.placement
    grown = whole(photo, placement) if guess.worth else placement
    return laid_on_lines(photo, grown) if grown is not placement and isinstance(grown, FlatPlacement) else grown


def are_doubtful(places: Sequence[Placement]) -> bool:
    """Whether none of the places is plainly a grid."""
    return all(place.score < PLAIN_SCORE for place in places)


def _is_grid(guess: GridGuess, guesses: Sequence[GridGuess]) -> bool:
    """Whether one of the guesses is surely a grid, whatever lies in it."""
    if guess.score >= PLAIN_SCORE or _is_hidden(guess) or guess.worth >= LEAST_WORTH:
        return True
    rivals = [other.score for other in guesses if other is not guess and _overlap(guess, other)]
    return guess.score >= max(ALONE, AHEAD * max(rivals, default=1.0))


def _is_hidden(guess: GridGuess) -> bool:
    """Whether so much of what is seen lies on the lines of a guess that it may be a board of which hardly any show."""
    return guess.explained >= LEAST_EXPLAINED and guess.score + guess.explained >= LEAST_SEEN


def _resized(guess: GridGuess, size: tuple[int, int]) -> GridGuess:
    """The same place cut into as many rows and columns as the user says, whichever way they fit better."""
    wide, high = (float(np.linalg.norm(guess.corners_px[k] - guess.corners_px[0])) for k in (1, 3))
    rows, cols = min(size, size[::-1], key=lambda rc: abs(np.log(high / rc[0] * rc[1] / wide)))
    placement = FlatPlacement.from_corners(guess.corners_px, (cols, rows), guess.score)
    sides = np.ones((rows, cols + 1)), np.ones((rows + 1, cols)), np.ones((rows, cols), dtype=bool)
    return GridGuess(placement, rows, cols, guess.score, guess.explained, *sides)


def _best_places(guesses: list[GridGuess]) -> list[GridGuess]:
    """The guesses worth reading: other boards, and other readings of the same place that are nearly as good.

    On a board full of placed patches a grid of twice the cells' side shows most of what there is; what was measured
    line by line tells them apart.
    """
    kept: list[GridGuess] = []
    for guess in guesses:
        rivals = [other for other in kept if _overlap(guess, other)]
        if len(kept) < MOST_PLACES and all(_as_good(guess, other) for other in rivals):
            kept.append(guess)
    return kept


def _as_good(guess: GridGuess, other: GridGuess) -> bool:
    """Whether a guess is worth reading beside a better one at its place."""
    surer = guess.worth >= LEAST_WORTH > other.worth
    return surer or guess.score >= NEARLY * other.score or guess.lines_worth > other.lines_worth


def _overlap(one: GridGuess, other: GridGuess) -> bool:
    """Whether the boxes round two grids overlap."""
    (a0, a1), (b0, b1) = ((g.corners_px.min(axis=0), g.corners_px.max(axis=0)) for g in (one, other))
    return bool((np.maximum(a0, b0) < np.minimum(a1, b1)).all())
