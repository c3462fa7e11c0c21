"""One piece that stands on a real board: where its foot is, and whether it is a queen or a knight.

Seen from the side a piece hides the squares behind it. Its foot is found first (:mod:`vision.chessboards.feet`), on the
ground as it should be (:mod:`vision.chessboards.ground`), then its outline (:mod:`vision.chessboards.outlines`), and
what both hide is explained; the next piece is looked for in the rest. Of the places that may be feet the one is taken
behind which a network sees one kind of piece plainly (:mod:`vision.chessboards.likeness`); where none explains what is
seen the network looks all over the squares on which there is something. It tells queens from knights as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from solvers.message import Message
from vision.chessboards import feet, likeness
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.figures import SURE, Guess, Name
from vision.chessboards.ground import Ground
from vision.chessboards.outlines import hidden_by
from vision.pictures.camera_pose import Pose
from vision.pictures.photo import Photo

Mask = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]
Likely = tuple[float, float, float, float, float]
"""How likely a queen, a knight, a king, another piece, and no piece is."""

MOST = 8
"""Pieces that are looked for at most: as many queens stand on a board of eight."""

AROUND = 0.15
"""What lies so near a piece is explained by it, in squares: its blurred edge, a lighter part of its head."""

OUT = 0.06
"""How far, in squares, a piece must be seen to hide another square: what stays within its own may be printed on it. Of
what stays away from the border by as much nobody knows, whatever it looks like: printed figures have a margin."""

PRINTED = 0.03
"""Chance from which on the network sees no piece: of what is printed it is hardly ever so sure as of the others."""

NOTHING, FAINTEST = 0.4, 0.05
"""Where the network sees nothing so likely no piece stands, nor where a foot explains less than the second, in squares
of the view."""

PLAINLY, KINGLY = 0.5, 0.5
"""What it counts that one kind of piece is plainly seen, beside what a foot explains, as a power; and which part of a
king counts as a queen there: on a foot that is a little too far away a queen looks plainly like one."""

UNSEEN = 0.03
"""What speaks for a piece where there may be one; on empty boards up to a tenth of that does."""

NOTHING_ELSE = 0.15
"""The same for a second piece."""

MOST_SEARCHED = 12
"""Squares that are searched at most where no foot explains what is seen: those that differ most from bare ones."""

NEAR, USUAL = 0.3, 0.3
"""Distance in squares up to which what is plainly seen is the same piece, and the usual radius of a foot."""

INSIDE = 0.06
"""A foot's middle nearer to the border of its square than this may stand on the other side."""

RARE = 0.2
"""How much rarer other pieces than queens and knights are than the network was taught: people send these puzzles, but
the network is surer than it is right of what is none of them."""

STEPS = [np.array([x, y]) * far for far in (0.05, 0.09) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))] + [np.zeros(2)]
"""Places around a foot from which a piece is looked at as well, in squares."""

EPSILON = 1e-4
"""A chance that is no smaller: one look does not rule a kind out."""


@dataclass(frozen=True)
class Standing:
    """A piece on a real board.

    Attributes:
        cell: the square of its foot.
        inside: how far the foot is from the border of its square, in squares; 0.5 is the middle.
        out: how far it is seen to hide other squares, in squares.
        likely: what the network takes it for: queen, knight, king, another piece, no piece; they add up to 1.
    """

    cell: Cell
    inside: float
    out: float
    likely: Likely


def pieces(photo: Photo, placement: ChequeredPlacement, camera: Pose, rest: Ground) -> Iterator[Standing]:
    """What stands on the board at ``placement``, whose ground is ``rest``, the plainest first."""
    for number in range(MOST):
        found = _plainest(photo, placement, camera, rest)
        if found is not None and (evidence(*found) < FAINTEST or found[1][-1] > NOTHING):
            found = None
        if found is None and not number:
            found = _searched(photo, placement, camera, rest)
        if found is None or (number and not _is_another(*found)):
            return
        foot, likely = found
        likely = _around(photo, placement, camera, rest, foot)
        hides = hidden_by(photo, placement, camera, rest, foot)
        disc = foot.at + foot.radius * _DISC
        rest = rest.without(np.concatenate([hides, disc]), AROUND)
        if len(hides):
            yield _measured(foot, hides, likely)


def may_stand(photo: Photo, placement: ChequeredPlacement, camera: Pose, rest: Ground) -> bool:
    """Whether a piece may stand there, though it is not plainly seen: a black one on a black square."""
    found = _plainest(photo, placement, camera, rest)
    return found is not None and evidence(*found) > UNSEEN


def evidence(foot: feet.Foot, likely: Likely) -> float:
    """How much speaks for a piece on a foot, in squares of the view."""
    return (1 - likely[-1]) * foot.score


def plainness(foot: feet.Foot, likely: Likely) -> float:
    """How much speaks for a foot among others: more where one kind of piece is plainly seen on it.

    Feet that lie half a square apart, one behind the other, may explain what is hidden equally well; on the wrong ones
    the network sees a bit of everything.
    """
    queen, knight, king, other, _ = likely
    return float(evidence(foot, likely) * max(queen + KINGLY * king, knight, other) ** PLAINLY)


def _is_another(foot: feet.Foot, likely: Likely) -> bool:
    """Whether what is seen beside a piece is one as well, and not its shadow or its mirror image."""
    return foot.sure and likely[-1] < NOTHING_ELSE


def _plainest(
    photo: Photo, placement: ChequeredPlacement, camera: Pose, rest: Ground
) -> tuple[feet.Foot, Likely] | None:
    """The foot that is most likely one, and what is seen on it; None where nothing is."""
    tried = feet.guesses(rest, camera)
    if not tried:
        return None
    likely = _looked_at(photo, placement, camera, rest, [foot.at for foot in tried])
    return max(zip(tried, likely, strict=True), key=lambda found: plainness(*found))


def _searched(
    photo: Photo, placement: ChequeredPlacement, camera: Pose, rest: Ground
) -> tuple[feet.Foot, Likely] | None:
    """A piece that is plainly seen on a square, though no foot explains what is hidden; None where there is none.

    One in the last row hides what is beyond the board, and her foot has the colour of her square; before one on a
    glossy board lies her mirror image.
    """
    cells = rest.changed()[:MOST_SEARCHED]
    places = [np.array([c, r]) + step for r, c in cells for step in _SPREAD]
    if not places:
        return None
    likely = _looked_at(photo, placement, camera, rest, places)
    plain = np.array([max(queen + KINGLY * king, knight, other) * (1 - none)
                      for queen, knight, king, other, none in likely])  # fmt: skip
    best = int(plain.argmax())
    if likely[best][-1] >= PRINTED:
        return None
    near = np.linalg.norm(np.array(places) - places[best], axis=1) < NEAR
    at = (np.array(places) * (near * plain)[:, None]).sum(axis=0) / (near * plain).sum()
    closer = feet.around(at, rest, camera)
    if closer.score < FAINTEST or np.linalg.norm(closer.at - at) > NEAR:
        closer = feet.Foot(at, USUAL, 0.0)
    return closer, likely[best]


def _looked_at(
    photo: Photo, placement: ChequeredPlacement, camera: Pose, rest: Ground, places: Sequence[Floats]
) -> list[Likely]:
    """What the network sees at places on the board."""
    seen = np.stack([likeness.features_at(photo, placement, camera, rest, at) for at in places])
    return [_classes(each) for each in likeness.likely(seen)]


def _around(photo: Photo, placement: ChequeredPlacement, camera: Pose, rest: Ground, foot: feet.Foot) -> Likely:
    """What is seen on a foot and close around it, as it is and in a mirror, taken together: single looks err more."""
    seen = np.stack([likeness.features_at(photo, placement, camera, rest, foot.at + step) for step in STEPS])
    logs = np.log(likeness.likely(np.concatenate([seen, likeness.mirrored(seen)])) + EPSILON).mean(axis=0)
    return _classes(np.exp(logs) / np.exp(logs).sum())


def _classes(each: npt.NDArray[np.float32]) -> Likely:
    """The classes of the network as they matter here."""
    queen, knight, king, *others, nothing = each.tolist()
    return queen, knight, king, sum(others), nothing


def _disc() -> Floats:
    """Points all over a disc of radius 1, ``(N, 2)``."""
    side = np.linspace(-1, 1, 15)
    points = np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    return np.asarray(points[np.linalg.norm(points, axis=1) <= 1])


_DISC = _disc()

_SPREAD = [np.array([x, y]) for x in (0.125, 0.375, 0.625, 0.875) for y in (0.125, 0.375, 0.625, 0.875)]
"""Places spread over a square: from each the network sees what stands near it."""


def _measured(foot: feet.Foot, hides: Floats, likely: Likely) -> Standing:
    """A piece that hides these places on the board, ``(N, 2)``, in squares."""
    cell = int(foot.at[1]), int(foot.at[0])
    beyond = np.abs(hides - (cell[1] + 0.5, cell[0] + 0.5)).max(axis=1) - 0.5
    inside = float(0.5 - np.abs(foot.at - np.floor(foot.at) - 0.5).max())
    return Standing(cell, inside, float(np.quantile(beyond, 0.98)), likely)


def stands(piece: Standing) -> bool:
    """Whether a piece is seen to stand on the board: by what it hides, or, from above, by its looks."""
    return piece.likely[-1] <= NOTHING and (piece.out > OUT or is_plain(piece))


def is_plain(piece: Standing) -> bool:
    """Whether a piece looks plainly like a queen or a knight, and not like a printed one."""
    return judge(piece).confidence >= SURE and leans(piece)


def leans(piece: Standing) -> bool:
    """Whether a piece looks unlike a printed one, and does not keep the margin in its square that these have."""
    return piece.likely[-1] < PRINTED and piece.out > -OUT


def judge(piece: Standing) -> Guess:
    """Queen or knight by what the network says; doubtful where one of them may be right, or none."""
    if piece.inside < INSIDE:
        return Guess("other", 0.4, "its foot is on the line between two squares")
    queen, knight, king, other, _ = piece.likely
    total = queen + knight + RARE * (king + other)
    name: Name = "queen" if queen >= knight else "knight"
    sure = max(queen, knight) / total
    if sure >= SURE:
        return Guess(name, sure)
    why = Message("it looks like a {name}, but it may be another piece", name=name)
    return Guess(name, min(sure, 0.5), why, either=True)
