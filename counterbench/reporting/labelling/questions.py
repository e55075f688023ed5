"""A question as a rater sees it: its words, ways to answer it, its pictures; no name of a model, file or judge."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from counterbench.answers import answer_type, kind_of, scale_of
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.t2i.comparing.preferences import EQUAL, FIRST, SECOND
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.judging.results import JudgedRun
from counterbench.t2i.labelling.answers import RaterFile
from counterbench.t2i.labelling.pairs import FILES, model_pairs
from counterbench.t2i.labelling.units import Unit
from counterbench.t2i.scores.labels import CANNOT_TELL, YES_NO, fitting

_MOST_BUTTONS = 12
_PAIR = "Which picture shows better what the prompt asks for?"


class Button(msgspec.Struct, frozen=True):
    """One answer to choose, and the keys that choose it, as browsers name them."""

    label: str
    text: str
    keys: tuple[str, ...] = ()


class Form(msgspec.Struct, frozen=True):
    """The ways to answer a question: buttons, and a field for an answer that cannot be listed."""

    kind: str  # the answer type
    buttons: tuple[Button, ...]
    field: str = ""  # "number" or "words"
    hint: str = ""

    def read(self, said: str) -> str:
        """An answer in canonical form; InputError that says what it may be."""
        known = [button.label for button in self.buttons]
        if said in known:
            return said
        if not self.field:
            raise InputError(f"{said!r} is no answer; choose from: {', '.join(known)}")
        try:
            return fitting(said, self.kind)
        except InputError:
            raise InputError(f"{said!r} is no answer: give {self.hint}") from None


_UNSURE = Button(CANNOT_TELL, "Cannot tell", (" ",))
_PAIRED = Form(
    "pair",
    (
        Button(FIRST, "A is better", ("ArrowLeft",)),
        Button(EQUAL, "Equal", ("e", " ")),
        Button(SECOND, "B is better", ("ArrowRight",)),
        Button(CANNOT_TELL, "Cannot tell"),  # shown where a picture cannot be read
    ),
)


class Question(msgspec.Struct, frozen=True):
    """A question as the page gets it; `pictures` are ids."""

    id: str
    text: str
    form: Form
    pictures: tuple[str, ...]
    criteria: str = ""
    prompt: str = ""


class Labelling(msgspec.Struct, frozen=True):
    """All that a page needs: the questions in their order, their pictures, and the files of answers."""

    questions: Mapping[str, Question]  # by id
    pictures: Mapping[str, tuple[Path, ImageRow]]  # by id: the folder, and the row with the path in it
    open: Callable[[str], RaterFile]  # the file of a rater
    then: str  # the command that uses the answers

    def png(self, id: str) -> bytes | None:
        """A picture's pixels as PNG; None if there is no such picture; InputError if it cannot be read."""
        if id not in self.pictures:
            return None
        folder, row = self.pictures[id]
        return Picture.from_file(folder / row.path, row.picture_digest).png


def form_of(kind: str) -> Form:
    """The ways to answer a question of an answer type; "cannot tell" is always the last button."""
    if kind in YES_NO:
        return Form(kind, (Button("yes", "Yes", ("y",)), Button("no", "No", ("n",)), _UNSURE))
    if kind == "grade":
        keys = {"0": "0", "0.5": "5", "1": "1"}
        return Form(kind, (*(Button(grade, grade, (key,)) for grade, key in keys.items()), _UNSURE))
    values, scale = _values(kind), scale_of(kind)
    if values:
        named = all(value.isdecimal() for value in values)  # by their own digits, else by their places
        keys = {value: value if named else str(place) for place, value in enumerate(values, 1)}
        buttons = (Button(value, value, (key,) if len(key) == 1 else ()) for value, key in keys.items())
        return Form(kind, (*buttons, _UNSURE))
    if scale is not None:
        return Form(kind, (_UNSURE,), "number", f"a number from {' to '.join(scale)}")
    if kind == "integer":
        return Form(kind, (_UNSURE,), "number", "a whole number")
    return Form(kind, (Button(CANNOT_TELL, _UNSURE.text),), "words", "a few words")  # in which a space is a space


def _values(kind: str) -> Sequence[str]:
    """The answers that are shown as buttons: few choices, or the whole numbers of a short scale."""
    known = answer_type(kind).alphabet or ()
    scale = scale_of(kind) if kind_of(kind) == "rating" else None
    if scale is not None and all(end.lstrip("-").isdecimal() for end in scale):
        low, high = map(int, scale)
        known = tuple(map(str, range(low, high + 1))) if high - low < _MOST_BUTTONS else ()
    return known if len(known) <= _MOST_BUTTONS else ()


def check_labelling(path: Path, runs: Sequence[JudgedRun], sample: Sequence[Unit]) -> Labelling:
    """The questions of a run's sample, a check of a picture each."""
    pictures = _pictures(runs)
    checks = {(of.id, check.id): check for run in runs for of in run.prompts.prompts for check in of.checks}
    prompts = {of.id: of.text for run in runs for of in run.prompts.prompts if run.protocol.shows_prompt}
    questions: dict[str, Question] = {}
    shown: dict[str, tuple[Path, ImageRow]] = {}
    for about in (question for unit in sample for question in unit.questions):
        prompt, picture = about.sample.rpartition("/")[0], pictures.get((about.model, about.sample))
        check = checks.get((prompt, about.check))
        if check is not None and picture is not None:
            shown[about.id] = picture
            form, words = form_of(check.answer_type), prompts.get(prompt, "")
            questions[about.id] = Question(about.id, check.text, form, (about.id,), check.criteria, words)
    return Labelling(questions, shown, lambda rater: RaterFile(path, rater), "counterbench t2i score RUN")


def pair_labelling(path: Path, runs: Sequence[JudgedRun]) -> Labelling:
    """The pairs of a run about several models; InputError if it has none."""
    pictures, pairs = _pictures(runs), model_pairs(runs)
    prompts = {of.id: of.text for run in runs for of in run.prompts.prompts}
    questions: dict[str, Question] = {}
    shown: dict[str, tuple[Path, ImageRow]] = {}
    for id, pair in pairs.items():
        two = {f"{id}a": (pair.first, pair.sample), f"{id}b": (pair.second, pair.sample)}
        shown |= {side: pictures[place] for side, place in two.items()}
        prompt = prompts[pair.sample.rpartition("/")[0]]
        questions[id] = Question(id, _PAIR, _PAIRED, tuple(two), prompt=prompt)
    then = "counterbench label RUN --pairs --export pairs.csv"
    return Labelling(questions, shown, lambda rater: RaterFile(path, rater, FILES), then)


def _pictures(runs: Sequence[JudgedRun]) -> dict[tuple[str, str], tuple[Path, ImageRow]]:
    """The folder and row of each picture that is there, by model and sample; InputError if a folder is not."""
    found: dict[tuple[str, str], Any] = {}
    for run in runs:
        folder = Path(run.kept.model.images)
        if not folder.is_dir():
            raise InputError(f"{folder}: the run's pictures are not there; call this in the folder where it was judged")
        found |= {(run.kept.model.name, row.id): (folder, row) for row in run.kept.samples if row.status == "ok"}
    return found
