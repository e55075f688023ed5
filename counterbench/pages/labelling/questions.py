"""A question as a rater sees it: its words, ways to answer it, its pictures; no name of a model, file or judge."""

import contextlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.answers import answer_type, kind_of, scale_of
from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.labelling.answers import RaterAnswers, RaterFile
from counterbench.pictures.labelling.pairs import ModelPair, QuestionsById
from counterbench.pictures.labelling.people import PeopleQuestions, PersonRun
from counterbench.pictures.scores.labels import CANNOT_TELL, YES_NO, fitting
from counterbench.prompts.manifest import file_of

Button = tuple[str, ...]  # the answer, its words, and the keys that choose it, as browsers name them

_MAX_BUTTONS = 12
_UNSURE: Button = (CANNOT_TELL, "Cannot tell", " ")
_YES_NO: tuple[Button, ...] = (("yes", "Yes", "y"), ("no", "No", "n"), _UNSURE)
_GRADES: tuple[Button, ...] = (("0", "0", "0"), ("0.5", "0.5", "5"), ("1", "1", "1"), _UNSURE)
_PAIRED: tuple[Button, ...] = (
    (FIRST, "A is better", "ArrowLeft"),
    (EQUAL, "Equal", "e", " "),
    (SECOND, "B is better", "ArrowRight"),
    (CANNOT_TELL, "Cannot tell"),  # shown where a picture cannot be read
)


class LabelForm(msgspec.Struct, frozen=True):
    """The ways to answer a question: buttons, and a field for an answer that cannot be listed."""

    kind: str  # the answer type
    buttons: tuple[Button, ...]
    field: str = ""  # the kind of the field, "number" or "words"; empty without a field
    hint: str = ""  # the answers that the field takes, in words
    letters: dict[str, str] = {}  # labels in the question that the field takes too, each mapped to itself

    def read(self, text: str) -> str:
        """An answer in canonical form; InputError if this question has no such answer."""
        labels = [label for label, *_ in self.buttons]
        if text in labels:
            return text
        with contextlib.suppress(InputError):
            if self.field:
                return fitting(text, self.kind, self.letters)
        raise InputError(f"{text!r} is no answer: give {self.hint or ' or '.join(labels)}")


class PageQuestion(msgspec.Struct, frozen=True):
    """A question as the page gets it; `pictures` are ids among `Labelling.pictures`."""

    id: str
    text: str
    form: LabelForm
    pictures: tuple[str, ...]
    criteria: str = ""
    prompt: str = ""


class Labelling(msgspec.Struct, frozen=True):
    """All that a page needs: the questions in their order, by id, their pictures, and the answers."""

    answers_of: Callable[[str], RaterAnswers]  # opens a rater's answers, by name; InputError for a name of no file
    questions: Mapping[str, PageQuestion]
    pictures: Mapping[str, Picture]  # by id
    then: str  # the command that uses the answers


def form_of(kind: str) -> LabelForm:
    """The ways to answer a question of an answer type; "cannot tell" is always the last button."""
    if kind in YES_NO:
        return LabelForm(kind, _YES_NO)
    if kind == "grade":
        return LabelForm(kind, _GRADES)
    values, scale = _values(kind), scale_of(kind)
    if 0 < len(values) <= _MAX_BUTTONS:
        are_digits = all(value.isdecimal() for value in values)  # keys are their own digits, else their places
        keys = [value if are_digits else str(place) for place, value in enumerate(values, 1)]
        buttons = [(value, value, *([key] if len(key) == 1 else [])) for value, key in zip(values, keys, strict=True)]
        return LabelForm(kind, (*buttons, _UNSURE))
    if scale is not None:
        return LabelForm(kind, (_UNSURE,), "number", f"a number from {' to '.join(scale)}")
    if kind == "integer":
        return LabelForm(kind, (_UNSURE,), "number", "a whole number")
    hint = "a colour and a shape" if kind == "colour-shape" else "a few words"
    return LabelForm(kind, (_UNSURE[:2],), "words", hint)  # in which a space is a space


def _values(kind: str) -> Sequence[str]:
    """The answers that can be listed, choices or the whole numbers of a scale (at most one too many); else none."""
    scale = scale_of(kind) if kind_of(kind) == "rating" else None
    if scale is not None and all(end.lstrip("-").isdecimal() for end in scale):
        low, high = map(int, scale)
        return [str(value) for value in range(low, min(high, low + _MAX_BUTTONS) + 1)]
    return answer_type(kind).alphabet or ()


def labelling(run: Path, models: Sequence[JudgedRun], units: QuestionsById, pairs: bool) -> Labelling:
    """The content of the page about a run's checks, or about pairs of its models.

    `units`: by id, the check or the pair of pictures that is asked about; `pairs`: True if they are pairs. Checks of
    pictures that were lost since are left out. InputError if the folder of a model's pictures is not there.
    """
    files = _pictures(models)
    prompts = {prompt.id: prompt for model in models for prompt in model.prompts.prompts}
    questions, pictures = dict[str, PageQuestion](), dict[str, Picture]()
    for id, unit in units.items():
        prompt = prompts[unit.sample.rpartition("/")[0]]
        if isinstance(unit, ModelPair):
            shown = {f"{id}a": unit.first, f"{id}b": unit.second}
            text, form, criteria = (
                "Which picture better shows what the prompt asks for?",
                LabelForm("pair", _PAIRED),
                "",
            )
        else:
            shown, check = {id: unit.model}, next(check for check in prompt.checks if check.id == unit.check)
            if (unit.model, unit.sample) not in files:  # lost since the sample was drawn
                continue
            text, form, criteria = check.text, form_of(check.answer_type), check.criteria
        prompt_text = prompt.text if pairs or models[0].protocol.shows_prompt else ""
        questions[id] = PageQuestion(id, text, form, tuple(shown), criteria, prompt_text)
        pictures |= {picture: files[model, unit.sample] for picture, model in shown.items()}
    then = "counterbench label RUN --pairs --export pairs.csv" if pairs else "counterbench score RUN"
    return Labelling(lambda rater: RaterFile(run, rater, pairs), questions, pictures, then)


def labelling_of_pairs(people: PeopleQuestions) -> Labelling:
    """The content of the page about a run's drawn pairs: a question about one picture, or about two of a comparison."""
    questions, pictures = dict[str, PageQuestion](), dict[str, Picture]()
    for id, query in people.queries.items():
        shown = {f"{id}{n}": picture for n, picture in enumerate(query.pictures)}
        form = msgspec.structs.replace(form_of(query.answer_type), letters=query.labels)
        questions[id] = PageQuestion(id, query.text, form, tuple(shown))
        pictures |= shown
    return Labelling(lambda rater: PersonRun(people, rater), questions, pictures, "counterbench score RUN")


def _pictures(runs: Sequence[JudgedRun]) -> dict[tuple[str, str], Picture]:
    """Each picture, by model and sample; InputError if a folder is not there."""
    pictures = dict[tuple[str, str], Picture]()
    for kept in (run.kept for run in runs):
        folder = Path(kept.model.images)
        if not folder.is_dir():
            raise InputError(f"{folder}: the run's pictures are not there; call this in the folder where it was judged")
        rows = (row for row in kept.samples if row.status == "ok")
        pictures |= {
            (kept.model.name, row.id): Picture.from_file(file_of(folder, row), row.picture_digest) for row in rows
        }
    return pictures
