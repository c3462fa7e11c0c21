"""Which worker keeps which picture, and for how long."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

from solvepic.web.workers import Worker

MINUTES = 15
"""A picture nobody asks about for so long is dropped."""

MOST = 32
"""Pictures that are kept."""

MOST_BYTES = 200 * 2**20
"""What they may take together."""

ID_BYTES = 12
"""Random bytes of a name: it cannot be guessed."""


@dataclass
class Session:
    """A picture that is kept by a worker."""

    worker: Worker
    bytes: int
    last: float


class Sessions:
    """All pictures that are kept, the one asked about longest ago first."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        """None so far; ``clock`` tells seconds."""
        self._clock = clock
        self._open: dict[str, Session] = {}

    def __len__(self) -> int:
        """How many pictures are kept."""
        return len(self._open)

    @staticmethod
    def name() -> str:
        """A name for a new picture."""
        return secrets.token_urlsafe(ID_BYTES)

    def keep(self, name: str, worker: Worker, size: int) -> None:
        """Remember who keeps a picture of ``size`` bytes."""
        self._open[name] = Session(worker, size, self._clock())

    def find(self, name: str) -> Session | None:
        """Who keeps the picture, None where nobody does; it is the last one asked about now."""
        session = self._open.pop(name, None)
        if session is None or self._old(session):
            return None
        session.last = self._clock()
        self._open[name] = session
        return session

    def drop(self, name: str) -> Session | None:
        """Forget a picture."""
        return self._open.pop(name, None)

    def lost(self, worker: Worker) -> None:
        """Forget what a worker kept whose process has ended."""
        self._open = {name: session for name, session in self._open.items() if session.worker is not worker}

    def surplus(self) -> dict[str, Session]:
        """Forget, and tell, what is too old or too much."""
        gone: dict[str, Session] = {}
        for name, session in list(self._open.items()):
            taken = sum(session.bytes for session in self._open.values())
            if not self._old(session) and len(self._open) <= MOST and taken <= MOST_BYTES:
                break
            gone[name] = self._open.pop(name)
        return gone

    def _old(self, session: Session) -> bool:
        return self._clock() - session.last > 60 * MINUTES
