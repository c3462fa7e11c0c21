"""What a picture, and the process that reads it, may cost."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What pictures may cost.

    Attributes:
        seconds: for reading and solving one picture, by which a reader ends itself.
        deadline: seconds after which a worker is killed.
        megapixels: of the largest picture.
        memory_mb: what a worker may allocate.
        pictures: after so many a worker is replaced, against leaks.
        resident_mb: likewise, when it holds so much.
        waiting: pictures that may wait for a worker; more are turned away.
    """

    seconds: float = 10.0
    deadline: float = 12.0
    megapixels: float = 60.0
    memory_mb: int = 3_000
    pictures: int = 200
    resident_mb: int = 600
    waiting: int = 8
