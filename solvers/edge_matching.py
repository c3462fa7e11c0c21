"""Edge matching: lay pieces on slots so that every edge fits the one it meets.

Sixteen triangles have 16! * 3^16 arrangements, yet a search rarely looks at more than a few hundred: it fills the
slots in a fixed order, and an index from *what the neighbours that lie already demand* to *the pieces that offer it,
each with its turn* answers every question at once. All turns are kept: a piece may fit in two of them,
and a search that takes only the first that fits misses solutions.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial

from solvers.budget import Budget

Joint = tuple[int, int]
"""An edge of a slot: ``(slot, edge)``."""

Placed = tuple[tuple[int, int], ...]
"""For each slot ``(piece, turn)``: edge ``e`` of the piece lies on edge ``(e + turn) % sides`` of the slot."""


@dataclass(frozen=True)
class Tray:
    """The slots of a tray and how their edges meet.

    Attributes:
        slots: how many there are.
        sides: edges of a slot, numbered clockwise.
        inner: pairs of slot edges that meet each other.
        outer: slot edges that meet the frame, in the order of the frame's codes.
    """

    slots: int
    sides: int
    inner: tuple[tuple[Joint, Joint], ...]
    outer: tuple[Joint, ...]


def triangle_tray(rows: int = 4) -> Tray:
    """The big triangle of ``rows`` rows: slots row by row, their edges clockwise, the frame clockwise from the apex.

    A slot that points up has its edges 0 left, 1 right, 2 bottom; one that points down has 0 right, 1 left, 2 top. So
    two edges that meet have the same number.
    """
    first = [r * r for r in range(rows + 1)]
    inner: list[tuple[Joint, Joint]] = []
    for r in range(rows):
        for i in range(2 * r):
            edge = 1 - i % 2  # what is right of an upward slot (1) is left of the downward one after it (1)
            inner.append(((first[r] + i, edge), (first[r] + i + 1, edge)))
        if r + 1 < rows:
            inner += [((first[r] + i, 2), (first[r + 1] + i + 1, 2)) for i in range(0, 2 * r + 1, 2)]
    right = [(first[r + 1] - 1, 1) for r in range(rows)]
    bottom = [(first[rows] - 1 - i, 2) for i in range(0, 2 * rows - 1, 2)]
    left = [(first[r], 0) for r in reversed(range(rows))]
    return Tray(rows * rows, 3, tuple(inner), (*right, *bottom, *left))


def arrangements(
    tray: Tray,
    pieces: Sequence[Sequence[int]],
    frame: Sequence[int | None],
    mates: Mapping[int, int],
    budget: Budget,
) -> Iterator[Placed]:
    """All ways to lay each piece on one slot such that every edge meets its mate.

    Ways that look the same count once: those that differ in which of several equal pieces lies where, and in the turn
    of a piece that looks the same turned. :func:`lookalikes` says how many ways each stands for. A piece that may stay
    where it is (slot = piece, turn 0) does.

    Args:
        tray: the slots.
        pieces: the codes of each piece's edges, clockwise.
        frame: the code that the frame shows at each of ``tray.outer``; None where anything goes.
        mates: the code that fits each code. A code without mate fits nothing.
        budget: one node is spent per piece tried.

    Raises:
        BudgetSpentError: the budget is used up.
    """
    steps = filling_order(tray, tuple([code is None for code in frame]))
    looks, copies = _looks(pieces)
    left = [len(turned) for turned in copies]
    index = {known: _index(looks, known) for known in {step.known for step in steps}}
    # What a piece must offer on each joint; the frame's demands stand from the start.
    demand: list[int | None] = [None if code is None else mates.get(code) for code in frame]
    demand += [None] * len(tray.inner)
    laid = [(0, 0)] * tray.slots
    last = tray.slots

    def fill(number: int) -> Iterator[Placed]:
        if number == last:
            yield _name_pieces(laid, copies, tray.sides)
            return
        step = steps[number]
        fitting = index[step.known].get(tuple([demand[joint] for joint in step.read]))
        for look, at, codes in fitting or ():
            if left[look]:
                budget.spend()
                left[look] -= 1
                for joint, offset in step.write:
                    demand[joint] = mates.get(codes[offset])
                laid[step.slot] = (look, step.edge - at)
                yield from fill(number + 1)
                left[look] += 1

    yield from fill(0)


@dataclass(frozen=True)
class Step:
    """Fill ``slot``; edges are counted clockwise from ``edge`` on, the first that is known.

    Attributes:
        known: these edges are known, counted from ``edge``.
        read: the joints of the known edges.
        write: ``(joint, edge counted from edge)`` of the others.
    """

    slot: int
    edge: int
    known: tuple[int, ...]
    read: tuple[int, ...]
    write: tuple[tuple[int, int], ...]


@lru_cache
def filling_order(tray: Tray, wild: tuple[bool, ...]) -> tuple[Step, ...]:
    """In which order to fill the slots: next comes the first with the most edges known.

    Joints are numbered: first the frame's, then the inner ones. ``wild`` tells where the frame takes anything.
    """
    joint_at: dict[Joint, int] = {edge: number for number, edge in enumerate(tray.outer)}
    for number, (one, other) in enumerate(tray.inner, len(tray.outer)):
        joint_at[one] = joint_at[other] = number
    told = {number for number, anything in enumerate(wild) if not anything}
    todo = list(reversed(range(tray.slots)))  # the bottom row has the most frame around it
    sides = range(tray.sides)
    steps = []
    while todo:
        slot = max(todo, key=lambda s: sum(joint_at[s, e] in told for e in sides))
        todo.remove(slot)
        joints = [joint_at[slot, e] for e in sides]
        edges = [e for e in sides if joints[e] in told]
        # Start where a run of known edges starts, so that turned cases become the same case.
        first = next((e for e in edges if (e - 1) % tray.sides not in edges), 0)
        known = tuple(sorted((e - first) % tray.sides for e in edges))
        turned = [joints[(first + k) % tray.sides] for k in sides]
        steps.append(
            Step(
                slot,
                first,
                known,
                tuple(turned[k] for k in known),
                tuple((turned[k], k) for k in sides if k not in known),
            )
        )
        told.update(joints)
    return tuple(steps)


Look = tuple[int, ...]
"""The codes of a piece's edges, clockwise, in the turn in which it was first met."""


def _looks(pieces: Sequence[Sequence[int]]) -> tuple[list[Look], list[list[tuple[int, int]]]]:
    """The pieces that differ, and for each of them ``(piece, turn)`` of all its copies.

    ``turn`` is where the copy has what the look has first: ``pieces[piece][turn] == look[0]``, and so on clockwise.
    """
    looks: list[Look] = []
    copies: list[list[tuple[int, int]]] = []
    met: dict[Look, tuple[int, int]] = {}
    for piece, given in enumerate(pieces):
        codes = tuple(given)
        if codes not in met:
            for at in reversed(range(len(codes))):
                met[codes[at:] + codes[:at]] = (len(looks), at)
            looks.append(codes)
            copies.append([])
        look, at = met[codes]
        copies[look].append((piece, -at % len(codes)))
    return looks, copies


def _index(looks: Sequence[Look], known: tuple[int, ...]) -> dict[tuple[int | None, ...], list[tuple[int, int, Look]]]:
    """From the codes at the edges ``known`` to ``(look, edge, codes from that edge on)`` of all that offer them."""
    found: dict[tuple[int | None, ...], list[tuple[int, int, Look]]] = {}
    for number, look in enumerate(looks):
        turned_before = set()
        for at in range(len(look)):
            codes = look[at:] + look[:at]
            if codes in turned_before:
                continue  # looks the same as an earlier turn
            turned_before.add(codes)
            found.setdefault(tuple([codes[k] for k in known]), []).append((number, at, codes))
    return found


def _name_pieces(laid: Sequence[tuple[int, int]], copies: Sequence[Sequence[tuple[int, int]]], sides: int) -> Placed:
    """Say which copy of each look lies where; a copy stays at home where it can."""
    spare = [list(turned) for turned in copies]
    named: list[tuple[int, int] | None] = [None] * len(laid)
    for slot, (look, turn) in enumerate(laid):
        for copy in spare[look]:
            if copy[0] == slot and (turn - copy[1]) % sides == 0:
                named[slot] = (slot, 0)
                spare[look].remove(copy)
                break
    for slot, (look, turn) in enumerate(laid):
        if named[slot] is None:
            piece, offset = spare[look].pop(0)
            named[slot] = (piece, (turn - offset) % sides)
    return tuple(copy for copy in named if copy is not None)


def lookalikes(pieces: Sequence[Sequence[int]]) -> int:
    """How many ways look the same as any one: by swapping equal pieces, and turning those that look the same turned."""
    looks, copies = _looks(pieces)
    ways = 1
    for look, turned in zip(looks, copies, strict=True):
        symmetry = sum(look[at:] + look[:at] == look for at in range(len(look)))
        ways *= factorial(len(turned)) * symmetry ** len(turned)
    return ways
