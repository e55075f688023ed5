"""Makes the cards of a page's gallery: for each prompt its checks, and each picture with the judge's answers.

In go the gathered runs (`ModelData`), each with one model's pictures, a judge's answers and people's labels. Out come
`GroupCard`s (`group_cards`), which the page has as JSON, the pictures that they name by place (`Sources`), and the
`Example`s that stand at the top of the page (`examples`). `models_page` uses them.

A *group* is the prompts about one subject, such as an altered law in one setting; each has a *level*, such as "L1". A
*check* is a question about a picture, a *sample* one of the pictures of a prompt. The *credit* of an answer says how
right it is, 0 … 1; its *mark* says it in a word. The *prior* is the outcome that usually happens: that of the real law.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench.errors import CounterbenchError
from counterbench.pages.models.gather_models import ModelData, PageModelRun
from counterbench.pictures.protocols.base import Mark
from counterbench.pictures.protocols.cf_eval.gate import shown
from counterbench.pictures.protocols.ground_truth import true_answer
from counterbench.pictures.scores.labels import disagrees
from counterbench.pictures.scores.results import CheckResult, group_results
from counterbench.pictures.scores.rules import credited
from counterbench.prompts.from_laws import outcome_of
from counterbench.prompts.manifest import ImageRow
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.prompts.skills import skill_of
from counterbench.results.measures import heading
from counterbench.scene.scene import Scene

# The outcomes of a picture, by name, in the words of the page; several can be true at once.
OUTCOMES: dict[str, str] = {
    "failure": "not right in every check",
    "right": "right in every check",
    "wrong": "wrong: a check answered otherwise than of a right picture",
    "partly": "in part: a check that is right in part",
    "lost": "a check without an answer",
    "refused": "refused by the model",
    "blank": "blank",
    "gone": "missing or unreadable",
}
# The outcome in a picture by the judge's answers (see `gate.shown`), in words; for checks that ask for the prior too.
SHOWS: dict[str, str] = {
    "asked": "the asked outcome",
    "prior": "reverted to prior",
    "both": "both outcomes affirmed",
    "neither": "neither outcome",
}
# A picture that the page needs: of a run, as the run's place among the runs and the row of its manifest; a scene that
# is drawn for the page; or a file.
Wanted = tuple[int, ImageRow] | Scene | Path
_NEAR_EVEN = 0.2  # a probability is near even if it is at most so far from one half
# The outcome of a picture by its status, if that is not "ok".
_OUTCOME_OF_STATUS = {"refused": "refused", "blank": "blank", "missing": "gone", "unreadable": "gone"}


class AnswerCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A judge's answer to one check."""

    answer: str = ""
    mark: Mark = "right"
    credit: float | None = None  # how right the answer is, from 0 to 1
    outcome: str = "answer"  # "answer", or the reason why there is none
    p_yes: float | None = None  # the judge's probability of yes, where it is known
    denied: bool = False  # the judge contradicts itself: it said the same when the check was asked negated
    said: list[str] = []  # the replies as they came, where they say more than `answer`
    person: float | None = None  # the credit by people's labels; None without
    differs: bool = False  # the judge's credit differs from the person's
    split: bool = False  # raters gave different answers


class SampleCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A picture of a run, with its answers, score and outcomes."""

    run: int  # the place of the run on the page, from 0
    sample: int  # the number of the picture among those of its prompt
    answers: list[AnswerCard]  # one for each check of its level, in order
    picture: int | None = None  # its place among all pictures
    status: str = "ok"
    message: str = ""
    score: float | None = None  # the protocol's number of this picture alone, if there is one
    parts: dict[str, float] = {}  # the numbers that the score is made of, by name
    outcomes: list[str] = []  # names of `OUTCOMES`
    shows: str = ""  # a name of `SHOWS`


# The card in place of an answer, for a check that only another run's protocol asks.
_NOT_ASKED = AnswerCard("not asked", "noted")


class LevelCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A prompt of a group, with its checks and a card for each of its pictures.

    If we can draw the picture that is right for the prompt, and that of the prior, the page shows them too.
    """

    level: str
    prompt: str
    checks: list[Check]  # without an expected answer where none is right or wrong
    samples: list[SampleCard]
    right: int | None = None  # the place of the right picture among `Sources.wanted`; None if we cannot draw it
    prior: int | None = None  # the place of the prior's picture
    answers: dict[str, str] = {}  # the true answers about the prior's picture, by check id


class GroupCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A group of prompts: its subject, and a card for each of its prompts."""

    id: str
    about: list[str]  # its subject: law, category, …
    levels: list[LevelCard]


class Sources:
    """The list of all pictures that the cards need (`wanted`). A card names a picture by its place in this list.

    A picture that several cards need stands there once.
    """

    def __init__(self) -> None:
        self.wanted: list[Wanted] = []
        self._places: dict[object, int] = {}

    def place(self, picture: Wanted) -> int:
        """The place of a picture among `wanted`, from 0; it is added if it is not there yet."""
        key = picture[1].picture_digest if isinstance(picture, tuple) else picture
        key = key.digest if isinstance(key, Scene) else key
        if key not in self._places:
            self._places[key] = len(self.wanted)
            self.wanted.append(picture)
        return self._places[key]


def group_cards(data: ModelData, sources: Sources) -> Iterator[GroupCard]:
    """A card for every group of the runs' prompts, in order; their pictures are added to `sources`."""
    prompts = data.runs[0].run.prompts
    awards = {name for run in data.runs for name in run.run.protocol.awards}
    # A protocol may ask more checks than it scores. Those that have a row are shown: (prompt id, check id).
    scored = {(row.sample_id.rpartition("/")[0], row.check) for run in data.runs for row in run.run.rows}
    card_makers = [_RunCards(number, run) for number, run in enumerate(data.runs)]
    for group, levels in prompts.groups.items():
        first = next(iter(levels.values()))
        about = [first.discipline, first.category, first.law, first.variant, first.depth]
        cards = []
        for level, prompt in levels.items():
            checks_by_id = {check.id: check for run in data.runs for check in run.run.prompts.by_id[prompt.id].checks}
            scored_checks = [check for check in checks_by_id.values() if (prompt.id, check.id) in scored]
            known = known_pictures(prompts, prompt)
            places = {name: sources.place(scene) for name, (scene, _) in known.items()}
            _, answers = known.get("prior", (None, {}))
            checks = [
                msgspec.structs.replace(
                    check,
                    expected="" if check.dimension in awards else check.expected,
                    skill=skill_of(check),
                    program=None,
                )
                for check in scored_checks
            ]
            samples = [card for maker in card_makers for card in maker.samples(prompt, scored_checks, sources)]
            cards.append(LevelCard(level, prompt.text, checks, samples, **places, answers=answers))
        yield GroupCard(group, list(dict.fromkeys(filter(None, about))), cards)


def known_pictures(prompts: PromptSet, prompt: Prompt) -> dict[str, tuple[Scene, dict[str, str]]]:
    """The scenes that we can draw for a prompt about a law, by name, each with its true answers by check id.

    "right" is the scene that the prompt asks for; "prior" is what usually happens, if that is another scene. Answers
    that are not known are left out. Empty if we cannot draw the right scene, or if this version's laws contradict the
    answers that the prompt's own checks expect.
    """
    if prompts.seed is None or not prompt.law:
        return {}
    scenes = {}
    try:
        for name in ("right", "prior"):
            if (scene := outcome_of(prompts, prompt, prior=name == "prior")) is not None:
                answers = {check.id: true_answer(check, scene) for check in prompt.checks}
                scenes[name] = scene, {id: answer for id, answer in answers.items() if answer is not None}
    except CounterbenchError:
        return {}
    _, truths = scenes.get("right", (None, None))
    wrong = truths is None or any(truths.get(check.id, check.expected) != check.expected for check in prompt.checks)
    return {} if wrong else scenes


class _RunCards:
    """Makes the cards of one run's samples, prompt by prompt."""

    def __init__(self, number: int, model_run: PageModelRun) -> None:
        """Make the card of each answer of the run, by sample and check; `number`: the run's place on the page."""
        run = model_run.run
        self._number, self._protocol = number, run.protocol
        self._scoring = run.protocol.scorings[model_run.document.provenance.scoring]
        self._rows: dict[str, list[ImageRow]] = defaultdict(list)
        for sample in run.kept.samples:
            self._rows[f"{sample.group}/{sample.level}"].append(sample)
        id_of = run.question_ids()
        self._answers: dict[str, dict[str, AnswerCard]] = defaultdict(dict)
        denied = {(both.sample, both.check) for both in run.both_forms if both.answer == both.answer_negated}
        for row in run.rows:
            replies = model_run.replies.get(id_of(row), [])
            person = model_run.people.get((row.sample_id, row.check))
            card = _answer(row, run.protocol.mark(row), replies, person, (row.sample_id, row.check) in denied)
            self._answers[row.sample_id][row.check] = card
        self._pictures = {
            picture.id: picture
            for group in group_results(credited(run.rows, self._scoring), run.prompts.levels)
            for picture in group.every_picture
        }

    def samples(self, prompt: Prompt, checks: Sequence[Check], sources: Sources) -> Iterator[SampleCard]:
        """The cards of a prompt's samples; their pictures are added to `sources`."""
        for row in self._rows[prompt.id]:
            picture = self._pictures.get(row.id)
            numbers = [] if picture is None else list(self._protocol.of_picture(picture, self._scoring).items())
            answers = [self._answers[row.id].get(check.id, _NOT_ASKED) for check in checks]
            yield SampleCard(
                run=self._number,
                sample=row.sample,
                answers=answers if row.status == "ok" else [],
                picture=sources.place((self._number, row)) if row.status in ("ok", "blank") else None,
                status=row.status,
                message=row.message,
                score=numbers[0][1] if numbers else None,
                parts={heading(name): value for name, value in numbers[1:]},
                outcomes=_outcomes(row, answers),
                shows=(shown(picture) or "") if picture is not None and picture.status == "ok" else "",
            )


def _answer(row: CheckResult, mark: Mark, replies: list[str], person: float | None, denied: bool) -> AnswerCard:
    """The card of an answer.

    `replies`: the judge's replies to the check as they came; `person`: the credit by people's labels, if there are any;
    `denied`: True if the judge gave the same answer when the check was asked negated.
    """
    plain: Callable[[str], str] = lambda text: text.strip().lower().rstrip(".!")  # noqa: E731
    texts = [] if row.answer is not None and [plain(text) for text in replies] == [plain(row.answer)] else replies
    # A check that follows from other answers has a credit although it was not asked.
    answer = "not asked" if row.answer is None and row.credit is not None else row.answer or ""
    differs = person is not None and disagrees(row, person)
    split = person is not None and row.yes_no and 0 < person < 1
    return AnswerCard(answer, mark, row.credit, row.outcome, row.p_yes, denied, texts, person, differs, split)


def _outcomes(row: ImageRow, answers: Sequence[AnswerCard]) -> list[str]:
    """The names of `OUTCOMES` that are true of a picture; `answers`: the cards of the answers about it."""
    if row.status != "ok":
        return ["failure", _OUTCOME_OF_STATUS[row.status]]
    marks = [answer.mark for answer in answers if answer.mark != "noted"]
    if marks and all(mark == "right" for mark in marks):
        return ["right"]
    return (["failure"] if marks else []) + [name for name in ("wrong", "partly", "lost") if name in marks]


# An answer and what it belongs to: the group's id, the cards of level and sample, the check, and the answer's card.
_AnswerInGroup = tuple[str, LevelCard, SampleCard, Check, AnswerCard]


class Example(msgspec.Struct, frozen=True):
    """An answer that the page shows at its top as an example, with its picture."""

    title: str
    reason: str  # why the answer is right, wrong or doubtful, in words
    group: str
    level: LevelCard
    sample: SampleCard
    check: Check
    answer: AnswerCard


def examples(groups: Sequence[GroupCard]) -> list[Example]:
    """A right answer, a wrong one and a doubtful one, as far as there are any; each about another picture.

    The right one is about the same check as the wrong one, if there is such an answer.
    """
    every = [
        (group.id, level, sample, check, answer)
        for group in groups
        for level in group.levels
        for sample in level.samples
        for check, answer in zip(level.checks, sample.answers, strict=False)
        if sample.picture is not None and sample.status == "ok"
    ]
    doubts = sorted((doubt, place) for place, (*_, answer) in enumerate(every) if (doubt := _doubt(answer)) is not None)
    sure = [placed for placed in every if _doubt(placed[-1]) is None]
    wrong = [placed for placed in sure if placed[-1].mark == "wrong"][:1]
    right = [placed for placed in sure if placed[-1].mark == "right"]
    right.sort(key=lambda placed: not any(placed[1] is other[1] and placed[3] is other[3] for other in wrong))
    right = _first_of_another(right, wrong)
    doubtful = _first_of_another([every[place] for _, place in doubts], [*wrong, *right])
    return [
        *(Example("A right answer", "a right picture has this answer", *placed) for placed in right),
        *(Example("A wrong answer", "a right picture has another answer", *placed) for placed in wrong),
        *(Example("A doubtful answer", (_doubt(placed[-1]) or (0, ""))[1], *placed) for placed in doubtful),
    ]


def _first_of_another(answers: list[_AnswerInGroup], shown: list[_AnswerInGroup]) -> list[_AnswerInGroup]:
    """The first of `answers` that is about another picture than the `shown` ones, as a list of one; else empty."""
    pictures = {answer[2].picture for answer in shown}
    return [answer for answer in answers if answer[2].picture not in pictures][:1]


def _doubt(answer: AnswerCard) -> tuple[float, str] | None:
    """A sort key (lower for a better example) and the reason to doubt an answer, in words; None if there is no doubt.

    An answer is doubtful if it contradicts the one to the negated check, if the judge's probability of yes is near
    even, or if it cannot be read.
    """
    if answer.denied:
        return 0, f"the judge also says {answer.answer} when asked whether it is false"
    if answer.p_yes is not None and abs(answer.p_yes - 0.5) <= _NEAR_EVEN:
        return 1 + abs(answer.p_yes - 0.5), f"the judge's probability of yes is {answer.p_yes:.2f}"
    return (2, f"no answer can be read: {answer.outcome}") if answer.mark == "lost" else None
