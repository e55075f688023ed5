"""The gallery's groups as data for the page: every level's prompt, its checks, and each picture with its answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence

import msgspec

from counterbench.reporting.t2i.gather import ModelData, ModelRun
from counterbench.reporting.t2i.known import Which, known_pictures
from counterbench.scene.scene import Scene
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.judging.picture_queries import asked_once
from counterbench.t2i.prompts.prompt_set import Check, Prompt
from counterbench.t2i.protocols.base import Mark
from counterbench.t2i.protocols.cf_eval.gate import shown
from counterbench.t2i.protocols.replies import question_id
from counterbench.t2i.scores.labels import disagrees
from counterbench.t2i.scores.results import CheckResult, group_results
from counterbench.t2i.scores.soft import credited
from counterbench.t2i.words import heading

# The outcomes of a picture; several can be true at once.
OUTCOMES: dict[str, str] = {
    "right": "right in every check",
    "wrong": "wrong: a check answered otherwise than of a right picture",
    "partly": "in part: a check that is right in part",
    "lost": "a check without an answer",
    "refused": "refused by the model",
    "blank": "blank",
    "gone": "missing or unreadable",
}
# The outcome that a picture shows, where checks ask for habit's outcome too.
SHOWS: dict[str, str] = {
    "asked": "the asked outcome",
    "habit": "reverted to habit",
    "both": "both outcomes affirmed",
    "neither": "neither outcome",
}
# A picture of a run, by its place among the runs; or a scene that is drawn for the page.
Wanted = tuple[int, ImageRow] | Scene
_OF_STATUS = {"refused": "refused", "blank": "blank", "missing": "gone", "unreadable": "gone"}


class AnswerCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A judge's answer to one check."""

    answer: str = ""
    mark: Mark = "right"
    credit: float | None = None
    outcome: str = "answer"
    p_yes: float | None = None  # the judge's probability of yes, where it is known
    said: list[str] = []  # the replies as they came, where they say more than `answer`
    person: float | None = None  # a person's credit
    differs: bool = False  # the judge's credit differs from the person's


class SampleCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One picture of a run."""

    run: int
    sample: int
    answers: list[AnswerCard]  # one for each check of its level, in order
    picture: int | None = None  # its place among all pictures
    status: str = "ok"
    message: str = ""
    score: float | None = None  # the protocol's number of this picture alone, if there is one
    parts: dict[str, float] = {}  # the numbers that the score is made of, by name
    outcomes: list[str] = []  # names of `OUTCOMES`
    shows: str = ""  # a name of `SHOWS`


class CheckCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One check of a level."""

    id: str
    text: str
    expected: str  # the right answer; empty where no answer is right or wrong
    weight: float
    dimension: str = ""
    skill: str = ""
    criteria: str = ""  # the meaning of its grades
    habit: str = ""  # the true answer about the picture that habit draws


class LevelCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One prompt of a group."""

    level: str
    prompt: str
    checks: list[CheckCard]
    samples: list[SampleCard]
    right: int | None = None  # the place of the right picture, if it is known
    habit: int | None = None  # the place of habit's picture, if it is known


class GroupCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One group."""

    id: str
    about: list[str]  # its subject: law, category, …
    levels: list[LevelCard]


class Sources:
    """The sources of the pictures of all cards, in order; a picture that comes twice has one place."""

    def __init__(self) -> None:
        self.wanted: list[Wanted] = []
        self._places: dict[object, int] = {}

    def place(self, of: Wanted) -> int:
        """The place of a run's picture, or of a scene that is drawn for the page."""
        key = of.digest if isinstance(of, Scene) else of[1].picture_digest
        if key not in self._places:
            self._places[key] = len(self.wanted)
            self.wanted.append(of)
        return self._places[key]


def group_cards(data: ModelData, sources: Sources) -> Iterator[GroupCard]:
    """Every group of the runs' prompts, in their order."""
    prompts, awards = data.runs[0].run.prompts, data.runs[0].run.protocol.awards
    samples = [_samples(number, run) for number, run in enumerate(data.runs)]
    for group, levels in prompts.groups.items():
        first = next(iter(levels.values()))
        about = [first.discipline, first.category, first.law, first.variant, first.depth]
        cards = []
        for level, prompt in levels.items():
            known: dict[Which, int] = {}
            habit: dict[str, str] = {}
            for picture in known_pictures(prompts, prompt):
                known[picture.which] = sources.place(picture.scene)
                habit = picture.answers if picture.which == "habit" else habit
            asked = _asked(prompt, [of.get(prompt.id, []) for of in samples])
            shown = [sample.card(sources, asked) for of in samples for sample in of.get(prompt.id, [])]
            checks = [_check(check, habit.get(check.id, ""), awards) for check in asked]
            cards.append(LevelCard(level, prompt.text, checks, shown, known.get("right"), known.get("habit")))
        yield GroupCard(group, list(dict.fromkeys(filter(None, about))), cards)


class _Sample(msgspec.Struct, frozen=True):
    """One sample of a run, which becomes a card once the checks of its level are known."""

    run: int
    row: ImageRow
    answers: dict[str, AnswerCard]
    score: float | None
    parts: dict[str, float]
    shows: str

    def card(self, sources: Sources, checks: Sequence[Check]) -> SampleCard:
        """The card, with its picture among the `sources`."""
        row, answers = self.row, [self.answers[check.id] for check in checks]
        there = row.status in ("ok", "blank")
        return SampleCard(
            run=self.run,
            sample=row.sample,
            answers=answers if row.status == "ok" else [],
            picture=sources.place((self.run, row)) if there else None,
            status=row.status,
            message=row.message,
            score=self.score,
            parts=self.parts,
            outcomes=_outcomes(row, answers),
            shows=self.shows,
        )


def _asked(prompt: Prompt, samples: Sequence[Sequence[_Sample]]) -> list[Check]:
    """The checks that have a row: a protocol may ask more checks than it scores."""
    rows = {id for of in samples for sample in of for id in sample.answers}
    return [check for check in prompt.checks if check.id in rows]


def _check(check: Check, habit: str, awards: Collection[str]) -> CheckCard:
    about = (check.dimension, check.skill, check.criteria)
    expected = "" if check.dimension in awards else check.expected
    return CheckCard(check.id, check.text, expected, check.weight, *about, habit)


def _samples(number: int, of: ModelRun) -> dict[str, list[_Sample]]:
    """Every sample of a run, by prompt."""
    run = of.run
    answers: dict[str, dict[str, AnswerCard]] = {}
    once = asked_once(run.kept.samples, run.prompts)
    for row in run.rows:
        said = of.replies.get(question_id(once[row.sample_id], row.question or row.check), [])
        card = _answer(row, run.protocol.mark(row), said, of.people.get((row.sample_id, row.check)))
        answers.setdefault(row.sample_id, {})[row.check] = card
    how = run.protocol.scorings[of.document.signature.scoring]
    pictures = {
        picture.id: picture
        for group in group_results(credited(run.rows, how), run.prompts.levels)
        for level in group.pictures.values()
        for picture in level.values()
    }
    by_prompt: dict[str, list[_Sample]] = {}
    for kept in run.kept.samples:
        picture = pictures.get(kept.id)
        numbers = [] if picture is None else list(run.protocol.of_picture(picture, how).items())
        score = numbers[0][1] if numbers else None
        parts = {heading(name): value for name, value in numbers[1:]}
        shows = (shown(picture) or "") if picture is not None and picture.status == "ok" else ""
        sample = _Sample(number, kept, answers.get(kept.id, {}), score, parts, shows)
        by_prompt.setdefault(f"{kept.group}/{kept.level}", []).append(sample)
    return by_prompt


def _answer(row: CheckResult, mark: Mark, said: list[str], person: float | None) -> AnswerCard:
    plain: Callable[[str], str] = lambda text: text.strip().lower().rstrip(".!")  # noqa: E731
    shown = [] if row.answer is not None and [plain(text) for text in said] == [plain(row.answer)] else said
    # A check that follows from other answers has a credit although it was not asked.
    answer = "not asked" if row.answer is None and row.credit is not None else row.answer or ""
    differs = person is not None and disagrees(row, person)
    return AnswerCard(answer, mark, row.credit, row.outcome, row.p_yes, shown, person, differs)


def _outcomes(row: ImageRow, answers: Sequence[AnswerCard]) -> list[str]:
    if row.status != "ok":
        return [_OF_STATUS[row.status]]
    marks = [answer.mark for answer in answers if answer.mark != "noted"]
    if marks and all(mark == "right" for mark in marks):
        return ["right"]
    return [name for name in ("wrong", "partly", "lost") if name in marks]
