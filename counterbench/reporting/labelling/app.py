"""The page on which people label: its few addresses. A question, its pictures and the answer go by opaque ids.

/                       asks for the rater's name
/by/NAME                the page; /by/NAME/next is its state, /by/NAME/answer and /by/NAME/undo take what it sends
/picture/ID             a picture's pixels
/page.css, /page.js     the look and the script
"""

import logging
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from counterbench.errors import InputError
from counterbench.reporting.labelling.guard import Access, Guard
from counterbench.reporting.labelling.questions import Labelling
from counterbench.t2i.labelling.answers import RaterFile
from counterbench.text import visible

_log = logging.getLogger(__name__)

Handler = Callable[[RaterFile, bytes], Response]


_ICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><circle cx="4.5" cy="4.5" r="4" fill="#0b5a94"/></svg>'
)


class _Sent(msgspec.Struct, forbid_unknown_fields=True):
    """An answer as the page sends it, or with no label one to take back."""

    id: str
    label: str = ""


class LabelPage:
    """The page about a labelling. Answers are written one after another, each before its reply: one writer a rater."""

    def __init__(self, of: Labelling, rater: str = "") -> None:
        from jinja2 import Environment, PackageLoader, StrictUndefined

        loader = PackageLoader("counterbench.reporting", "templates")
        pages = Environment(
            loader=loader, autoescape=True, undefined=StrictUndefined, trim_blocks=True, finalize=_shown
        )
        style, own, script = (
            loader.get_source(pages, name)[0] for name in ("style.css", "labelling/page.css", "labelling/page.js")
        )
        self._files = {"page.css": (style + own, "text/css"), "page.js": (script, "text/javascript")}
        self._start, self._page = (pages.get_template(f"labelling/{name}.html") for name in ("start", "page"))
        self._of, self._rater = of, rater
        self._raters: dict[str, RaterFile] = {}

    def app(self, access: Access) -> Starlette:
        """The application for a server."""
        routes = [
            Route("/", self._begin),
            Route("/by/{rater}", self._by(self._show)),
            Route("/by/{rater}/next", self._by(lambda file, sent: self._state(file))),
            Route("/by/{rater}/answer", self._by(self._answer), methods=["POST"]),
            Route("/by/{rater}/undo", self._by(self._undo), methods=["POST"]),
            Route("/picture/{id}", self._picture),
            Route("/{name}", self._file),
        ]
        return Starlette(routes=routes, middleware=[Middleware(Guard, access=access)])

    async def _begin(self, request: Request) -> Response:
        """The page that asks for a name, or the way to the page of who gave one."""
        name, fault = request.query_params.get("rater", "").strip(), ""
        if name:
            try:
                self._file_of(name)
                return RedirectResponse(f"/by/{name}", 303)
            except InputError as error:
                fault = str(error)
        page = self._start.render(rater=name or self._rater, fault=fault, total=len(self._of.questions))
        return HTMLResponse(page, 400 if fault else 200)

    def _file_of(self, rater: str) -> RaterFile:
        if rater not in self._raters:
            self._raters[rater] = self._of.open(rater)
        return self._raters[rater]

    def _by(self, handle: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def reply(request: Request) -> Response:
            sent = await request.body()  # from here on nothing else runs in between
            try:
                return handle(self._file_of(request.path_params["rater"]), sent)
            except InputError as error:
                return PlainTextResponse(visible(str(error)), 400)
            except OSError as error:
                _log.error("%s", error)
                return PlainTextResponse("the answer could not be written", 500)

        return reply

    def _show(self, file: RaterFile, sent: bytes) -> Response:
        return HTMLResponse(self._page.render(rater=file.rater, then=self._of.then))

    def _answer(self, file: RaterFile, sent: bytes) -> Response:
        answer = self._sent(sent)
        label = self._of.questions[answer.id].form.read(answer.label.strip())
        if file.labels.get(answer.id) != label:  # else it was sent again, since the reply was lost
            self._write(file, answer.id, label)
        return self._state(file)

    def _undo(self, file: RaterFile, sent: bytes) -> Response:
        """An answer taken back, and its question again."""
        id = self._sent(sent).id
        if was := file.labels.get(id, ""):
            self._write(file, id, "")
        return self._state(file, id, was)

    def _sent(self, sent: bytes) -> _Sent:
        try:
            answer = msgspec.json.decode(sent, type=_Sent)
        except (msgspec.DecodeError, UnicodeDecodeError):
            raise InputError('an answer is {"id": …, "label": …}') from None
        if answer.id not in self._of.questions:
            raise InputError(f"{answer.id!r} is no question of this page")
        return answer

    def _write(self, file: RaterFile, id: str, label: str) -> None:
        try:
            file.add(id, label)
        except InputError as error:  # its text names the run
            raise OSError(str(error)) from None

    def _state(self, file: RaterFile, again: str = "", was: str = "") -> Response:
        """A rater's progress, the next question (or one that is asked again), and the pictures of the one after it."""
        every = self._of.questions
        left = [id for id in every if id not in file.labels and id != again]
        asked = [every[id] for id in [*([again] if again else []), *left[:2]]]
        state: dict[str, Any] = {
            "done": len(every) - len(left) - bool(again),
            "total": len(every),
            "last": next((id for id in reversed(file.labels) if id in every), None),
            "was": was,
            "question": asked[0] if asked else None,
            "then": asked[1].pictures if len(asked) > 1 else [],
        }
        return Response(msgspec.json.encode(state), media_type="application/json")

    async def _picture(self, request: Request) -> Response:
        try:
            png = await run_in_threadpool(self._of.png, request.path_params["id"])
        except InputError as error:
            _log.error("%s", error)
            return PlainTextResponse("this picture cannot be read", 410)
        return Response(png, media_type="image/png") if png is not None else PlainTextResponse("no such picture", 404)

    async def _file(self, request: Request) -> Response:
        name = request.path_params["name"]
        if name not in self._files:
            return PlainTextResponse("there is nothing here", 404)
        text, kind = self._files[name]
        return Response(text, media_type=kind)


def _shown(value: Any) -> Any:
    return visible(value) if type(value) is str else value
