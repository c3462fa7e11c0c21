"""Combs: how often something recurs along a line, from the spectrum of where it is.

The edges of a regular grid, summed along the lines, are a profile with teeth at equal distances. In its spectrum that
distance is a peak whose phase says where the teeth begin [1]. No tooth needs to be complete, and missing ones only make
the peak lower: on a board full of placed patches few lines are left, and their common measure is still the cell.

References:
    [1] R. N. Bracewell, The Fourier Transform and Its Applications, 3rd ed., 2000, ch. 10 (the comb and its transform).
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from vision.pictures.medians import median

Floats = npt.NDArray[np.float64]

LENGTH = 1 << 14
"""Samples that a profile is padded to: pitches are told apart to a tenth of a per cent on a screen of a thousand."""

CELL_RATIO = (0.8, 1.25)
"""Cells are nearly square: pitch across to pitch down (character cells of terminals reach 1.15)."""

AGREED = 1.5
"""How much likelier a pitch is on which both directions agree exactly."""

SHARPER = 0.06
"""How much a pitch may change when only the board itself is looked at, without what stands beside it."""

SAME_PEAK = 3
"""Samples of the spectrum within which peaks are one."""


@dataclass(frozen=True)
class Comb:
    """Equally spaced places along a line: ``start + k * pitch``; ``weight`` 0..1 says how well edges agree with it."""

    pitch: float
    start: float
    weight: float

    def places(self, length: int, slack: float) -> Floats:
        """The places from ``slack`` pitches before 0 to as much after ``length``."""
        first = np.ceil(-slack - self.start / self.pitch)
        last = np.floor((length - 1 - self.start) / self.pitch + slack)
        return np.asarray(self.start + self.pitch * np.arange(first, last + 1), dtype=np.float64)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The spectrum of a profile.

    Attributes:
        values: ``complex128 (LENGTH / 2 + 1,)``; value ``i`` belongs to the pitch ``LENGTH / i``.
        weight: ``float64``, their size relative to the profile's sum, 0..1.
        span: length of the profile.
    """

    values: npt.NDArray[np.complex128]
    weight: Floats
    span: int

    def comb(self, i: int) -> Comb:
        """The comb that value ``i`` stands for."""
        pitch = LENGTH / i
        start = (-float(np.angle(self.values[i])) / (2 * np.pi) * pitch) % pitch
        return Comb(pitch, start, float(self.weight[i]))


def spectrum(profile: Floats) -> Spectrum | None:
    """The spectrum of a profile ``float64 (N,)``, not negative; None where the profile is even."""
    # What lies under the median is no line: text and texture that fill the whole box.
    excess = np.maximum(profile - median(profile), 0)
    total = float(excess.sum())
    if total <= 0:
        return None
    values = np.asarray(np.fft.rfft(excess, LENGTH), dtype=np.complex128)
    return Spectrum(values, np.abs(values) / total, len(profile))


def sharpened(comb: Comb, profile: Floats, offset: float) -> Comb:
    """The comb that suits a part of the line best, close to the one that suited the whole.

    Args:
        comb: in coordinates of the whole line.
        profile: the part.
        offset: where the part begins.
    """
    part = spectrum(profile)
    if part is None:
        return comb
    low, high = int(LENGTH / comb.pitch / (1 + SHARPER)), int(LENGTH / comb.pitch * (1 + SHARPER)) + 2
    found = part.comb(low + int(np.argmax(part.weight[low:high])))
    return Comb(found.pitch, (found.start + offset) % found.pitch, found.weight)


def lattices(
    profile_x: Floats, profile_y: Floats, least_px: float, least_lines: int, at_most: int = 7
) -> list[tuple[Comb, Comb]]:
    """Combs across and down that may be the two directions of a grid, likeliest first.

    Args:
        profile_x: ``float64 (W,)``, how much upright edge there is at each x.
        profile_y: ``float64 (H,)``, how much level edge at each y.
        least_px: smallest pitch.
        least_lines: so many pitches fit into each profile at least.
        at_most: how many pairs to return.

    Returns:
        Pitches at which *both* profiles recur (cells are square more often than not, and what both agree on is hardly
        chance), and pairs of peaks of either profile with nearly equal pitch.
    """
    across, down = spectrum(profile_x), spectrum(profile_y)
    if across is None or down is None:
        return []
    low = max(2, int(LENGTH * (least_lines - 0.5) / min(across.span, down.span)))
    high = min(len(across.weight) - 2, int(LENGTH / least_px))
    if high <= low:
        return []
    ratio_low, ratio_high = CELL_RATIO
    pairs = [(i, i, AGREED) for i in _peaks(across.weight * down.weight, low, high, 6)]
    pairs += [
        (i, j, 1.0)
        for i in _peaks(across.weight, low, high, 10)
        for j in _peaks(down.weight, low, high, 10)
        if ratio_low < j / i < ratio_high
    ]
    pairs.sort(key=lambda pair: -_likelihood(across, down, *pair))
    kept: list[tuple[int, int]] = []
    for i, j, _ in pairs:
        # Neighbouring samples of the spectrum are the same peak.
        if len(kept) < at_most and all(max(abs(i - k), abs(j - m)) > SAME_PEAK for k, m in kept):
            kept.append((i, j))
    return [(across.comb(i), down.comb(j)) for i, j in kept]


def _likelihood(across: Spectrum, down: Spectrum, i: int, j: int, bonus: float) -> float:
    """How likely a pair of pitches is; half the pitch explains every edge too, so the wider is a bit likelier."""
    return float(across.weight[i] * down.weight[j] * bonus / (i * j) ** 0.125)


def _peaks(weight: Floats, low: int, high: int, at_most: int) -> list[int]:
    """Places of the highest local maxima between ``low`` and ``high``."""
    at = np.arange(low, high)
    tops = at[(weight[at] > weight[at - 1]) & (weight[at] >= weight[at + 1])]
    return [int(i) for i in tops[np.argsort(-weight[tops])][:at_most]]
