"""The picture that the system's clipboard holds, and one to put there.

Pillow takes it; nothing that is kept well puts a picture there on every system without more packages, so the tool that
each system has, or that people install for it, is asked.
"""

import io
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from solvepic.errors import UsageError
from solvepic.output import OutputError

NAME = "clipboard"
"""What a picture from there is called."""

PATIENCE_S = 10.0
"""Seconds for a tool that may wait for a display that does not answer."""

FILE = "SOLVEPIC_PICTURE"
"""The variable of the environment that names the file to put there."""

WAYLAND, X11 = ("wl-copy", "--type", "image/png"), ("xclip", "-selection", "clipboard", "-t", "image/png", "-i")
MACOS = ("osascript", "-e", f'set the clipboard to (read (POSIX file (system attribute "{FILE}")) as «class PNGf»)')
WINDOWS = (
    *("powershell", "-NoProfile", "-STA", "-Command"),
    "Add-Type -AssemblyName System.Windows.Forms,System.Drawing;"
    f"[Windows.Forms.Clipboard]::SetImage([Drawing.Image]::FromFile($env:{FILE}))",
)
"""Commands that put a PNG file there, from standard input or by its name in the environment."""


def _command() -> tuple[str, ...]:
    """The command of this system.

    Raises:
        UsageError: it has none.
    """
    wayland = (WAYLAND,) if os.getenv("WAYLAND_DISPLAY") or not os.getenv("DISPLAY") else ()
    commands: tuple[tuple[str, ...], ...] = (*wayland, X11)
    if platform := {"darwin": MACOS, "win32": WINDOWS}.get(sys.platform):
        commands = (platform,)
    for command in commands:
        if shutil.which(command[0]):
            return command
    names = " or ".join("wl-clipboard" if command is WAYLAND else command[0] for command in commands)
    raise UsageError(f"--clipboard: no tool here reaches the clipboard; install {names}")


def taken() -> bytes:
    """The picture that the clipboard holds, as the bytes of a file.

    Raises:
        UsageError: it holds none, or there is no way to it, or none to put one there afterwards.
    """
    from PIL import Image, ImageGrab  # noqa: PLC0415  (few runs want it)

    _command()
    try:
        held = ImageGrab.grabclipboard()
        if isinstance(held, list) and len(held) == 1:
            return Path(held[0]).read_bytes()
        if isinstance(held, Image.Image):
            file = io.BytesIO()
            held.save(file, "PNG")
            return file.getvalue()
    except (OSError, NotImplementedError, ValueError, Image.DecompressionBombError) as error:
        raise UsageError(f"--clipboard: the clipboard cannot be read ({error})") from None
    raise UsageError("--clipboard: the clipboard holds no picture; copy one, or take a screenshot into it")


def put(picture: bytes) -> None:
    """Put a picture there, the bytes of a PNG file.

    Raises:
        OutputError: the system does not take it.
    """
    command = _command()
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "solved.png"
        file.write_bytes(picture)
        with file.open("rb") as shown:
            try:
                # What serves the clipboard lives on: it must hold no pipe of ours that somebody reads to its end.
                subprocess.run(
                    command,
                    env={**os.environ, FILE: str(file)},
                    stdin=shown,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=PATIENCE_S,
                    check=True,
                )
            except (OSError, subprocess.SubprocessError) as error:
                raise OutputError(f"the clipboard does not take it ({error})") from None
