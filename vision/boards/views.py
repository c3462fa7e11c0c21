"""In which order a photo is looked at from straight above: the looks that most speaks for come first.

The grain of a table, the weave of cloth and moire have directions of their own, and more strokes than a board of which
patches hide the lines. So the view along which most strokes run may be the table's. But a page, a screen or a board is
a component of edges with four straight sides (:mod:`vision.boards.quads`): in the view of its own sheet these stand
upright to a fraction of a degree, in any other they lean. Where none of the views is right, a board and its page still
tell each other: each stands upright in the picture of the other.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from vision.boards.frontal import View, frontal_views
from vision.boards.quads import is_photo, quads
from vision.pictures.photo import Photo
from vision.pictures.placement import FlatPlacement, through

Floats = npt.NDArray[np.float64]

MOST_COMPONENTS = 4
"""Four-sided components of a photo that are looked at: the board, its page, pictures and boxes beside it."""

IN_VIEW = 0.2
"""Part of a photo's strokes that run along or across a view where it shows a board, at least, unless a component stands
upright in it: beside woven cloth or the grain of a table, the strokes of a board are a third of all, and those of one
that is filled a quarter."""

PLAINLY = 0.6
"""A view along or across which this part of the strokes runs is that of a board or its page, and components are not
asked: those of tables reach half."""

STANDS_DEG = 1.0
"""A component stands upright where none of its sides leans by more: by 0.7 at most in a view of its own sheet, by 2 and
more in any other."""

RIM = 0.01
"""A component of which a corner lies nearer to the rim of the photo than this part of its longer side, or beyond it, is
cut off there: that side is none of its own."""


class RankedView(NamedTuple):
    """A look at a photo from straight above.

    Attributes:
        at: a view, or the corners of a four-sided component of edges: ``float64 (4, 2)``, in pixels of the photo.
        is_likely: whether something says that it is a board's.
    """

    at: View | Floats
    is_likely: bool


def ranked_view(photo: Photo, index: int) -> RankedView | None:
    """The look with this number, the most promising first; None where there are no more.

    Views in which a component stands upright come first, then components that stand upright in those or in each other's
    pictures.
    """
    views = photo.derive(frontal_views)
    if index == 0 and views and views[0].share >= PLAINLY:
        return RankedView(views[0], True)
    ranked = photo.derive(_ranked_views)
    return ranked[index] if index < len(ranked) else None


def _ranked_views(photo: Photo) -> list[RankedView]:
    """All looks in their order; within a rank likely views, and large components, come first."""
    views, components = photo.derive(frontal_views), photo.derive(quads)[:MOST_COMPONENTS]
    whole = [corners for corners in components if not _is_cut_off(photo, corners)]
    own = [any(_stands(view.matrix, corners) for corners in whole) for view in views]
    own[:1] = [own[0] or views[0].share >= PLAINLY] if views else []
    sheets = [view.matrix for view, is_own in zip(views, own, strict=True) if is_own]
    framed = [
        any(_stands(matrix, corners) for matrix in sheets) or _is_framed(corners, whole) for corners in components
    ]
    told = max((view.share for view in views), default=0.0) >= IN_VIEW
    alone = not views and is_photo(photo)
    ranked = [(0 if is_own else 2, RankedView(view, is_own or told)) for view, is_own in zip(views, own, strict=True)]
    ranked += [
        (1 if nested else 2, RankedView(component, nested or alone))
        for component, nested in zip(components, framed, strict=True)
    ]
    return [view for _, view in sorted(ranked, key=lambda each: each[0])]


def _is_framed(corners: Floats, components: Sequence[Floats]) -> bool:
    """Whether another of the components stands upright in the picture of one of them."""
    others = [other for other in components if other is not corners]
    own = any(other is corners for other in components)
    return own and any(_stands(FlatPlacement.from_corners(corners, (1, 1)).matrix, other) for other in others)


def _is_cut_off(photo: Photo, corners: Floats) -> bool:
    """Whether a component reaches to the rim of the photo, or beyond."""
    return not photo.holds(corners, beyond=-RIM * max(photo.width, photo.height)).all()


def _stands(matrix: Floats, corners: Floats) -> bool:
    """Whether the sides of a component are upright and level in the picture from which a homography leads to the
    photo.
    """
    flat = through(np.asarray(np.linalg.inv(matrix), dtype=np.float64), corners)
    sides = np.abs(np.roll(flat, -1, axis=0) - flat)
    return bool((sides.min(axis=1) <= np.sin(np.deg2rad(STANDS_DEG)) * np.linalg.norm(sides, axis=1)).all())
