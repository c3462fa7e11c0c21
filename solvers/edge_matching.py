"""Edge matching: lay pieces on slots so that every edge fits the one it meets.

Sixteen triangles have 16! * 3^16 arrangements, yet a search rarely looks at more than a few hundred: it fills the
slots in a fixed order, and an index from *what the neighbours that lie already demand* to *the pieces that offer it,
each with its turn* answers every question at once. All turns are kept: a piece may fit in two of them,
and a search that takes only the first that fits misses solutions.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import factorial
from operator import itemgetter

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
    offers, copies = _sorted_by_pattern(pieces, mates)
    tables = _Tables(offers)
    # What a piece must offer on each joint; the frame's demands stand from the start.
    demand: list[int | None] = [None if code is None else mates.get(code) for code in frame]
    demand += [None] * len(tray.inner)
    wild = tuple([code is None for code in frame])
    orders = [filling_order(tray, wild, first) for first in _starts(tray, wild)]
    steps = min(orders, key=lambda order: len(tables[order[0].known].get(order[0].demanded(demand), ())))
    periods = Counter([pattern for pattern, _, _, _ in offers])
    for laid in _laid(steps, tables, demand, [len(copy) for copy in copies], budget):
        yield _name_pieces(steps, laid, copies, periods)


def _laid(
    steps: Sequence["Step"], tables: "_Tables", demand: list[int | None], left: list[int], budget: Budget
) -> Iterator[list["_Offer"]]:
    """All ways to lay offers in the order of the steps; the list is the same every time.

    ``left`` tells how many pieces of each pattern there are. A loop, not a recursion: as fast as plain Python gets.
    """
    plan = [(tables[step.known].get, step.demanded, step.write) for step in steps]
    last = len(plan) - 1
    fits, demanded, _ = plan[0]
    choices: list[Iterator[_Offer]] = [iter(fits(demanded(demand), ()))] * len(plan)
    laid: list[_Offer] = [(0, 0, (), ())] * len(plan)
    depth = spent = 0
    while depth >= 0:
        for offer in choices[depth]:
            if left[offer[0]]:
                break
        else:
            depth -= 1
            if depth >= 0:
                left[laid[depth][0]] += 1
            continue
        laid[depth] = offer
        spent += 1
        if depth == last or spent == _INSTALMENT:
            budget.spend(spent)
            spent = 0
        if depth == last:
            yield laid
            continue
        left[offer[0]] -= 1
        wanted = offer[3]
        for joint, offset in plan[depth][2]:
            demand[joint] = wanted[offset]
        depth += 1
        fits, demanded, _ = plan[depth]
        choices[depth] = iter(fits(demanded(demand), ()))
    budget.spend(spent)


_INSTALMENT = 256
"""Nodes between two payments to the budget."""


@dataclass(frozen=True, slots=True)
class Step:
    """Fill ``slot``; edges are counted clockwise from ``edge`` on, the first that is known.

    Attributes:
        known: these edges are known, counted from ``edge``.
        read: the joints of the known edges.
        write: ``(joint, edge counted from edge)`` of the others.
        demanded: picks from a list by joint what ``read`` names: the value of one, a tuple of several, of none None.
    """

    slot: int
    edge: int
    known: tuple[int, ...]
    read: tuple[int, ...]
    write: tuple[tuple[int, int], ...]
    demanded: Callable[[Sequence[object]], object]


def _picker(places: tuple[int, ...]) -> Callable[[Sequence[object]], object]:
    """Picks these places: the value of one, a tuple of several, of none None."""
    return itemgetter(*places) if places else lambda _: None


@lru_cache
def _starts(tray: Tray, wild: tuple[bool, ...]) -> tuple[int, ...]:
    """The slots with the most known frame around them: the corners, unless the frame is not known."""
    known = Counter(slot for (slot, _), anything in zip(tray.outer, wild, strict=True) if not anything)
    most = max(known.values(), default=0)
    return tuple(slot for slot in range(tray.slots) if known[slot] == most)


@lru_cache
def filling_order(tray: Tray, wild: tuple[bool, ...], first: int) -> tuple[Step, ...]:
    """In which order to fill the slots: from the first one on, always touching what lies.

    Of the slots that touch it the one with the most edges known is next, then the one nearest to the first. Joints are
    numbered: first the frame's, then the inner ones. ``wild`` tells where the frame takes anything.
    """
    joint_at: dict[Joint, int] = {edge: number for number, edge in enumerate(tray.outer)}
    for number, (one, other) in enumerate(tray.inner, len(tray.outer)):
        joint_at[one] = joint_at[other] = number
    known = {number for number, anything in enumerate(wild) if not anything}
    distance = _distances(tray, first)
    todo = set(range(tray.slots))
    steps = []
    while todo:
        # Distance 0, the first slot itself, beats all others; after it, those without a neighbour come last.
        slot = min(
            todo,
            key=lambda s: (
                s != first,
                all(joint_at[s, e] not in known or joint_at[s, e] < len(wild) for e in range(tray.sides)),
                -sum(joint_at[s, e] in known for e in range(tray.sides)),
                distance[s],
                s,
            ),
        )
        todo.remove(slot)
        joints = [joint_at[slot, e] for e in range(tray.sides)]
        steps.append(_step(slot, joints, [e for e, joint in enumerate(joints) if joint in known]))
        known.update(joints)
    return tuple(steps)


def _step(slot: int, joints: Sequence[int], known_edges: Sequence[int]) -> Step:
    """The step that fills a slot whose joints these are, clockwise."""
    sides = len(joints)
    # Start where a run of known edges starts, so that turned cases become the same case.
    first = next((e for e in known_edges if (e - 1) % sides not in known_edges), 0)
    known = tuple(sorted((e - first) % sides for e in known_edges))
    turned = [joints[(first + k) % sides] for k in range(sides)]
    read = tuple(turned[k] for k in known)
    write = tuple((turned[k], k) for k in range(sides) if k not in known)
    return Step(slot, first, known, read, write, _picker(read))


def _distances(tray: Tray, first: int) -> list[int]:
    """How many joints lie between each slot and the first."""
    distance = [tray.slots] * tray.slots
    distance[first] = 0
    for _ in range(tray.slots):
        for (a, _a), (b, _b) in tray.inner:
            distance[a] = min(distance[a], distance[b] + 1)
            distance[b] = min(distance[b], distance[a] + 1)
    return distance


Pattern = tuple[int, ...]
"""The codes of a piece's edges, clockwise, in the turn in which it was first met."""

_Offer = tuple[int, int, Pattern, tuple[int | None, ...]]
"""A pattern from edge ``at`` on: ``(number of the pattern, at, its codes from there, their mates)``."""


def _sorted_by_pattern(
    pieces: Sequence[Sequence[int]], mates: Mapping[int, int]
) -> tuple[list[_Offer], list[list[tuple[int, int]]]]:
    """Every pattern in every turn that differs, and for each pattern ``(piece, turn)`` of all its copies.

    ``turn`` is where the copy has what the pattern has first: ``pieces[piece][turn] == look[0]``, and so on clockwise.
    """
    offers: list[_Offer] = []
    copies: list[list[tuple[int, int]]] = []
    met: dict[Pattern, tuple[int, Pattern]] = {}  # by the smallest of its turns
    for piece, given in enumerate(pieces):
        pattern = tuple(given)
        sides = len(pattern)
        twice = pattern + pattern
        turned = [twice[at : at + sides] for at in range(sides)]
        smallest = min(turned)
        if smallest in met:
            number, first = met[smallest]
            copies[number].append((piece, turned.index(first)))
            continue
        met[smallest] = len(copies), pattern
        wanted = tuple(map(mates.get, twice))
        for at, codes in enumerate(turned):
            if at and codes == pattern:
                break  # from here on everything looks as it did before
            offers.append((len(copies), at, codes, wanted[at : at + sides]))
        copies.append([(piece, 0)])
    return offers, copies


class _Tables(dict[tuple[int, ...], dict[object, list[_Offer]]]):
    """For each choice of known edges, from the codes at them to all offers that have them; built when first needed."""

    def __init__(self, offers: Sequence[_Offer]) -> None:
        """Index these offers."""
        self._offers = offers

    def __missing__(self, known: tuple[int, ...]) -> dict[object, list[_Offer]]:
        pick = _picker(known)
        table: dict[object, list[_Offer]] = {}
        for offer in self._offers:
            key = pick(offer[2])
            if key in table:
                table[key].append(offer)
            else:
                table[key] = [offer]
        self[known] = table
        return table


def _name_pieces(
    steps: Sequence[Step],
    laid: Sequence[_Offer],
    copies: Sequence[Sequence[tuple[int, int]]],
    periods: Mapping[int, int],
) -> Placed:
    """Say which copy of each pattern lies where; a copy stays at home where it can.

    ``periods`` tells after how many turns by one edge each pattern looks the same again.
    """
    named: dict[int, tuple[int, int]] = {}
    spare = {pattern: list(turned) for pattern, turned in enumerate(copies) if len(turned) > 1}
    late = []
    for step, (pattern, at, _, _) in zip(steps, laid, strict=True):
        turn = (step.edge - at) % periods[pattern]
        if pattern not in spare:
            piece, offset = copies[pattern][0]
            named[step.slot] = (piece, (turn - offset) % periods[pattern])
        elif (step.slot, turn) in spare[pattern]:
            spare[pattern].remove((step.slot, turn))
            named[step.slot] = (step.slot, 0)
        else:
            late.append((step.slot, pattern, turn))
    for slot, pattern, turn in sorted(late):
        piece, offset = spare[pattern].pop(0)
        named[slot] = (piece, (turn - offset) % periods[pattern])
    return tuple([named[slot] for slot in range(len(steps))])


def lookalikes(pieces: Sequence[Sequence[int]]) -> int:
    """How many ways look the same as any one: by swapping equal pieces, and turning those that look the same turned."""
    offers, copies = _sorted_by_pattern(pieces, {})
    periods = Counter(offer[0] for offer in offers)
    ways = 1
    for number, copy in enumerate(copies):
        sides = len(pieces[copy[0][0]])
        ways *= factorial(len(copy)) * (sides // periods[number]) ** len(copy)
    return ways
