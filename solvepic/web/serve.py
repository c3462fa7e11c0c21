"""Starting the page: which address, which code, the QR code in the terminal, and the server."""

import contextlib
import io
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import segno
import uvicorn
from loky import cpu_count
from starlette.types import ASGIApp

from solvepic.errors import UsageError
from solvepic.web.app import Service, build
from solvepic.web.guard import Guard, Keys
from solvepic.web.limits import Limits
from solvepic.web.workers import Workers

TOKEN_BYTES = 12
"""96 random bits."""

LEAST_TOKEN = 16
"""Characters of a code that somebody chose."""

MOST_CONNECTIONS = 32
MOST_WORKERS = 2
"""A household plays one puzzle at a time, and each worker takes some 300 MB."""

MOST_HEADER_BYTES = 8 * 1024
KEEP_ALIVE_SECONDS = 20
"""An open connection that asks nothing more is closed."""

GRACE_SECONDS = 1
"""What is still being answered may take so long when the server ends."""

LOCAL = ("localhost", "127.0.0.1")

DEFAULT_PORTS = {"http": 80, "https": 443}

PROBE = ("192.0.2.1", 9)
"""An address for documentation (RFC 5737): the system says from which of its own it would go there; nothing is sent."""


@dataclass(frozen=True)
class Settings:
    """How the page is served.

    Attributes:
        host: the address to listen on; every one where it is empty.
        port: 0 for a free one.
        local: for this computer alone.
        opens: whether the page is opened in a browser here.
        cert: certificate and ``key`` for HTTPS; None for HTTP.
        key: as above.
        addresses: names or addresses of this computer that the server cannot find out, such as a container's.
        token: the code; None for a random one.
        workers: processes.
        limits: of these.
    """

    host: str = ""
    port: int = 8765
    local: bool = False
    opens: bool = False
    cert: Path | None = None
    key: Path | None = None
    addresses: Sequence[str] = ()
    token: str | None = None
    workers: int = field(default_factory=lambda: max(1, min(MOST_WORKERS, int(cpu_count()))))
    limits: Limits = field(default_factory=Limits)

    @property
    def scheme(self) -> str:
        """``http`` or ``https``."""
        return "https" if self.cert is not None else "http"

    def check(self) -> None:
        """Raises :class:`solvepic.errors.UsageError` where the settings cannot be heeded."""
        if (self.cert is None) != (self.key is None):
            raise UsageError("--cert and --key go together: name the certificate and its key")
        for path in (self.cert, self.key):
            if path is not None and not path.is_file():
                raise UsageError(f"{path}: no such file; name a certificate and its key in PEM")
        if self.token is not None and (len(self.token) < LEAST_TOKEN or not self.token.isascii()):
            raise UsageError(f"SOLVEPIC_TOKEN: give at least {LEAST_TOKEN} plain letters and digits, or none at all")
        if self.local and self.host:
            raise UsageError("--local and --host: give one of them")


@dataclass(frozen=True)
class Places:
    """Where the page is: the address to show first, others, and what the header ``Host`` may say."""

    first: str
    others: tuple[str, ...]
    hosts: frozenset[str]


def places(settings: Settings, port: int) -> Places:
    """Where the page can be reached on ``port``."""
    if settings.local:
        names = ["localhost"]
    elif settings.host not in ("", "0.0.0.0", "::"):
        names = [settings.host]
    else:
        names = list(dict.fromkeys([*settings.addresses, *own_addresses()])) or ["localhost"]
    names = list(dict.fromkeys([*settings.addresses, *names]))
    suffix = "" if port == DEFAULT_PORTS[settings.scheme] else f":{port}"
    known = {f"{name.lower()}{suffix}" for name in [*names, *LOCAL]}
    urls = [f"{settings.scheme}://{name}{suffix}/" for name in names]
    return Places(urls[0], tuple(urls[1:]), frozenset(known))


def own_addresses() -> list[str]:
    """This computer's IPv4 addresses, that of the default route first."""
    found = []
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(PROBE)
        found.append(str(probe.getsockname()[0]))
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)]
    return [one for one in dict.fromkeys(found) if not one.startswith(("127.", "169.254.", "0."))]


def guarded(service: Service, settings: Settings, where: Places) -> ASGIApp:
    """The whole server as one ASGI app."""
    return Guard(build(service), service.keys, where.hosts, settings.scheme)


def serve(settings: Settings, say: Callable[[str], None]) -> None:
    """Serve the page until Ctrl-C.

    Args:
        settings: how.
        say: prints a line for people.

    Raises:
        solvepic.errors.UsageError: the settings cannot be heeded, or the port is taken.
    """
    settings.check()
    token = settings.token or secrets.token_urlsafe(TOKEN_BYTES)
    with _listening(settings) as listener:
        where = places(settings, listener.getsockname()[1])
        for line in welcome(where, token, settings):
            say(line)
        if settings.opens:
            threading.Thread(target=webbrowser.open, args=(f"{where.first}#{token}",), daemon=True).start()
        service = Service(Workers(settings.workers, settings.limits), Keys(token), settings.cert is not None)
        uvicorn.Server(limited(guarded(service, settings, where), settings)).run(sockets=[listener])


def limited(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    """How connections are limited: few, none that idles, small headers; nobody says that he is someone else."""
    return uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="on",
        ws="none",
        http="h11",
        limit_concurrency=MOST_CONNECTIONS,
        h11_max_incomplete_event_size=MOST_HEADER_BYTES,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=GRACE_SECONDS,
        ssl_certfile=settings.cert,
        ssl_keyfile=settings.key,
    )


@contextlib.contextmanager
def _listening(settings: Settings) -> Iterator[socket.socket]:
    """A socket that listens, so that its port is known and free before anything is shown."""
    host = LOCAL[1] if settings.local else settings.host or "0.0.0.0"
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listener:
        if os.name == "posix":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, settings.port))
        except (OSError, OverflowError) as error:
            reason = getattr(error, "strerror", None) or error
            text = f"{host}:{settings.port}: cannot be listened on ({reason}); try another --port, or --port 0"
            raise UsageError(text) from None
        listener.listen()  # whoever is quicker than the server waits
        yield listener


def welcome(where: Places, token: str, settings: Settings) -> Iterator[str]:
    """What is shown at the start."""
    link = f"{where.first}#{token}"
    if not settings.local:
        yield qr(link)
    yield link
    if settings.local:
        yield "only this computer reaches it; Ctrl-C ends it"
        return
    if where.others:
        yield "if the page does not load, try " + ", ".join(f"{url}#{token}" for url in where.others)
    plain = "" if settings.cert else "; what is sent is not encrypted"
    yield f"anyone with this link on your network can use it{plain}; Ctrl-C ends it"


def qr(link: str) -> str:
    """The link as a QR code of half blocks."""
    lines = io.StringIO()
    segno.make(link, error="l", micro=False).terminal(lines, border=2, compact=True)
    return lines.getvalue().rstrip("\n")
