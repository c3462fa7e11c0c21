import random
from itertools import islice, permutations, product

import pytest

from solvers.budget import Budget
from solvers.edge_matching import Placed, Tray, arrangements, lookalikes, triangle_tray

SMALL = triangle_tray(2)  # four slots: small enough to try all 4! * 3^4 arrangements
FITS_ITSELF = {code: code for code in range(10)}


def fits(tray: Tray, pieces: list[list[int]], frame: list[int | None], placed: Placed) -> bool:
    shown = [[pieces[piece][(e - turn) % 3] for e in range(3)] for piece, turn in placed]
    return all(shown[a][i] == shown[b][j] for (a, i), (b, j) in tray.inner) and all(
        code is None or shown[slot][edge] == code for (slot, edge), code in zip(tray.outer, frame, strict=True)
    )


def tried(pieces: list[list[int]], frame: list[int | None]) -> list[Placed]:
    everything = (
        tuple(zip(order, turns, strict=True))
        for order in permutations(range(4))
        for turns in product(range(3), repeat=4)
    )
    return [placed for placed in everything if fits(SMALL, pieces, frame, placed)]


def test_the_tray_of_sixteen_is_numbered_as_the_contract_says() -> None:
    tray = triangle_tray(4)
    assert tray.slots == 16
    assert len(tray.inner) == 18
    apex_right, bottom_right, bottom_left, apex_left = tray.outer[0], tray.outer[4], tray.outer[7], tray.outer[11]
    assert (apex_right, bottom_right, bottom_left, apex_left) == ((0, 1), (15, 2), (9, 2), (0, 0))
    assert ((0, 2), (2, 2)) in tray.inner
    edges = [edge for joint in tray.inner for edge in joint] + list(tray.outer)
    assert sorted(edges) == [(slot, edge) for slot in range(16) for edge in range(3)]


@pytest.mark.parametrize("seed", range(30))
def test_all_arrangements_are_found_once(seed: int) -> None:
    rng = random.Random(seed)
    pieces = [[rng.randrange(3) for _ in range(3)] for _ in range(4)]
    solved = tuple((piece, rng.randrange(3)) for piece in rng.sample(range(4), 4))
    shown = [[pieces[piece][(e - turn) % 3] for e in range(3)] for piece, turn in solved]
    frame: list[int | None] = [shown[slot][edge] if rng.random() < 0.6 else None for slot, edge in SMALL.outer]
    brute = tried(pieces, frame)
    found = list(arrangements(SMALL, pieces, frame, FITS_ITSELF, Budget()))
    assert set(found) <= set(brute)
    assert len(found) * lookalikes(pieces) == len(brute)


def test_a_code_without_a_mate_fits_nothing() -> None:
    pieces = [[0, 0, 0]] * 4
    frame: list[int | None] = [0] * 6
    assert len(list(arrangements(SMALL, pieces, frame, {0: 0}, Budget()))) == 1
    assert list(arrangements(SMALL, pieces, frame, {}, Budget())) == []
    assert list(arrangements(SMALL, pieces, [None] * 6, {}, Budget())) == []


def test_a_tray_without_a_known_frame_is_searched_too() -> None:
    pieces = [[0, 1, 2], [0, 1, 2], [3, 3, 3], [1, 2, 0]]
    found = list(arrangements(SMALL, pieces, [None] * 6, {0: 3, 3: 0}, Budget()))
    assert all(sorted(piece for piece, _ in placed) == [0, 1, 2, 3] for placed in found)
    assert len(found) == 1  # the three equal pieces round the odd one
    assert lookalikes(pieces) == 6 * 3


def test_pieces_that_may_stay_where_they_are_do() -> None:
    pieces = [[0, 1, 0], [0, 1, 0], [0, 0, 0], [0, 1, 0]]
    frame: list[int | None] = [1, 1, 0, 0, 0, 0]
    for placed in islice(arrangements(SMALL, pieces, frame, FITS_ITSELF, Budget()), 5):
        assert fits(SMALL, pieces, frame, placed)
        assert placed.count((2, 0)) == 1
