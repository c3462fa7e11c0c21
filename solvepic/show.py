"""``--show``: the solved board in the terminal, two pixels a character, in 24-bit colour."""

import shutil

import cv2
import numpy as np

from solvepic.outcome import Outcome

UPPER_HALF = "▀"
RESET = "\x1b[0m"
MARGIN = 0.04
"""Of the board's size, left around it."""

WIDEST = 100
"""Columns of characters, where the terminal has more."""


def shown(outcome: Outcome) -> str:
    """The board of a solved picture as lines of coloured half blocks; empty when there is none."""
    if outcome.picture is None or outcome.reading is None or outcome.kind is None:
        return ""
    corners = outcome.reading.placement.to_photo(outcome.kind.rules.layout(outcome.puzzle).corners)
    margin = MARGIN * np.ptp(corners, axis=0).max()
    height, width = outcome.picture.shape[:2]
    low = np.clip(np.floor(corners.min(axis=0) - margin), 0, None).astype(int)
    high = np.clip(np.ceil(corners.max(axis=0) + margin), None, (width, height)).astype(int)
    board = outcome.picture[low[1] : high[1], low[0] : high[0]]
    if board.size == 0:
        return ""
    columns = min(WIDEST, shutil.get_terminal_size().columns - 1)
    rows = max(2, round(columns * board.shape[0] / board.shape[1] / 2) * 2)
    small = cv2.resize(board, (columns, rows), interpolation=cv2.INTER_AREA)
    lines = []
    for upper, lower in zip(small[0::2], small[1::2], strict=True):
        cells = [
            f"\x1b[38;2;{u[2]};{u[1]};{u[0]}m\x1b[48;2;{v[2]};{v[1]};{v[0]}m{UPPER_HALF}"
            for u, v in zip(upper.tolist(), lower.tolist(), strict=True)
        ]
        lines.append("".join(cells) + RESET)
    return "\n".join(lines)
