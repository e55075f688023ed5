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

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.pages.frame import source, templates
from counterbench.pages.labelling.questions import Labelling
from counterbench.pages.labelling.server import Guard
from counterbench.pictures.labelling.answers import RaterAnswers

_log = logging.getLogger(__name__)

# From a rater's answers and the body of a request to the response.
Handler = Callable[[RaterAnswers, bytes], Response]


class _Sent(msgspec.Struct, forbid_unknown_fields=True):
    """An answer as the page sends it: the question's id and the label; or the id alone, to take an answer back."""

    id: str
    label: str = ""


class LabelPage:
    """The page about a labelling, as a web application (`app`).

    Answers are written one after another, and each before its request is answered, so a rater's file has one writer.
    """

    def __init__(self, labelling: Labelling, guard: Guard, rater: str = "") -> None:
        """Set up the addresses of the page, which `app` serves.

        `guard` sees every request first. `rater`: the name that the page proposes.
        """
        self._labelling, self._rater = labelling, rater
        self._raters: dict[str, RaterAnswers] = {}
        routes = [
            Route("/", self._begin),
            Route("/by/{rater}", self._for_rater(self._show)),
            Route("/by/{rater}/next", self._for_rater(lambda file, sent: self._state(file))),
            Route("/by/{rater}/answer", self._for_rater(self._answer), methods=["POST"]),
            Route("/by/{rater}/undo", self._for_rater(self._undo), methods=["POST"]),
            Route("/picture/{id}", self._picture),
            Route("/page.css", self._static_file("text/css", "style.css", "labelling/page.css")),
            Route("/page.js", self._static_file("text/javascript", "labelling/page.js")),
        ]
        self.app = Starlette(routes=routes, middleware=[Middleware(BaseHTTPMiddleware, dispatch=guard)])

    async def _begin(self, request: Request) -> Response:
        """The page that asks for the rater's name; a redirect to the rater's own page if a name was given."""
        name, fault = request.query_params.get("rater", "").strip(), ""
        if name:
            try:
                self._answers_of(name)
                return RedirectResponse(f"/by/{name}", 303)
            except InputError as error:
                fault = str(error)
        page = templates().get_template("labelling/start.html")
        text = page.render(rater=name or self._rater, fault=fault, total=len(self._labelling.questions))
        return HTMLResponse(text, 400 if fault else 200)

    def _answers_of(self, rater: str) -> RaterAnswers:
        """A rater's answers; InputError if the name is not valid."""
        if rater not in self._raters:
            self._raters[rater] = self._labelling.answers_of(rater)
        return self._raters[rater]

    def _for_rater(self, handle: Handler) -> Callable[[Request], Awaitable[Response]]:
        """A handler of requests that gets the file of the rater whom the address names, and the request's body."""

        async def respond(request: Request) -> Response:
            """The handler's response, or an error as a response."""
            sent = await request.body()  # nothing is awaited below, so answers are written one by one
            try:
                return handle(self._answers_of(request.path_params["rater"]), sent)
            except InputError as error:
                return PlainTextResponse(str(error), 400)
            except OSError as error:
                _log.error("%s", error)
                return PlainTextResponse("the answer could not be written", 500)

        return respond

    def _show(self, file: RaterAnswers, sent: bytes) -> Response:
        """The page on which a rater answers."""
        page = templates().get_template("labelling/page.html")
        return HTMLResponse(page.render(rater=file.rater, then=self._labelling.then))

    def _answer(self, file: RaterAnswers, sent: bytes) -> Response:
        """Write an answer; return the new state."""
        answer = self._read_sent(sent)
        file.add(answer.id, self._labelling.questions[answer.id].form.read(answer.label.strip()))
        return self._state(file)

    def _undo(self, file: RaterAnswers, sent: bytes) -> Response:
        """Take an answer back; return the state with its question again."""
        id = self._read_sent(sent).id
        old_label = file.labels.get(id, "")
        file.add(id, "")
        return self._state(file, id, old_label)

    def _read_sent(self, sent: bytes) -> _Sent:
        """The body of a request as an answer; InputError if it is about no question of this page."""
        answer = formats.decode(sent, _Sent, "an answer")
        if answer.id not in self._labelling.questions:
            raise InputError(f"{answer.id!r} is no question of this page")
        return answer

    def _state(self, file: RaterAnswers, again_id: str = "", old_label: str = "") -> Response:
        """A rater's progress, the next question, and the pictures of the question after it, as JSON.

        `again_id`: a question that is asked again, before all others; `old_label`: the answer that it had.
        """
        questions_by_id = self._labelling.questions
        unanswered = sorted((id for id in questions_by_id if id not in file.labels), key=lambda id: id != again_id)
        questions = [questions_by_id[id] for id in unanswered[:2]]
        state: dict[str, Any] = {
            "done": len(questions_by_id) - len(unanswered),
            "total": len(questions_by_id),
            "last": next((id for id in reversed(file.labels) if id in questions_by_id), None),
            "was": old_label,
            "question": questions[0] if questions else None,
            "then": [id for question in questions[1:] for id in question.pictures],
        }
        return Response(msgspec.json.encode(state), media_type="application/json")

    async def _picture(self, request: Request) -> Response:
        """A picture's pixels as PNG; made in the one thread of the page, since pictures may be shared."""
        picture = self._labelling.pictures.get(request.path_params["id"])
        if picture is None:
            return PlainTextResponse("no such picture", 404)
        try:
            return Response(picture.png, media_type="image/png")
        except InputError as error:
            _log.error("%s", error)
            return PlainTextResponse("this picture cannot be read", 410)
        finally:
            picture.forget()

    def _static_file(self, kind: str, *names: str) -> Callable[[Request], Response]:
        """A handler that returns these files, joined."""
        text = "".join(map(source, names))
        return lambda request: Response(text, media_type=kind)
