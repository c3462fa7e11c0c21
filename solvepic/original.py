"""The picture that an outcome is of: kept in memory, or opened again whenever it is asked for.

The pictures of a batch would fill the memory, and are dear to send from process to process, though few of them are
looked at again. What was let go counts only where the file still shows the same pixels.
"""

import zlib
from pathlib import Path
from typing import Any

from solvepic.hinted import beneath
from solvepic.registry import Kind
from vision.pictures.loading import Limits, UnavailableError, load
from vision.pictures.photo import Photo
from vision.reading import Reading


class Original:
    """A picture and, where it has one, the file that it comes from."""

    def __init__(self, photo: Photo, file: Path | None = None, limits: Limits | None = None) -> None:
        """The picture ``photo``; without a ``file`` it can never be let go."""
        self.scale = photo.scale
        self._photo: Photo | None = photo
        self._file = file.absolute() if file is not None else None
        self._limits = limits or Limits()
        self._sum = 0

    @property
    def is_kept(self) -> bool:
        """Whether it is in memory."""
        return self._photo is not None

    @property
    def photo(self) -> Photo:
        """The picture.

        Raises:
            vision.pictures.loading.BadPictureError: it was let go, and its file is gone or shows something else.
        """
        return self._photo if self._photo is not None else self._opened_again()

    def showing(self, kind: Kind, reading: Reading[Any]) -> "Original":
        """The picture once something else was read on it: the same, since a picture shows what it shows."""
        del kind, reading
        return self

    def rest(self) -> None:
        """Drop what was computed from the picture."""
        self._photo = self._photo and Photo(self._photo.bgr, self._photo.path, self._photo.scale)

    def let_go(self) -> None:
        """Drop the picture itself as well, where it can be opened again."""
        self.__dict__ |= self.__getstate__()

    def __getstate__(self) -> dict[str, Any]:
        """What goes to other processes: the name of the file in place of the picture, where there is one."""
        if self._photo is None or self._file is None:
            return dict(vars(self))
        return {**vars(self), "_photo": None, "_sum": _checksum(self._photo)}

    def _opened_again(self) -> Photo:
        assert self._file is not None
        photo = beneath(load(self._file, self._limits))[0].photo
        if _checksum(photo) != self._sum:
            raise UnavailableError(f"{self._file}: the picture was changed since it was read; solve it again")
        return photo


def _checksum(photo: Photo) -> int:
    return zlib.crc32(photo.bgr.data, photo.width)
