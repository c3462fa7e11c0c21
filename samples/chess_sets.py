"""Sets of drawn chess pieces that are installed here: Unicode's signs in the faces that have them, and sets as SVG.

Nothing of them is part of the project; they are drawn from where the system keeps them. On Debian ``apt install
pychess librsvg2-bin fonts-symbola fonts-freefont-ttf fonts-noto-core fonts-unifont`` gives some forty sets, all under
free licences (GPL 3, OFL 1.1 and the like).
"""

import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw, ImageFont

from samples.chess_pieces import GLYPHS

Stamp = npt.NDArray[np.uint8]
"""``uint8 (SIDE, SIDE, 4)``: blue, green, red and how much they cover."""

SIDE = 96
"""Pixels across which pieces are kept."""

LETTERS = {"queen": "q", "knight": "n", "king": "k", "rook": "r", "bishop": "b", "pawn": "p"}

SOLID = dict(zip("qnkrbp", "wmltvo", strict=True))
"""Which letters of a chess face are the solid forms of others."""

UNLIKE = {"ada", "makruk", "sittuyin", "millenia", "cheq"}
"""Sets of other games, and those whose pieces nobody would tell by their shapes."""

SIGNS = ("DejaVuSans.ttf", "FreeSerif.ttf", "NotoSansSymbols2-Regular.ttf", "Symbola_hint.ttf", "unifont.otf")


@dataclass(frozen=True)
class ChessSet:
    """One set: its name, and a stamp by the name of the piece and whether it is a dark one."""

    name: str
    stamps: Mapping[tuple[str, bool], Stamp]


@cache
def installed(folder: Path) -> list[ChessSet]:
    """The sets below a folder (``/usr/share``), by name."""
    drawn = [_from_svg(path.parent) for path in sorted(folder.glob("pychess/pieces/*/wq.svg"))]
    lettered = [_from_face(path, _letters) for path in sorted(folder.glob("pychess/pieces/ttf/*.ttf"))]
    signed = [_from_face(path, _sign) for name in SIGNS for path in sorted(folder.glob(f"fonts/**/{name}"))]
    return [one for one in (*drawn, *lettered, *signed) if one.name.split(" ")[0] not in UNLIKE]


def _from_svg(folder: Path) -> ChessSet:
    stamps = {}
    for name, letter in LETTERS.items():
        for dark, side in ((False, "w"), (True, "b")):
            command = ["rsvg-convert", "-w", str(SIDE), "-h", str(SIDE), str(folder / f"{side}{letter}.svg")]
            packed = subprocess.run(command, check=True, capture_output=True).stdout
            drawn = cv2.imdecode(np.frombuffer(packed, np.uint8), cv2.IMREAD_UNCHANGED)
            stamps[name, dark] = np.asarray(drawn, np.uint8)
    return ChessSet(folder.name, stamps)


def _letters(name: str, dark: bool) -> str:
    return SOLID[LETTERS[name]] if dark else LETTERS[name]


def _sign(name: str, dark: bool) -> str:
    return GLYPHS[name][dark]


def _from_face(file: Path, text: Callable[[str, bool], str]) -> ChessSet:
    font = ImageFont.truetype(str(file), round(0.9 * SIDE))
    stamps = {}
    for name in LETTERS:
        for dark in (False, True):
            stamp = Image.new("L", (SIDE, SIDE), 0)
            ImageDraw.Draw(stamp).text((SIDE / 2, SIDE / 2), text(name, dark), fill=255, font=font, anchor="mm")
            cover = np.asarray(stamp)
            stamps[name, dark] = np.dstack([np.zeros((SIDE, SIDE, 3), np.uint8), cover])
    return ChessSet(f"{file.stem} face", stamps)
