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
from starlette.middleware import Middleware
from starlette.middleware.base import BaseHTTPMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.pages.frame import source, templates
from counterbench.pages.labelling.questions import Labelling
from counterbench.pages.labelling.server import Guard
from counterbench.pictures.labelling.answers import RaterFile

_log = logging.getLogger(__name__)

Handler = Callable[[RaterFile, bytes], Response]


class _Sent(msgspec.Struct, forbid_unknown_fields=True):
    """An answer as the page sends it, or with no label one to take back."""

    id: str
    label: str = ""


class LabelPage:
    """The page about a labelling. Answers are written one after another, each before its reply: one writer a rater."""

    def __init__(self, labelling: Labelling, guard: Guard, rater: str = "") -> None:
        self._of, self._rater = labelling, rater
        self._raters: dict[str, RaterFile] = {}
        routes = [
            Route("/", self._begin),
            Route("/by/{rater}", self._by(self._show)),
            Route("/by/{rater}/next", self._by(lambda file, sent: self._state(file))),
            Route("/by/{rater}/answer", self._by(self._answer), methods=["POST"]),
            Route("/by/{rater}/undo", self._by(self._undo), methods=["POST"]),
            Route("/picture/{id}", self._picture),
            Route("/page.css", self._file("text/css", "style.css", "labelling/page.css")),
            Route("/page.js", self._file("text/javascript", "labelling/page.js")),
        ]
        self.app = Starlette(routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)])

    async def _begin(self, request: Request) -> Response:
        """The page that asks for a name, or the way to the page of who gave one."""
        name, fault = request.query_params.get("rater", "").strip(), ""
        if name:
            try:
                self._file_of(name)
                return RedirectResponse(f"/by/{name}", 303)
            except InputError as error:
                fault = str(error)
        page = templates().get_template("labelling/start.html")
        text = page.render(rater=name or self._rater, fault=fault, total=len(self._of.questions))
        return HTMLResponse(text, 400 if fault else 200)

    def _file_of(self, rater: str) -> RaterFile:
        if rater not in self._raters:
            self._raters[rater] = RaterFile(self._of.run, rater, self._of.pairs)
        return self._raters[rater]

    def _by(self, handle: Handler) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            sent = await request.body()  # nothing is awaited below, so answers are written one by one
            try:
                return handle(self._file_of(request.path_params["rater"]), sent)
            except InputError as error:
                return PlainTextResponse(str(error), 400)
            except OSError as error:
                _log.error("%s", error)
                return PlainTextResponse("the answer could not be written", 500)

        return respond

    def _show(self, file: RaterFile, sent: bytes) -> Response:
        page = templates().get_template("labelling/page.html")
        return HTMLResponse(page.render(rater=file.rater, then=self._of.then))

    def _answer(self, file: RaterFile, sent: bytes) -> Response:
        answer = self._sent(sent)
        file.add(answer.id, self._of.questions[answer.id].form.read(answer.label.strip()))
        return self._state(file)

    def _undo(self, file: RaterFile, sent: bytes) -> Response:
        """An answer taken back, and its question again."""
        id = self._sent(sent).id
        was = file.labels.get(id, "")
        file.add(id, "")
        return self._state(file, id, was)

    def _sent(self, sent: bytes) -> _Sent:
        answer = formats.decode(sent, _Sent, "an answer")
        if answer.id not in self._of.questions:
            raise InputError(f"{answer.id!r} is no question of this page")
        return answer

    def _state(self, file: RaterFile, again: str = "", was: str = "") -> Response:
        """A rater's progress, the next question (or one that is asked again), and the pictures of the one after it."""
        every = self._of.questions
        left = sorted((id for id in every if id not in file.labels), key=lambda id: id != again)
        questions = [every[id] for id in left[:2]]
        state: dict[str, Any] = {
            "done": len(every) - len(left),
            "total": len(every),
            "last": next((id for id in reversed(file.labels) if id in every), None),
            "was": was,
            "question": questions[0] if questions else None,
            "then": [id for question in questions[1:] for id in question.pictures],
        }
        return Response(msgspec.json.encode(state), media_type="application/json")

    def _picture(self, request: Request) -> Response:
        id = request.path_params["id"]
        if id not in self._of.pictures:
            return PlainTextResponse("no such picture", 404)
        try:
            return Response(Picture.from_file(*self._of.pictures[id]).png, media_type="image/png")
        except InputError as error:
            _log.error("%s", error)
            return PlainTextResponse("this picture cannot be read", 410)

    def _file(self, kind: str, *names: str) -> Callable[[Request], Response]:
        text = "".join(map(source, names))
        return lambda request: Response(text, media_type=kind)
