"""Faces for drawn digits and words.

Pillow carries one scalable face, so a sample can be drawn anywhere; a machine's own faces are used where they are
wanted and found. A face that is missing is replaced by Pillow's, so a drawing never fails for want of one, but it then
differs from machine to machine: tests that compare pixels ask for ``"builtin"``.
"""

from functools import cache

from PIL import ImageFont

Face = ImageFont.FreeTypeFont

BUILTIN = "builtin"

FAMILIES: dict[str, tuple[str, ...]] = {
    BUILTIN: (),
    "sans": ("DejaVuSans.ttf", "Arial.ttf", "Helvetica.ttc", "LiberationSans-Regular.ttf"),
    "bold": ("DejaVuSans-Bold.ttf", "Arial Bold.ttf", "arialbd.ttf", "LiberationSans-Bold.ttf"),
    "condensed": ("DejaVuSansCondensed.ttf", "Arial Narrow.ttf"),
    "condensed bold": ("DejaVuSansCondensed-Bold.ttf", "Arial Narrow Bold.ttf"),
    "italic": ("DejaVuSans-Oblique.ttf", "Arial Italic.ttf", "ariali.ttf"),
    "serif": ("DejaVuSerif.ttf", "Times New Roman.ttf", "times.ttf"),
    "serif bold": ("DejaVuSerif-Bold.ttf", "Times New Roman Bold.ttf", "timesbd.ttf"),
    "mono": ("DejaVuSansMono.ttf", "Menlo.ttc", "Courier New.ttf", "cour.ttf"),
    "mono bold": ("DejaVuSansMono-Bold.ttf", "Courier New Bold.ttf", "courbd.ttf"),
    "light": ("DejaVuSans-ExtraLight.ttf", "Lato-Light.ttf"),
    "rounded": ("Comfortaa-Regular.ttf", "Quicksand-Medium.ttf", "Arial Rounded Bold.ttf"),
    "rounded bold": ("Comfortaa-Bold.ttf", "Quicksand-Bold.ttf"),
    "humanist": ("Lato-Bold.ttf", "Lato-Regular.ttf"),
    "geometric": ("Roboto-Medium.ttf", "Roboto-Bold.ttf", "Inter-SemiBold.otf"),
}
"""By family, the file names to look for, in this order, where the system keeps its faces."""


def families() -> list[str]:
    """The families that can be drawn here, Pillow's own first."""
    return [name for name in FAMILIES if name == BUILTIN or _file(name) is not None]


@cache
def face(family: str, size: int) -> Face:
    """The face of a family at a size in Pillow's units; Pillow's own where the family is not there."""
    found = _file(family)
    if found is not None:
        return ImageFont.truetype(found, size)
    own = ImageFont.load_default(size)
    if not isinstance(own, ImageFont.FreeTypeFont):
        raise RuntimeError("this Pillow was built without FreeType: install Pillow from PyPI")
    return own


@cache
def digit_face(family: str, height_px: float) -> Face:
    """The face whose digits are ``height_px`` high."""
    trial = face(family, 100).getbbox("0")
    return face(family, max(4, round(100 * height_px / (trial[3] - trial[1]))))


@cache
def _file(family: str) -> str | None:
    """The first file of the family that Pillow finds."""
    for name in FAMILIES[family]:
        try:
            ImageFont.truetype(name, 10)
        except OSError:
            continue
        return name
    return None
