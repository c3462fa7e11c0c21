"""A picture in memory, and what is computed from it once and used by many.

Several kinds look at the same picture, and most of them want it in grey, or smaller, or want the same grid found in it.
:meth:`Photo.derive` computes such a thing at most once for each picture.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import cv2
import numpy as np
import numpy.typing as npt

from solvers.budget import Budget

P = TypeVar("P")
T = TypeVar("T")

Picture = npt.NDArray[np.uint8]
"""``uint8``, ``(H, W)`` grey or ``(H, W, 3)`` in OpenCV's order blue, green, red."""


@dataclass(frozen=True, eq=False)
class Photo:
    """A decoded picture, as a viewer shows it (after its EXIF turn).

    Attributes:
        bgr: ``uint8 (H, W, 3)``; nobody writes into it.
        path: where it came from, for messages; ``-`` for standard input, empty for an array.
        scale: pixels here per pixel of the file (1.0 unless it was reduced).
        budget: what looking at it may take. Whatever is computed from a picture asks, so that no look goes on and on.
    """

    bgr: Picture
    path: str = ""
    scale: float = 1.0
    budget: Budget = field(default_factory=Budget, repr=False)
    _derived: dict[Any, Any] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        """Guard the pixels against drawing in place."""
        self.bgr.flags.writeable = False

    @property
    def height(self) -> int:
        """Rows of pixels."""
        return int(self.bgr.shape[0])

    @property
    def width(self) -> int:
        """Columns of pixels."""
        return int(self.bgr.shape[1])

    @property
    def gray(self) -> Picture:
        """The picture in grey, ``uint8 (H, W)``."""
        return self.derive(_gray)

    def __reduce__(self) -> "tuple[type[Photo], tuple[Picture, str, float]]":
        """Travels between processes without its budget and without what was computed from it."""
        return Photo, (self.bgr, self.path, self.scale)

    def holds(self, points: npt.NDArray[np.floating], beyond: float = 0.0) -> npt.NDArray[np.bool_]:
        """Which points ``(N, 2)`` lie between the middles of its outermost pixels, or so many pixels further out."""
        last = np.array([self.width, self.height]) - 1
        return np.asarray(((points >= -beyond) & (points <= last + beyond)).all(axis=1))

    def derive(self, compute: Callable[["Photo"], T]) -> T:
        """``compute(self)``, computed at most once for each picture and function.

        Raises:
            BudgetSpentError: the time for the picture is up.
        """
        self.budget.spend(0)
        if compute not in self._derived:
            self._derived[compute] = compute(self)
        result: T = self._derived[compute]
        return result

    def derive_at(self, compute: Callable[["Photo", P], T], place: P) -> T:
        """``compute(self, place)``, computed at most once for each picture, function and place (the same object).

        Raises:
            BudgetSpentError: as above.
        """
        self.budget.spend(0)
        key = (compute, place)
        if key not in self._derived:
            self._derived[key] = compute(self, place)
        result: T = self._derived[key]
        return result

    def like(self, bgr: Picture, factor: float = 1.0) -> "Photo":
        """Other pixels for the same picture, brought down by ``factor``."""
        return Photo(bgr, self.path, self.scale * factor, self.budget)

    def reduced(self, longest_px: int) -> "Photo":
        """The picture with its longer side at most ``longest_px``; itself where it is small enough already."""
        if longest_px >= max(self.height, self.width):
            return self  # not remembered: a picture that holds itself stays in memory until the garbage is collected
        key = ("reduced", longest_px)
        if key not in self._derived:
            self._derived[key] = _reduce(self, longest_px)
        smaller: Photo = self._derived[key]
        return smaller

    def part(self, points: npt.NDArray[np.floating], factor: float) -> tuple[Picture, npt.NDArray[np.float64]]:
        """The box round some points, ``(N, 2)`` in pixels, brought down by ``factor``, as far as the picture goes.

        Where hardly anything would be brought down, the pixels stay as they are.

        Returns:
            The part with a rim round it, and the matrix ``float64 (3, 3)`` from pixels of the picture to its pixels.
        """
        factor = _handy(factor)
        if factor >= NEARLY:
            return self.bgr, np.eye(3)
        if _is_better_halved(self, factor, LARGE_PART):
            bgr, onto = self.derive(_half).part((points - 0.5) / 2, 2 * factor)
            return bgr, onto @ _onto_part((0, 0), (2, 2), (1, 1))
        rim = RIM_PX / factor
        whole = np.array([self.width, self.height])
        # The part begins where a pixel of the whole picture, brought down as much, would begin.
        first = np.clip(np.rint(np.floor((points.min(axis=0) - rim) * factor) / factor), 0, whole - 1)
        size = np.ceil(np.maximum(points.max(axis=0) + 1 + rim - first, 1) * factor)
        end = np.minimum(first + np.rint(size / factor), whole)
        size = np.maximum(np.rint((end - first) * factor), 1)
        (left, top), (right, bottom), size_wh = (each.astype(int).tolist() for each in (first, end, size))
        part = _averaged(self.bgr[top:bottom, left:right], size_wh)
        return part, _onto_part((left, top), (right, bottom), size_wh)


def _gray(photo: Photo) -> Picture:
    gray = np.asarray(cv2.cvtColor(photo.bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)
    gray.flags.writeable = False
    return gray


ENOUGH = 1.5
"""A picture is reduced from its half where that is so many times as large as wanted: what is averaged twice is then
hardly softer, and a large picture is looked through once, not once for each size."""

LARGE, LARGE_PART = 4_000_000, 1_000_000
"""Pixels from which on that saves anything worth saving: where a picture is searched, what is averaged twice may show
less, and a board that is looked at flat does not mind."""

NEARLY, TOO_SMALL = 0.9, 1.04
"""What would keep so much of its length is not worth bringing down; and it may be left so much larger where it is
brought down by a whole number instead, which is several times as fast. So much smaller loses no hairline either."""


def _handy(factor: float) -> float:
    """The factor, or one of 1/2, 1/3 ... that is near enough."""
    times = max(1, round(1 / factor))
    return 1 / times if NEARLY <= times * factor <= TOO_SMALL else factor


def _is_better_halved(photo: Photo, factor: float, large: int) -> bool:
    """Whether it is best brought down from its half, which others want as well."""
    even = factor <= 0.5 and round(1 / factor) % 2 == 0 and _handy(factor) == factor
    return photo.height * photo.width >= large and (even or factor <= 0.5 / ENOUGH)


def _reduce(photo: Photo, longest_px: int) -> Photo:
    longest = max(photo.height, photo.width)
    times = -(-longest // longest_px)
    factor = 1 / times if longest >= NEARLY * times * longest_px else longest_px / longest
    if factor == 0.5:
        return photo.derive(_half)
    if _is_better_halved(photo, factor, LARGE):
        return photo.derive(_half).reduced(longest_px)
    return _resized(photo, (max(1, round(photo.width * factor)), max(1, round(photo.height * factor))), factor)


def _half(photo: Photo) -> Photo:
    # A last odd row or column is doubled: what is halved exactly is halved many times as fast.
    odd_rows, odd_cols = photo.height % 2, photo.width % 2
    bgr = photo.bgr
    if odd_rows or odd_cols:
        bgr = np.asarray(cv2.copyMakeBorder(bgr, 0, odd_rows, 0, odd_cols, cv2.BORDER_REPLICATE), dtype=np.uint8)
    return _resized(photo.like(bgr), (bgr.shape[1] // 2, bgr.shape[0] // 2), 0.5)


RIM_PX = 2
"""Pixels round a part, once it was brought down, that its own pixels are interpolated with."""


def _resized(photo: Photo, size_wh: tuple[int, int], factor: float) -> Photo:
    return photo.like(_averaged(photo.bgr, size_wh), factor)


def _averaged(bgr: Picture, size_wh: Sequence[int]) -> Picture:
    # Averaging over the area keeps thin lines visible where sampling would lose them.
    return np.asarray(cv2.resize(bgr, size_wh, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _onto_part(first: Sequence[int], end: Sequence[int], size_wh: Sequence[int]) -> npt.NDArray[np.float64]:
    """From pixels of a picture to those of its part from ``first`` to ``end`` at another size.

    Pixel ``i`` covers ``i - 0.5 .. i + 0.5``, so enlarging moves centres by half a pixel.
    """
    (left, x), (top, y) = ((at, size / (last - at)) for at, last, size in zip(first, end, size_wh, strict=True))
    return np.array(
        [(x, 0, (x - 1) / 2 - x * left), (0, y, (y - 1) / 2 - y * top), (0, 0, 1)],
        dtype=np.float64,
    )
