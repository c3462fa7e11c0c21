"""The routes: the page, the JSON API, the one-line API, and the pages for browsers without script."""

import asyncio
import html
import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib.resources import files
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from solvepic.web import strings
from solvepic.web.guard import COOKIE, Keys, cookie, refused
from solvepic.web.sessions import Sessions
from solvepic.web.wire import Head
from solvepic.web.workers import BusyError, KilledError, Worker, Workers

STATIC = files("solvepic.web") / "static"

TYPES = {"png": "image/png", "jpg": "image/jpeg"}
"""Formats of pictures that are sent, by the ending of their address."""

SWEEP_SECONDS = 30.0
"""Between looks for pictures nobody asks about any more."""

RETRY_SECONDS = "3"
"""What a client should wait where all workers are busy."""

MOST_OPTION_CHARACTERS = 2_000

BUSY = "too many pictures wait already; try again in a few seconds"
LATE = "the picture took too long, and reading it was stopped; send the board alone, cut out of the picture"
ENDED = "reading the picture ended unexpectedly; send it again, or another one"
GONE = "this picture is not here any more; send it again"
NO_PICTURE = "send a picture: its bytes as the body with a type such as image/png, or a form's field called picture"


class RefusalError(Exception):
    """A request that is not answered: a status and a sentence."""

    def __init__(self, status: int, sentence: str, details: Head | None = None) -> None:
        """With this status; ``details`` go with the sentence where a program asked."""
        super().__init__(sentence)
        self.status, self.details = status, details or {}


@dataclass
class Service:
    """What the routes share."""

    workers: Workers
    keys: Keys
    secure: bool = False
    sessions: Sessions = field(default_factory=Sessions)

    def __post_init__(self) -> None:
        """Pictures are forgotten with the worker that keeps them."""
        self.workers.lost = self.sessions.lost

    async def give(self, verb: str, data: bytes, lang: str, **arguments: Any) -> tuple[Worker, Head, bytes]:
        """Give a picture to a worker."""
        try:
            return await self.workers.read({"verb": verb, "lang": lang, **arguments}, data)
        except BusyError:
            raise RefusalError(503, BUSY) from None
        except KilledError as killed:
            raise _killed(killed) from None

    async def keep(self, data: bytes, lang: str, options: dict[str, str], reveal: bool) -> tuple[int, Head]:
        """Have a picture read, and kept where a board was read on it."""
        name = self.sessions.name()
        worker, head, _ = await self.give("read", data, lang, id=name, options=options, reveal=reveal)
        body = head["body"]
        if head["status"] == HTTPStatus.CREATED:
            self.sessions.keep(name, worker, body.pop("bytes"))
            await self.tidy()
        return head["status"], body

    async def ask(self, name: str, verb: str, lang: str, **arguments: Any) -> tuple[Head, bytes]:
        """Ask about a picture that is kept."""
        session = self.sessions.find(name)
        if session is None:
            raise _gone()
        try:
            request = {"verb": verb, "lang": lang, "id": name, **arguments}
            head, data = await self.workers.ask(session.worker, request)
        except KilledError as killed:
            raise _killed(killed) from None
        if head["status"] >= HTTPStatus.BAD_REQUEST:
            raise _passed_on(head)
        return head, data

    async def drop(self, name: str, worker: Worker) -> None:
        """Have a worker forget a picture."""
        with suppress(KilledError):
            await self.workers.ask(worker, {"verb": "drop", "id": name})

    async def tidy(self) -> None:
        """Drop what is too old or too much."""
        for name, session in self.sessions.surplus().items():
            await self.drop(name, session.worker)

    async def sweep(self) -> None:
        """Do so from time to time."""
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            await self.tidy()


def _passed_on(head: Head) -> RefusalError:
    """What a worker refused, in the language that it was asked in."""
    return RefusalError(head["status"], head["body"]["error"], head["body"])


def _gone() -> RefusalError:
    """The picture is not kept any more: a program may send it again, which no other 404 asks for."""
    return RefusalError(404, GONE, {"forgotten": True})


def _killed(killed: KilledError) -> RefusalError:
    return RefusalError(504, LATE) if killed.late else RefusalError(500, ENDED)


def build(service: Service) -> Starlette:
    """The app; :class:`solvepic.web.guard.Guard` has to stand before it."""
    picture = "/api/v1/pictures/{name}"
    app = Starlette(
        routes=[
            Route("/", _page, methods=["GET"]),
            Route("/", _plain, methods=["POST"]),
            Route("/api", _api),
            Route("/healthz", _health),
            Route("/session", _session, methods=["POST"]),
            Route("/solve.{form}", _solve, methods=["POST"]),
            Route("/plain/{name}/steps/{number:int}", _plain_step),
            Route("/api/v1/kinds", _kinds),
            Route("/api/v1/pictures", _pictures, methods=["POST"]),
            Route(picture, _delete, methods=["DELETE"]),
            Route(picture + "/solution", _record),
            Route(picture + "/cells", _cells, methods=["PATCH"]),
            Route(picture + "/check", _check, methods=["POST"]),
            Route(picture + "/steps/{number:int}", _step),
            Route(picture + "/steps/{number:int}.{form}", _step_picture),
            Route(picture + "/{what}.{form}", _picture),
            Mount("/static", StaticFiles(directory=str(STATIC))),
        ],
        exception_handlers={RefusalError: _refusal, 404: _missing, 405: _missing},
        lifespan=_lifespan,
    )
    app.state.service = service
    return app


@asynccontextmanager
async def _lifespan(app: Starlette) -> AsyncIterator[None]:
    service: Service = app.state.service
    service.workers.start()
    sweeper = asyncio.create_task(service.sweep())
    yield
    sweeper.cancel()
    await service.workers.close()


async def _refusal(request: Request, error: Exception) -> Response:
    assert isinstance(error, RefusalError)
    headers = {"Retry-After": RETRY_SECONDS} if error.status == HTTPStatus.SERVICE_UNAVAILABLE else {}
    if request.url.path.startswith("/api/"):
        return JSONResponse(
            {"error": strings.refusal(_language(request), error.status, str(error)), **error.details},
            error.status,
            headers,
        )
    translated = "error" in error.details
    return refused(request.url.path, error.status, str(error), "en" if translated else _language(request), **headers)


async def _missing(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", 404)
    sentence = (
        "there is nothing here; /api lists what there is"
        if status == HTTPStatus.NOT_FOUND
        else "not this way; see /api"
    )
    return refused(request.url.path, status, sentence, _language(request))


def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


# --- pages ----------------------------------------------------------------------------------------------------------


def _language(request: Request) -> str:
    return strings.language(request.headers.get("accept-language", ""), request.query_params.get("lang", ""))


def _filled(template: str, lang: str, **parts: str) -> HTMLResponse:
    """A page: ``{{name}}`` stands for a string of the language; ``parts`` are HTML."""
    words = strings.WORDS[lang]
    said = _script({**words, **strings.EXTRA[lang]})
    parts = {"lang": lang, "other": strings.OTHER[lang], "strings": said, **parts}

    def put(found: re.Match[str]) -> str:
        name = found[1]
        return parts[name] if name in parts else html.escape(words[name])

    text = (STATIC / template).read_text(encoding="utf-8")
    return HTMLResponse(re.sub(r"\{\{([\w.]+)\}\}", put, text))


def _script(value: Any) -> str:
    """A value as JSON that cannot end the element it stands in."""
    return json.dumps(value, ensure_ascii=False).replace("<", "\\u003c")


async def _page(request: Request) -> Response:
    return _filled("page.html", _language(request))


async def _api(request: Request) -> Response:
    return _filled("api.html", _language(request))


async def _plain(request: Request) -> Response:
    """The form of browsers without script: the solution, with a link to the steps."""
    service, lang = _service(request), _language(request)
    words = strings.WORDS[lang]
    async with request.form(max_files=1, max_fields=8) as form:
        client = request.client.host if request.client else ""
        code = form.get("code")
        given = code.strip() if isinstance(code, str) and code.strip() else cookie(request.headers)
        if (status := service.keys.refusal(given, client)) is not None:
            return refused("/", status, lang=lang)
        sent = form.get("picture")
        data = b"" if sent is None or isinstance(sent, str) else await sent.read()
    if not data:
        raise RefusalError(400, NO_PICTURE)
    status, body = await service.keep(data, lang, {}, reveal=False)
    message = html.escape(body.get("message") or body.get("error", ""))
    heading = words["solution"] if body.get("answered") else words.get(body.get("status", ""), words["refused"])
    parts = [f"<h2>{html.escape(heading)}</h2><p>{message}</p>"]
    if status == HTTPStatus.CREATED:
        base = f"/api/v1/pictures/{body['id']}"
        what = "solution" if body["answered"] else "read"
        parts += [
            f'<p><a href="/plain/{body["id"]}/steps/0?lang={lang}">{html.escape(words["hint"])}</a></p>',
            f'<p><img src="{base}/{what}.jpg" alt="{message}"></p>',
        ]
    page = _filled("plain.html", lang, body="\n".join(parts))
    page.status_code = 200 if status == HTTPStatus.CREATED else status
    if given is not None:
        _set_cookie(page, given, service.secure)
    return page


async def _plain_step(request: Request) -> Response:
    lang, name, number = _language(request), request.path_params["name"], request.path_params["number"]
    words = strings.WORDS[lang]
    head, _ = await _service(request).ask(name, "step", lang, number=number)
    step = head["body"]
    rule = strings.translated(lang, step["rule"])
    body = (
        f"<h2>{number + 1}. {html.escape(rule)}</h2><p>{html.escape(step['because'])}</p>"
        f'<p><img src="/api/v1/pictures/{name}/steps/{number}.jpg" alt="{html.escape(step["because"])}"></p>'
        f'<p><a href="/plain/{name}/steps/{number + 1}?lang={lang}">{html.escape(words["next"])}</a></p>'
    )
    return _filled("plain.html", lang, body=body)


async def _session(request: Request) -> Response:
    """The secret, which the guard has checked, becomes a cookie that scripts cannot read."""
    response = Response(status_code=204)
    _set_cookie(response, request.headers["authorization"].partition(" ")[2].strip(), _service(request).secure)
    return response


def _set_cookie(response: Response, token: str, secure: bool) -> None:
    response.set_cookie(COOKIE, token, httponly=True, samesite="strict", secure=secure)


async def _health(request: Request) -> Response:
    return JSONResponse({"workers": _service(request).workers.alive})


# --- the API --------------------------------------------------------------------------------------------------------


def _options(request: Request) -> dict[str, str]:
    """Options of the query, understood by the worker."""
    known = ("kind", "size", "corners", "closed", "set")
    options = {name: request.query_params[name] for name in known if name in request.query_params}
    if sum(map(len, options.values())) > MOST_OPTION_CHARACTERS:
        raise RefusalError(400, "the options are too long")
    return options


async def _sent(request: Request) -> bytes:
    """The picture in a request."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind == "multipart/form-data":
        async with request.form(max_files=1, max_fields=8) as form:
            sent = form.get("picture")
            data = b"" if sent is None or isinstance(sent, str) else await sent.read()
    elif kind.startswith("image/") or kind in ("", "application/octet-stream", "application/x-www-form-urlencoded"):
        data = await request.body()  # curl --data-binary says urlencoded where it is not told otherwise
    else:
        raise RefusalError(415, NO_PICTURE)
    if not data:
        raise RefusalError(400, NO_PICTURE)
    return data


async def _kinds(request: Request) -> Response:
    kinds = await _service(request).workers.kinds()
    return JSONResponse({"kinds": list(kinds), "corners": kinds})


async def _pictures(request: Request) -> Response:
    data, reveal = await _sent(request), request.query_params.get("reveal") == "1"
    status, body = await _service(request).keep(data, _language(request), _options(request), reveal)
    headers = {"Location": f"/api/v1/pictures/{body['id']}/solution"} if status == HTTPStatus.CREATED else {}
    return JSONResponse(body, status, headers)


async def _solve(request: Request) -> Response:
    form = _form(request)
    _, head, data = await _service(request).give(
        "solve", await _sent(request), _language(request), options=_options(request), suffix=f".{form}"
    )
    if head["status"] >= HTTPStatus.BAD_REQUEST:
        raise _passed_on(head)
    return Response(data, media_type=TYPES[form])


def _form(request: Request) -> str:
    form: str = request.path_params["form"]
    if form not in TYPES:
        raise RefusalError(404, "pictures end in .png or .jpg")
    return form


async def _asked(request: Request, verb: str, **arguments: Any) -> Response:
    head, _ = await _service(request).ask(request.path_params["name"], verb, _language(request), **arguments)
    return JSONResponse(head["body"], head["status"])


async def _drawn(request: Request, what: str, number: int = 0) -> Response:
    form = _form(request)
    arguments = {"what": what, "suffix": f".{form}", "number": number}
    _, data = await _service(request).ask(request.path_params["name"], "picture", _language(request), **arguments)
    return Response(data, media_type=TYPES[form])


async def _record(request: Request) -> Response:
    return await _asked(request, "record", reveal=True)


async def _picture(request: Request) -> Response:
    what = request.path_params["what"]
    if what not in ("solution", "read", "picture", "check"):
        raise RefusalError(404, "there are solution, read, picture and check")
    return await _drawn(request, what)


async def _step(request: Request) -> Response:
    return await _asked(request, "step", number=request.path_params["number"])


async def _step_picture(request: Request) -> Response:
    return await _drawn(request, "step", request.path_params["number"])


async def _check(request: Request) -> Response:
    return await _asked(request, "check")


async def _cells(request: Request) -> Response:
    try:
        cells = json.loads(await request.body())
    except (ValueError, RecursionError):
        cells = None
    if not isinstance(cells, dict):
        raise RefusalError(400, 'send JSON such as {"r1c6": "12", "r3c2": null}')
    return await _asked(request, "set", cells=cells)


async def _delete(request: Request) -> Response:
    service, name = _service(request), request.path_params["name"]
    session = service.sessions.drop(name)
    if session is None:
        raise _gone()
    await service.drop(name, session.worker)
    return Response(status_code=204)
