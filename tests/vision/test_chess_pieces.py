"""What stands on chequered boards is told apart, and boards of other games are refused."""

from collections.abc import Mapping

import cv2
import numpy as np
import pytest

from benchmarks.sets import sample_of
from samples import chess
from samples.camera import Shot, photograph
from samples.canvas import Canvas, Type
from samples.chess_pieces import OTHERS, QUEENS
from samples.fonts import BUILTIN
from samples.sample import Sample
from solvers import knight as tours
from solvers import queens as completions
from solvers.board import Cell
from vision import knight, queens
from vision.chessboards import chequers
from vision.kind import Aids
from vision.pictures.camera_pose import pose
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement
from vision.reading import NotFound, Reading


def board(pieces: Mapping[Cell, str], **changes: object) -> Photo:
    scene = chess.Scene(pieces=pieces, device="bare", **changes)  # type: ignore[arg-type]
    return Photo(chess.draw(np.random.default_rng(7), scene).picture)


def in_jpeg(name: str, seed: int, quality: int) -> tuple[Sample, Photo]:
    """A drawn picture with its truth, and as a JPEG shows it."""
    sample = sample_of(name, seed)
    jpeg = cv2.imdecode(cv2.imencode(".jpg", sample.picture, [cv2.IMWRITE_JPEG_QUALITY, quality])[1], cv2.IMREAD_COLOR)
    return sample, Photo(np.asarray(jpeg, np.uint8))


def as_queens(photo: Photo, aids: Aids | None = None) -> Reading[completions.Puzzle] | NotFound:
    places = chequers.find(photo, Aids())
    assert not isinstance(places, NotFound)
    return queens.read(photo, places[0], aids or Aids())


def as_knight(photo: Photo, aids: Aids | None = None) -> Reading[tours.Puzzle] | NotFound:
    places = knight.find(photo, Aids())
    assert not isinstance(places, NotFound)
    return knight.read(photo, places[0], aids or Aids())


def test_numbers_along_the_sides_of_squares_in_two_shades_make_no_empty_chessboard() -> None:
    scene = chess.Scene(rows=4, cols=4, theme="marble", device="bare")
    drawn = chess.draw(np.random.default_rng(3), scene)
    place = FlatPlacement.from_corners(drawn.truth["corners"], (4, 4))
    canvas, side = Canvas(drawn.picture.copy()), float(np.hypot(*np.subtract(*place.to_photo([(1, 0), (0, 0)]))))
    bare = as_queens(Photo(drawn.picture))
    assert isinstance(bare, Reading)
    assert not bare.doubts
    for text, (row, col) in zip(("2", "12", "6", "4"), ((0, 0), (0, 1), (3, 1), (3, 2)), strict=True):
        middle = place.to_photo([(col + 0.5, row + 0.5)])[0]
        canvas.digits(middle, text, Type(BUILTIN, 0.5 * side), (20, 20, 20))
    read = as_queens(Photo(canvas.picture))
    assert isinstance(read, NotFound) or {(0, 0), (3, 1), (3, 2)} <= {doubt.cell for doubt in read.doubts}


@pytest.mark.slow
@pytest.mark.parametrize("theme", ["green", "night", "black and white", "wood"])
@pytest.mark.parametrize("style", QUEENS)
@pytest.mark.parametrize("white", [True, False])
def test_queens_and_knights_of_our_sets(style: str, theme: str, white: bool) -> None:
    cells = ((1, 2), (4, 3), (7, 7))
    read = as_queens(board(dict.fromkeys(cells, "queen"), style=style, theme=theme, white=white, clutter=True))
    assert isinstance(read, Reading)
    assert read.puzzle == completions.Puzzle(8, cells)
    assert not read.doubts
    tour = as_knight(board({(5, 0): "knight"}, style=style, theme=theme, white=white, coordinates="inside"))
    assert isinstance(tour, Reading)
    assert tour.puzzle == tours.Puzzle(8, 8, (5, 0))
    assert not tour.doubts


@pytest.mark.parametrize("style", QUEENS)
def test_queens_and_a_knight(style: str) -> None:
    queen, horse = (as_queens(board({(1, 2): "queen"}, style=style)), as_knight(board({(5, 0): "knight"}, style=style)))
    assert isinstance(queen, Reading)
    assert queen.puzzle.queens == ((1, 2),)
    assert isinstance(horse, Reading)
    assert horse.puzzle.start == (5, 0)


@pytest.mark.parametrize(("style", "theme"), [("outlined sign", "black and white"), ("solid sign", "print")])
def test_thin_queens_keep_their_points_beside_coordinates(style: str, theme: str) -> None:
    """Balls on stalks: hairlines when a square is made small, and a letter of the rim in the same square."""
    photo = board({(4, 3): "queen", (7, 6): "queen"}, style=style, theme=theme, size=0.7, coordinates="inside")
    read = as_queens(photo)
    assert isinstance(read, Reading)
    assert read.puzzle.queens == ((4, 3), (7, 6))
    assert not read.doubts


@pytest.mark.parametrize(
    "look",
    [
        {"style": "balls", "white": False, "theme": "night", "size": 0.7},
        {"style": "balls", "white": True, "theme": "print", "size": 0.7},
        {"style": "slender", "white": True, "theme": "print", "size": 0.95},
    ],
    ids=["balls that touch", "outlines that touch", "an outline cut open at the border of its square"],
)
def test_a_single_queen_is_seen_for_what_she_is(look: Mapping[str, object]) -> None:
    read = as_queens(board({(3, 3): "queen"}, **look))
    assert isinstance(read, Reading)
    assert read.puzzle == completions.Puzzle(8, ((3, 3),))
    assert not read.doubts


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_diagram_that_is_turned_is_read_as_one_sees_it_upright(turns: int) -> None:
    cells = ((1, 2), (4, 3), (7, 7))
    upright = board(dict.fromkeys(cells, "queen"), style="balls")
    read = as_queens(Photo(np.ascontiguousarray(np.rot90(upright.bgr, turns))))
    assert isinstance(read, Reading)
    assert read.puzzle == completions.Puzzle(8, cells)
    assert not read.doubts


@pytest.mark.slow
@pytest.mark.parametrize("other", ["rook", "bishop", "king"])
def test_a_figure_that_lies_on_its_side_is_neither_queen_nor_knight(other: str) -> None:
    photo = Photo(np.ascontiguousarray(np.rot90(board({(3, 3): other}).bgr)))
    for read in (as_queens(photo), as_knight(photo)):
        assert isinstance(read, NotFound) or read.doubts


def test_an_oblong_board_has_its_rows_as_one_sees_them_who_sees_the_knight_upright() -> None:
    sample = chess.draw(np.random.default_rng(7), chess.Scene(6, 8, {(4, 1): "knight"}, device="phone"))
    for quarters in range(4):
        read = as_knight(Photo(np.ascontiguousarray(np.rot90(sample.picture, quarters))))
        assert isinstance(read, Reading)
        assert read.puzzle == tours.Puzzle(6, 8, (4, 1))
        assert read.placement.size == (8, 6)


@pytest.mark.parametrize("words", [False, True])
def test_a_knight_lies_on_his_side_only_where_the_words_beside_him_do(*, words: bool) -> None:
    lying = np.rot90(board({(3, 3): "knight"}, style="slender").bgr, -1)
    page = Canvas(np.full((300, lying.shape[1], 3), 250, np.uint8))
    for line in range(6 * words):
        page.words((lying.shape[1] / 2, 40 + 45 * line), "Visit all squares with the knight", 22, (30, 30, 30))
    read = as_knight(Photo(np.vstack([lying, page.picture])))
    assert (isinstance(read, Reading) and not read.doubts) is not words


def test_a_photographed_diagram_is_no_board_with_real_pieces() -> None:
    cells = ((1, 2), (4, 3), (7, 7))
    scene = chess.Scene(pieces=dict.fromkeys(cells, "queen"), device="bare", theme="brown")
    rng = np.random.default_rng(3)
    read = as_queens(
        Photo(photograph(chess.draw(rng, scene), Shot((1000, 800), tilt_deg=30, tilt_towards_deg=80), rng).picture)
    )
    assert isinstance(read, Reading)
    assert read.puzzle == completions.Puzzle(8, cells)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [34003])
def test_the_crowns_of_a_photographed_diagram_are_seen_from_near_by(seed: int) -> None:
    """Balls on thin stalks, and spikes in grain, run into one another from afar; then nothing tells what is up."""
    sample = sample_of("queens-photos", seed)
    read = as_queens(Photo(sample.picture))
    assert isinstance(read, Reading)
    assert sorted(read.puzzle.queens) == sorted(map(tuple, sample.truth["queens"]))
    assert not read.doubts


@pytest.mark.parametrize("what", ["a shade on a corner of the board", "numbers whose strokes ran together"])
def test_what_is_no_figure_leaves_a_knight_alone(what: str) -> None:
    photo = board({(5, 3): "knight"})
    spoilt = photo.bgr.copy()
    place = chequers.find(photo, Aids())[0].to_photo  # type: ignore[index]
    if "shade" in what:
        corners = np.rint(place([(0, 0), (2.6, 0), (0, 2.6)])).astype(np.int32)
        shade = cv2.fillConvexPoly(np.zeros(spoilt.shape[:2], np.uint8), corners, 1)
        spoilt[shade > 0] = (0.6 * spoilt[shade > 0]).astype(np.uint8)
    else:
        for row, col in ((1, 1), (2, 6), (6, 5)):
            digits = [(0.3, 0.3), (0.66, 0.3), (0.7, 0.7), (0.46, 0.7), (0.46, 0.55), (0.3, 0.5)]
            outline = np.rint(place(np.array(digits) + np.array([col, row]))).astype(np.int32)
            cv2.fillPoly(spoilt, [outline], (40, 40, 200))
    read = as_knight(Photo(spoilt))
    assert isinstance(read, Reading), read
    assert read.puzzle == tours.Puzzle(8, 8, (5, 3))
    assert not read.doubts


@pytest.mark.parametrize(
    "seed",
    [
        pytest.param(41066, id="low ones"),
        pytest.param(42216, id="as wide as their squares"),
        pytest.param(42844, id="white on a highlight", marks=pytest.mark.slow),
        pytest.param(42992, id="so wide that her white is taken for her square's", marks=pytest.mark.slow),
    ],
)
def test_every_queen_of_a_kind_is_seen(seed: int) -> None:
    """Without the points that opening costs it a low crown is a dot, and thin outlines of white hardly differ."""
    sample = sample_of("queens-screens", seed)
    read = as_queens(Photo(sample.picture))
    assert isinstance(read, Reading)
    assert sorted(read.puzzle.queens) == sorted(map(tuple, sample.truth["queens"]))
    assert not read.doubts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "seed"),
    [
        pytest.param("queens-photos", 34008, id="a mark of the board like a piece"),
        pytest.param("queens-screens", 40410, id="white on white, of few pixels"),
        pytest.param("queens-screens", 80318, id="white on white, blurred"),
    ],
)
def test_queens_that_can_hardly_be_seen_are_in_doubt_and_not_overlooked(name: str, seed: int) -> None:
    sample = sample_of(name, seed)
    read = as_queens(Photo(sample.picture))
    assert isinstance(read, Reading)
    assert set(map(tuple, sample.truth["queens"])) <= set(read.puzzle.queens)
    assert read.doubts or len(read.puzzle.queens) == len(sample.truth["queens"])


@pytest.mark.parametrize(
    "seed", [40128, 40141, 69016], ids=["grain clings to a dot", "squares that hardly differ", "a white one on white"]
)
def test_a_knight_is_seen_beside_dots_and_where_little_differs(seed: int) -> None:
    sample = sample_of("knight-screens", seed)
    read = as_knight(Photo(sample.picture))
    assert isinstance(read, Reading)
    assert read.puzzle.start == tuple(sample.truth["start"])
    assert not read.doubts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "quality"),
    [
        pytest.param(40033, 80, id="blocks are no queens"),
        pytest.param(40048, 80, id="on a highlight she hides"),
        pytest.param(85063, 66, id="points are lost"),
        pytest.param(85068, 92, id="blocks of a whole square"),
        pytest.param(85017, 68, id="flat colours rounded"),
        pytest.param(85137, 76, id="a coordinate at her foot"),
        pytest.param(85158, 77, id="points on her feet"),
        pytest.param(96004, 74, id="dots"),
        pytest.param(96013, 62, id="numbers in blocks"),
        pytest.param(96154, 76, id="a dot in blocks"),
    ],
)
def test_queens_are_seen_in_a_jpeg(seed: int, quality: int) -> None:
    """Blocks differ from the square everywhere along its rim, as a white queen on white does."""
    sample, photo = in_jpeg("queens-screens", seed, quality)
    read = as_queens(photo)
    assert isinstance(read, Reading)
    assert sorted(read.puzzle.queens) == sorted(map(tuple, sample.truth["queens"]))
    assert not read.doubts


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "quality"),
    [
        pytest.param(96007, 87, id="grain clings to an outline"),
        pytest.param(96023, 61, id="squares in two shades"),
        pytest.param(96092, 91, id="an outline is no mark in blocks"),
        pytest.param(96136, 74, id="flat colours rounded"),
    ],
)
def test_a_knight_is_seen_in_a_jpeg(seed: int, quality: int) -> None:
    sample, photo = in_jpeg("knight-screens", seed, quality)
    read = as_knight(photo)
    assert isinstance(read, Reading)
    assert read.puzzle.start == tuple(sample.truth["start"])
    assert not read.doubts


@pytest.mark.slow
@pytest.mark.parametrize("seed", [40319, 80572])
def test_numbers_that_grain_holds_together_are_no_pieces(seed: int) -> None:
    read = as_queens(Photo(sample_of("queens-screens", seed).picture))
    assert isinstance(read, Reading)
    assert not read.doubts


@pytest.mark.slow
def test_small_crowns_are_seen_on_squares_that_hardly_differ() -> None:
    """There the blur around a piece differs as much as counts."""
    read = as_queens(Photo(sample_of("queens-screens", 42320).picture))
    assert isinstance(read, Reading)
    assert not read.doubts


def test_queens_that_are_plainly_seen_make_a_chessboard() -> None:
    """Highlights and queens leave little of a board of four by four."""
    read = as_queens(Photo(sample_of("queens-screens", 42133).picture))
    assert isinstance(read, Reading)
    assert not read.doubts


@pytest.mark.slow
def test_a_low_knight_upside_down_is_no_queen() -> None:
    """His mane has two points then, as a crown."""
    read = as_queens(Photo(sample_of("knight-screens", 54001).picture))
    assert isinstance(read, NotFound) or read.doubts


def test_small_chequers_are_not_taken_for_fewer_large_ones() -> None:
    scene = chess.Scene(16, 16, {}, theme="black and white", device="phone", clutter=True)
    places = chequers.find(Photo(chess.draw(np.random.default_rng(7), scene).picture), Aids())
    assert [place.size for place in places] == [(16, 16)]


def test_a_board_that_shows_nothing_but_grain_is_not_called_empty() -> None:
    photo = board({}, theme="faint")
    noise = np.random.default_rng(5).normal(0, 6, photo.bgr.shape)
    grainy = as_queens(Photo(np.clip(photo.bgr + noise, 0, 255).astype(np.uint8)))
    assert isinstance(grainy, Reading)
    assert "too grainy" in grainy.doubts[-1].why


def test_queens_on_chequers_are_no_regions_of_one_cell_each() -> None:
    cells = ((0, 7), (1, 0), (2, 6), (3, 2), (4, 8), (5, 5), (6, 1), (7, 3), (8, 9), (9, 4))
    scene = chess.Scene(10, 10, dict.fromkeys(cells, "queen"), style="spikes", coordinates="inside")
    photo = Photo(chess.draw(np.random.default_rng(7), scene).picture)
    for place in queens.find(photo, Aids(thorough=False)):
        read = queens.read(photo, place, Aids())
        assert isinstance(read, NotFound) or read.puzzle.regions is None


def test_an_empty_board_is_one_for_queens() -> None:
    photo = board({}, clutter=True, coordinates="inside")
    read = as_queens(photo)
    assert isinstance(read, Reading)
    assert read.puzzle == completions.Puzzle(8)
    refused = as_knight(photo)
    assert isinstance(refused, NotFound)
    assert "no knight" in refused.reason


@pytest.mark.parametrize("other", sorted(OTHERS))
def test_other_pieces_are_refused(other: str) -> None:
    photo = board({(3, 3): other})
    queens, knight = as_queens(photo), as_knight(photo)
    assert isinstance(queens, NotFound)
    assert isinstance(knight, NotFound)
    assert queens.game, "the one who is asked first says that it is another game"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("other", "look"),
    [
        pytest.param("pawn", {"style": "balls", "size": 0.71}, id="with a third of her area"),
        pytest.param("bishop", {"style": "spikes", "size": 0.82}, id="as slim and high as she is"),
        pytest.param(
            "rook",
            {"style": "solid sign", "size": 0.71, "theme": "purple", "stretch": 1.07},
            id="low, and nearly the same upside down",
        ),
        pytest.param(
            "king", {"style": "slender", "size": 0.95, "theme": "faint", "stretch": 1.1}, id="like her up to his cross"
        ),
    ],
)
def test_another_piece_beside_queens_is_seen(other: str, look: dict[str, object]) -> None:
    photo = board({(1, 2): "queen", (2, 5): "queen", (4, 4): other}, **{"white": False, **look})
    read = as_queens(photo)
    assert isinstance(read, NotFound) or [doubt.cell for doubt in read.doubts] == [(4, 4)]


@pytest.mark.slow
def test_pawns_upside_down_are_no_queens_that_lost_their_points() -> None:
    """A camera turns a board round, and their feet are as wide as her head."""
    upright = board(dict.fromkeys([(0, 1), (2, 4), (5, 3), (6, 6)], "pawn"), style="slender", theme="print")
    photo = Photo(np.ascontiguousarray(upright.bgr[::-1, ::-1]))
    assert isinstance(as_queens(photo), NotFound)


def test_two_knights_and_mixed_pieces_are_refused() -> None:
    two = board({(0, 0): "knight", (3, 4): "knight"})
    mixed = board({(0, 0): "queen", (3, 4): "knight"})
    for read in (as_knight(two), as_queens(two), as_knight(mixed), as_queens(mixed)):
        assert isinstance(read, NotFound)


@pytest.mark.slow
def test_what_the_user_says_counts() -> None:
    photo = board({(3, 3): "pawn", (5, 5): "queen"})
    read = as_queens(photo, Aids(given={(3, 3): "", (0, 7): "Q"}))
    assert isinstance(read, Reading)
    assert read.puzzle.queens == ((0, 7), (5, 5))
    tour = as_knight(photo, Aids(given={(3, 3): "N", (5, 5): ""}, wishes=frozenset({"closed"})))
    assert isinstance(tour, Reading)
    assert tour.puzzle == tours.Puzzle(8, 8, (3, 3), closed=True)


def test_the_pose_of_a_camera_is_recovered() -> None:
    eye, target = np.array([2.0, 14.0, 9.0]), np.array([4.0, 4.0, 0.0])
    ahead = (target - eye) / np.linalg.norm(target - eye)
    # The board's axes are x right, y down, height up: left-handed, so the cross product is turned round.
    right = -np.cross(ahead, (0, 0, 1))
    right /= np.linalg.norm(right)
    turn = np.array([right, -np.cross(right, ahead) * -1, ahead])
    if turn[1] @ (0, 0, 1) > 0:
        turn[1] *= -1
    camera = np.array([(900.0, 0, 499.5), (0, 900.0, 399.5), (0, 0, 1)]) @ np.column_stack([turn, -turn @ eye])
    seen = pose(FlatPlacement(camera[:, [0, 1, 3]], (8, 8)), (1000, 800))
    assert seen.eye == pytest.approx(eye, abs=1e-6)
    top = camera @ (3, 5, 1.7, 1)
    assert seen.to_photo([(3, 5, 1.7)])[0] == pytest.approx(top[:2] / top[2], abs=1e-6)
