"""One piece that stands on a real board: where its foot is, and whether it is a queen or a knight.

Seen from the side a piece hides the squares behind it. Its foot is found first (:mod:`vision.chessboards.feet`), on the
ground as it should be (:mod:`vision.chessboards.ground`), then its outline (:mod:`vision.chessboards.outlines`), and
what both hide is explained; the next piece is looked for in the rest. Of the places that may be feet the one is taken
behind which a network sees one kind of piece plainly (:mod:`vision.chessboards.likeness`); where none explains what is
seen the network looks all over the squares on which there is something. It tells queens from knights as well, and so
does the outline: a queen is half as tall again as a knight, and her head is wide up to its top.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from solvers.board import Cell
from solvers.message import Message
from vision.chessboards import feet, likeness
from vision.chessboards.chequers import ChequeredPlacement
from vision.chessboards.figures import SURE, Guess, Name
from vision.chessboards.ground import Ground
from vision.chessboards.outlines import Outline, heights, outline
from vision.chessboards.screens import SCREEN_PX, steepness
from vision.pictures.camera_pose import Pose
from vision.pictures.medians import median
from vision.pictures.photo import Photo, Picture

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

UPPER = 0.7
"""The upper part of a piece, above its foot."""

SHIFTED = 5
"""How far the axis of a shape may lie off the middle, in half pixels of the screen."""

QUEEN_TALL, KNIGHT_TALL = 1.31, 1.22
"""Heights in squares, as they are seen: queens are taller than the first, knights no taller than the second. Seen from
above the far rim of a crown is higher up in the picture than its points."""

QUEEN_LEAST, KNIGHT_MOST, SEEN_ASIDE = 1.0, 1.45, 65.0
"""Heights that no queen is below and no knight above where it is seen from no more degrees: queens have 1.07 and more,
knights 1.35 and less. In a photo of a photo the camera is not where it seems to be, and heights are any."""

BEYOND_DOUBT = 0.9
"""Chance that the network gives to a kind from which on it is one whatever its height: an outline may run away."""

KINGLIKE, CROSS = 0.32, 0.39
"""What the network sees of a king, of a king and a queen, and the tip of an outline, of its foot's width: above the
first and below the second it may be a king's cross."""

QUEEN_TIP, QUEEN_HEAD = 0.3, 0.36
"""Least widths of a queen's tip and head, of her foot's. A king's cross and a knight's ear are narrower, mostly."""

LOPSIDED = 0.868
"""Overlap with its mirror image up to which a piece is lopsided: knights from the side. What is turned on a lathe has
0.87 and more."""

SKEWED = 0.8
"""Overlap with its mirror image up to which what is as tall as a queen may be a knight: from the side knights have 0.75
and less."""

TAPERS, FRONT_HEAD, FRONT_TALL = 1.12, 0.42, 0.86
"""A knight seen from the front tapers upwards, has a narrow head and is no pawn: at most so much bulge, at most so
wide a head, at least so tall."""

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

CREST = 0.6
"""Part of a knight's head that must be seen to be no board, where the head of a queen may be lost; knights have 0.68
and more."""

BROADEST = 0.66
"""Width of a head, of the foot's, above which it is a rook's, or two pieces'; knights have up to 0.64."""

INSIDE = 0.06
"""A foot's middle nearer to the border of its square than this may stand on the other side."""

STEEP = 72.0
"""Angle of view in degrees from which the heights of pieces cannot be seen any more."""


RARE = 0.1
"""How much rarer than the network was taught other pieces than queens and knights are: people send these puzzles."""

SAID: Mapping[tuple[Name, bool], tuple[float, float, float, float]] = {
    ("queen", True): (0.55, 0.04, 0.5, 0.1),
    ("queen", False): (0.4, 0.33, 0.45, 0.38),
    ("knight", True): (0.02, 0.55, 0.02, 0.27),
    ("knight", False): (0.03, 0.08, 0.03, 0.25),
}
"""How often the outlines of queens, knights, kings and others say so, and whether they agree on it: of some 400 drawn
pieces. A king has a queen's outline, mostly."""

STEPS = [np.array([x, y]) * far for far in (0.05, 0.09) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))] + [np.zeros(2)]
"""Places around a foot from which a piece is looked at as well, in squares."""

SEEN_AS = 0.4
"""Least chance that the network itself gives to what a piece is taken for: half of a white queen on white squares has a
knight's outline."""

UNKNOWN = 1e-3
"""What the network may be wrong by where it rules a kind out."""

EPSILON = 1e-4
"""A chance that is no smaller: one look does not rule a kind out."""


@dataclass(frozen=True, eq=False)
class Standing:
    """A piece on a real board.

    Attributes:
        cell: the square of its foot.
        inside: how far the foot is from the border of its square, in squares; 0.5 is the middle.
        radius: of its foot, in squares.
        steep: the angle from which it is seen, in degrees; 90 is from above.
        tall: its height in squares, as it is seen from there.
        tip: its usual width in the topmost tenth, of its foot's.
        head: its usual width in the sixth below that, of its foot's.
        alike: overlap of its upper part with its mirror image, 0..1; knights alone are lopsided.
        bulge: how much wider it gets on the way up, at most; 1 where it only tapers.
        crest: part of its upper third where something is seen, 0..1; elsewhere it has the colour of the board.
        out: how far it is seen to hide other squares, in squares.
        likely: what the network takes it for: queen, knight, king, another piece, no piece; they add up to 1.
        shape: its silhouette on the screen, ``bool (H, W)``.
        seen: the screen, ``uint8 (H, W, 3)``.
    """

    cell: Cell
    inside: float
    radius: float
    steep: float
    tall: float
    tip: float
    head: float
    alike: float
    bulge: float
    crest: float
    out: float
    likely: Likely
    shape: Mask
    seen: Picture


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
        drawn = outline(photo, placement, camera, rest, foot)
        disc = foot.at + foot.radius * _DISC
        rest = rest.without(np.concatenate([drawn.hides, disc]), AROUND)
        piece = _measured(foot, camera, drawn, likely)
        if piece is not None:
            yield piece


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
    seen = np.stack([likeness.seen_at(photo, placement, camera, rest, at) for at in places])
    return [_classes(each) for each in likeness.likely(seen)]


def _around(photo: Photo, placement: ChequeredPlacement, camera: Pose, rest: Ground, foot: feet.Foot) -> Likely:
    """What is seen on a foot and close around it, as it is and in a mirror, taken together: single looks err more."""
    seen = np.stack([likeness.seen_at(photo, placement, camera, rest, foot.at + step) for step in STEPS])
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


def _measured(foot: feet.Foot, camera: Pose, found: Outline, likely: Likely) -> Standing | None:
    """The measures of a silhouette; None where nothing is left of it."""
    rows = np.nonzero(found.shape.any(axis=1))[0]
    if not len(rows):
        return None
    body = found.shape[rows[0] : rows[-1] + 1]
    width = body.sum(axis=1) / SCREEN_PX / (2 * foot.radius)
    ends = [round(part * len(width)) for part in (0.02, 0.1, 0.25)]
    tip, head = (median(width[a : max(b, a + 1)]) for a, b in pairwise(ends))
    cell = int(foot.at[1]), int(foot.at[0])
    beyond = np.abs(found.hides - (cell[1] + 0.5, cell[0] + 0.5)).max(axis=1) - 0.5
    steep = float(np.rad2deg(steepness(camera, foot.at)))
    inside = float(0.5 - np.abs(foot.at - np.floor(foot.at) - 0.5).max())
    tall = float(heights(found.shape)[rows[0]] + 0.5 / SCREEN_PX)
    return Standing(
        cell, inside, foot.radius, steep, tall, tip, head, _alike(body[: round(UPPER * len(body))]), _bulge(width),
        found.crest, float(np.quantile(beyond, 0.98)), likely, found.shape, found.seen,
    )  # fmt: skip


def _alike(upper: Mask) -> float:
    """The overlap of a shape with its mirror image, about the best upright axis near the middle, 0..1."""
    best = 0.0
    for shift in range(-SHIFTED, SHIFTED + 1):
        mirrored = np.roll(upper[:, ::-1], shift, axis=1)
        best = max(best, float((upper & mirrored).sum() / max(1, (upper | mirrored).sum())))
    return best


def _bulge(width: Floats) -> float:
    """How many times wider than below a piece gets, from its tip downwards; 1 where it only gets wider."""
    smooth = np.convolve(np.pad(width, 2, mode="edge"), np.full(5, 0.2), mode="valid")
    first, last, end = (round(part * len(width)) for part in (0.08, 0.6, 0.85))
    narrowest = np.minimum.accumulate(smooth[:end][::-1])[::-1]
    return float(max(1.0, (smooth[first:last] / np.maximum(narrowest[first:last], 1 / SCREEN_PX)).max(initial=1.0)))


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
    """Queen or knight by what the network and the outline say; doubtful where one of them may be right, or none."""
    if piece.inside < INSIDE:
        return Guess("other", 0.4, "its foot is on the line between two squares")
    name: Name = max(("queen", "knight"), key=lambda each: chance(piece, each))
    sure = chance(piece, name) if _may_be(piece, name) else 0.5
    if sure >= SURE and piece.likely[0 if name == "queen" else 1] >= SEEN_AS:
        return Guess(name, sure)
    why = Message("it looks like a {name}, but it may be another piece", name=name)
    return Guess(name, min(sure, 0.5), why, either=True)


def _may_be(piece: Standing, name: Name) -> bool:
    """Whether neither its height nor what may be a king's cross speaks plainly against it."""
    queen, knight, king, *_ = piece.likely
    if name == "knight":
        return piece.tall < KNIGHT_MOST or piece.steep > SEEN_ASIDE or knight > BEYOND_DOUBT
    crossed = king > (KINGLIKE if piece.tip < CROSS else 0.5) * (queen + king)
    return not crossed and (piece.tall > QUEEN_LEAST or queen > BEYOND_DOUBT)


def chance(piece: Standing, name: Name) -> float:
    """How likely a piece is of this kind by its looks and its outline, 0..1."""
    prior = (1.0, 1.0, RARE, RARE)
    queen, knight, *others = (
        part * (looks + UNKNOWN) * said
        for part, looks, said in zip(prior, piece.likely[:4], SAID[_by_outline(piece)], strict=True)
    )
    each = {"queen": queen, "knight": knight, "other": sum(others)}
    return each[name] / sum(each.values())


def _by_outline(piece: Standing) -> tuple[Name, bool]:
    """Queen or knight by height and head, and whether the two agree."""
    queenly = piece.tip > QUEEN_TIP and piece.head > QUEEN_HEAD and piece.tall > KNIGHT_TALL
    if queenly and piece.alike > SKEWED and piece.head < BROADEST:
        return "queen", piece.steep < STEEP
    if queenly or piece.tall > QUEEN_TALL or piece.crest < CREST or piece.head > BROADEST:
        return "queen", False
    front = piece.bulge < TAPERS and piece.head < FRONT_HEAD and piece.tall > FRONT_TALL
    return "knight", piece.steep < STEEP and (piece.alike < LOPSIDED or front)
