"""What planted judges answer about planted models' pictures, from tables of truths, without any picture.

Of each model, prompt and check the tables hold the query and the key that `t2i judge` makes: the true answer, the wrong
ones by fault, and the traits. A judge answers by the code of its own fault, as `PlantedJudge` does; questions on which
its fault cannot show have their true answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from math import log
from pathlib import Path
from typing import NamedTuple

import msgspec

from counterbench.answers.outcomes import Answer, Failed
from counterbench.answers.soft import SoftAnswer, Token
from counterbench.judges.base import Reply
from counterbench.judges.planted import PLANTED, PlantedJudge
from counterbench.judges.planted.faults import Dose, Planting
from counterbench.judges.specs import read_options, split_spec
from counterbench.laws.base import NO_CHANGE
from counterbench.pictures.judging.judged_run import results_of
from counterbench.pictures.judging.picture_queries import PictureQuestions, asked_id, asked_sample_ids
from counterbench.pictures.protocols import protocol
from counterbench.pictures.protocols.cf_eval.gate import ROUNDING, THRESHOLD
from counterbench.pictures.scores.results import group_results
from counterbench.pictures.scores.rules import SOFT, credited, picture_score
from counterbench.prompts.manifest import ImageRow, Images, ImagesInfo
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.runs.queries import Key, PromptTemplate, Query, load_template, with_prompt

LEVELS = ("l1", "l2", "l3")
SEEDS_OF_A_CHANCE = 1000
Said = tuple[str, ...] | tuple[float, ...]
_LIKELY = ("no", "yes")


class Task(NamedTuple):
    """One question and its key."""

    query: Query
    key: Key

    @property
    def original(self) -> str:
        """The truth of the original of its pair, for a question about pictures its own."""
        return self.key.expected


class ShownPicture(NamedTuple):
    """A picture's questions by one protocol."""

    prompt: Prompt
    items: tuple[Task, ...]


def images_of(name: str, spec: str, prompts: PromptSet) -> Images:
    """A folder of one picture of each prompt as `t2i generate` would make it, without its files."""
    rows = [
        ImageRow(
            id=f"{prompt.id}/0", group=prompt.group, level=prompt.level, sample=0, prompt=prompt.text, seed=0,
            prompt_digest=prompt.digest, status="ok", path="/".join(map(str, (prompt.law, *prompt.drawn_as))),
        )
        for prompt in prompts.prompts
    ]  # fmt: skip
    info = ImagesInfo(prompts=prompts.name, generator=f"planted:{spec}", samples=1, seed=0, versions={})
    return Images(Path(name), info, tuple(rows), prompts)


def by_row(questions: PictureQuestions, template: PromptTemplate) -> dict[tuple[str, str], ShownPicture]:
    """The questions about each picture, by model and row; pictures of the same words are one."""
    own, every = dict[str, ShownPicture](), dict[tuple[str, str], ShownPicture]()
    for thing in questions.things:
        prompt = questions.prompt(thing.row)
        known, items = thing.drawn_by.truths(thing.row, prompt), []
        for ask in questions.protocol.ask(prompt, {}):
            key = thing.drawn_by.key(thing, prompt, ask, known)
            named = {name: getattr(key, name) for name in ("id", "group", "role", "answer_type")}
            items.append(Task(template.dress(Query(pictures=(), text=ask.text, prompt=prompt.text, **named)), key))
        own[thing.id] = ShownPicture(prompt, tuple(items))
    for model in questions.generators:
        once = asked_sample_ids(model.images.rows, questions.prompts)
        every |= {(model.name, row.id): own[asked_id(model.name, once[row.id])] for row in model.images.rows}
    return every


class Tables:
    """All questions about the pictures of some models: of the checks, the rating, and two models' pictures."""

    def __init__(self, models: Mapping[str, str], prompts: PromptSet) -> None:
        from counterbench.pictures.judging.pairwise_questions import PairwiseQuestions

        self.names, self.prompts, self.groups = tuple(models), prompts, tuple(prompts.groups)
        images = [images_of(name, spec, prompts) for name, spec in models.items()]
        self.checks = by_row(PictureQuestions(images, prompts, protocol("checklist")), load_template("strict"))
        direct = PictureQuestions(images, prompts, protocol("direct"))
        self.ratings = by_row(direct, with_prompt(load_template()))
        pairs = PairwiseQuestions(images, prompts)
        self.matches: dict[tuple[str, str, str], list[Task]] = {}
        for key in pairs.keys():  # noqa: SIM118
            sample, _, both = key.group.rpartition("/")
            named = {name: getattr(key, name) for name in ("id", "group", "role", "answer_type")}
            first, second = both.split("~")
            self.matches.setdefault((sample, first, second), []).append(Task(Query(pictures=(), text="", **named), key))

    def by(self, protocol: str) -> Iterator[Task]:
        """All questions of a protocol."""
        if protocol == "pairwise":
            for pair in self.matches.values():
                yield from pair
            return
        for shown in (self.ratings if protocol == "direct" else self.checks).values():
            yield from shown.items

    def changes(self, group: str) -> bool:
        """True for a group that cf-eval counts: its subject does not end as it began."""
        return next(iter(self.prompts.groups[group].values())).depth != NO_CHANGE


class TableJudge:
    """A planted judge ("text-led?p=0.3") that answers from tables, with any seed."""

    def __init__(self, spec: str) -> None:
        name, options = split_spec(spec)
        self.fault = PLANTED[name]
        self.dose = read_options(Dose, {"p": self.fault.p, **options}, spec)
        self._shows: dict[str, bool] = {}
        self._chances: dict[tuple[object, ...], SoftAnswer] = {}

    def says(self, item: Task, seed: int) -> str:
        """Its answer with a seed."""
        return self._reply(item, seed) if self.shows(item) else item.key.expected

    def shows(self, item: Task) -> bool:
        """True if its fault can show on a question; else it is right with every seed."""
        id = item.key.id
        if id not in self._shows:
            full = Planting(item.query, item.key, item.original, msgspec.structs.replace(self.dose, p=1.0))
            self._shows[id] = self.fault.shows_on == "all" or self.fault.behave(full) is not None
        return self._shows[id]

    def _reply(self, item: Task, seed: int) -> str:
        if seed != self.dose.seed:
            self.dose = msgspec.structs.replace(self.dose, seed=seed)
        reply = self.fault.reply(Planting(item.query, item.key, item.original, self.dose))
        if isinstance(reply, Failed):
            raise TypeError(f"a judge of this benchmark answers: {reply}")
        return item.key.expected if reply is None else reply

    def chance(self, item: Task) -> SoftAnswer:
        """How often it says yes to a yes/no question that is like this one, over many seeds."""
        key = item.key
        wrong = (key.misreadings.get(name) for name in self.fault.misreadings)
        alike = (key.expected, *wrong, *sorted(key.traits.items()))
        if alike not in self._chances:
            nameless = {"id": "", "group": ""}
            alone = Task(msgspec.structs.replace(item.query, **nameless), msgspec.structs.replace(key, **nameless))
            replies = [self._reply(alone, seed) for seed in range(SEEDS_OF_A_CHANCE)]
            self._chances[alike] = SoftAnswer(replies.count("yes") / len(replies), 0.0)
        return self._chances[alike]


class SureJudge(PlantedJudge):
    """A planted judge whose replies tell its probabilities, as a server with log-probabilities does."""

    def __init__(self, spec: str, keys: Iterable[Key], seed: int) -> None:
        listed = list(keys)
        super().__init__(f"{spec}{'&' if '?' in spec else '?'}seed={seed}", listed)
        self.name += " (sure)"
        self._by_id, self._table = {key.id: key for key in listed}, TableJudge(spec)

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """See `PlantedJudge`."""
        replies = await super().answer(batch)
        return [
            msgspec.structs.replace(reply, logprobs=self._tokens(query, reply.text or ""))
            for query, reply in zip(batch, replies, strict=True)
        ]

    def _tokens(self, query: Query, text: str) -> tuple[Token, ...]:
        yes = self._table.chance(Task(query, self._by_id[query.id])).p_yes
        top = tuple((word, log(p)) for word, p in (("yes", yes), ("no", 1 - yes)) if p > 0)
        return (Token(text, dict(top).get(text, -30.0), top),)


class TableNumbers:
    """What one judge makes of each group of prompts, by protocol, model and seed."""

    def __init__(self, tables: Tables, judge: TableJudge) -> None:
        self._tables, self._judge = tables, judge
        self._soft = cache(self._of_soft)
        self._same: dict[tuple[str, ...], float] = {}  # numbers that depend on no seed
        self.start(0)

    def start(self, seed: int) -> None:
        """Ask with this seed from now on."""
        self._seed = seed
        self._own: dict[tuple[str, ...], float] = {}

    def checklist(self, model: str, group: str) -> float:
        """The mean score of a group's three pictures."""
        return sum(self._score(model, group, level) for level in LEVELS) / 3

    def soft(self, model: str, group: str) -> float:
        """The same by the judge's probabilities; they depend on no seed."""
        return sum(self._soft(model, group, level) for level in LEVELS) / 3

    def cf_eval(self, model: str, group: str) -> float | None:
        """The mean of S at the three levels, gated; None of a group that does not count."""
        if not self._tables.changes(group):
            return None
        first, *others = (self._score(model, group, level) for level in LEVELS)
        return (first + (sum(others) if first >= THRESHOLD - ROUNDING else 0.0)) / 3

    def direct(self, model: str, group: str) -> float:
        """The mean rating of a group's three pictures, 0 … 1."""
        return sum(self._rating(model, group, level) for level in LEVELS) / 3

    def pairwise(self, model: str, group: str, others: Sequence[str]) -> float:
        """The share of comparisons that a model wins against others, on a group's three prompts."""
        won = [self._won(model, other, f"{group}/{level}/0") for other in others if other != model for level in LEVELS]
        return sum(won) / len(won)

    def _won(self, model: str, other: str, sample: str) -> float:
        """A model's points in a comparison: 1, a half, or 0 by each answer, and their mean."""
        if (sample, model, other) not in self._tables.matches:
            return 1 - self._won(other, model, sample)
        items = self._tables.matches[sample, model, other]
        return self._known((sample, model, other), items, lambda words: (_POINTS[words[0]] + 1 - _POINTS[words[1]]) / 2)

    def _score(self, model: str, group: str, level: str) -> float:
        shown = self._tables.checks[model, f"{group}/{level}/0"]
        return self._known(("score", shown.items[0].key.id), shown.items, lambda words: mean_of(shown.prompt, words))

    def _rating(self, model: str, group: str, level: str) -> float:
        items = self._tables.ratings[model, f"{group}/{level}/0"].items
        return self._known(("rating", items[0].key.id), items, lambda words: (float(words[0]) - 1) / 4)

    def _known(self, name: tuple[str, ...], items: Sequence[Task], number: Callable[[tuple[str, ...]], float]) -> float:
        """A number from the answers to these questions, computed once for a seed, or once for all."""
        if name in self._same:
            return self._same[name]
        if name not in self._own:
            kept = self._own if any(map(self._judge.shows, items)) else self._same
            kept[name] = number(tuple(self._judge.says(item, self._seed) for item in items))
            return kept[name]
        return self._own[name]

    def _of_soft(self, model: str, group: str, level: str) -> float:
        shown = self._tables.checks[model, f"{group}/{level}/0"]
        return mean_of(shown.prompt, tuple(self._judge.chance(item).p_yes for item in shown.items))


_POINTS = {"first": 1.0, "equal": 0.5, "second": 0.0}  # of the picture that is shown first
_SCORES: dict[tuple[object, ...], float] = {}


def mean_of(prompt: Prompt, replies: Said) -> float:
    """The weighted mean of a picture's checks, by the protocol's own code; pictures with the same answers share it.

    `replies`: the answers, or the probabilities of yes.
    """
    alike = tuple((check.weight, check.point, check.expected, check.id) for check in prompt.checks), replies
    if alike not in _SCORES:
        answers = dict(zip((check.id for check in prompt.checks), replies, strict=True))
        soft = {id: SoftAnswer(p, 0.0) for id, p in answers.items() if isinstance(p, float)}
        words = {id: p if isinstance(p, str) else _LIKELY[p >= 0.5] for id, p in answers.items()}  # type: ignore[operator]
        rows = list(results_of(protocol("checklist"), prompt, 0, "ok", lambda id: Answer(words[id]), soft.get))
        how = protocol("checklist").scorings["default"] if not soft else SOFT["soft"]
        (group,) = group_results(credited(rows, how), LEVELS)
        score = picture_score(group.pictures[prompt.level][0], how)
        if score is None:
            raise TypeError(f"{prompt.id}: no score from {replies}")
        _SCORES[alike] = score
    return _SCORES[alike]
