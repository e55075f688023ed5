"""PW-Agent (PicWorld, section 3.2): what must be seen is written once, looked for question by question, and added up.

Its four agents are calls of two models. An author is the World Knowledge Extractor and the Hypothesis Formulator (`t2i
prepare`, once for a prompt); the judge is the Visual Perceptor and the Reasoning Judger. What the judge says are facts;
S1, S2, S3 and S are computed here (`layers`), where the paper leaves them to the model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ClassVar, NamedTuple, cast

from counterbench.errors import InputError
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols.asks import Ask, Replies, Said, checks_credited
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.pw_agent import asking, author
from counterbench.t2i.protocols.pw_agent.facts import Three, layers_of, span
from counterbench.t2i.protocols.pw_agent.layers import SCORINGS, Layers, total
from counterbench.t2i.scores.missing import Ends
from counterbench.t2i.scores.pictures import mean
from counterbench.t2i.scores.results import CheckResult, GroupResult, Picture, group_results
from counterbench.t2i.scores.rules import Scoring
from counterbench.t2i.scores.scores import Part, Scores, Slices, Unit, members

COLUMNS = ("s1", "s2", "s3", "s")


class PWAgent(Protocol):
    """PicWorld's protocol, on prompts whose questions an author wrote for it. All numbers are from 0 to 10."""

    name = "pw-agent"
    summary = "PicWorld: existence and state of what an author expects, then awards; S1, S2, S3 and S, from 0 to 10"
    asks = "each expected thing, its state where it is there, then what is awarded; the prompt is not shown"
    calls = "two or three an expectation, and four more"
    needs = "questions that an author wrote: t2i prepare --protocol pw-agent"
    prepared = 1 + author.MOST
    awards = (*asking.AWARDS, asking.OWN_SUM)
    scorings: ClassVar[Mapping[str, Scoring]] = SCORINGS

    def fits(self, prompts: PromptSet) -> None:
        """InputError unless some prompt has questions, and all questions are such as it asks."""
        if not any(prompt.checks for prompt in prompts.prompts):
            raise InputError(
                f"{prompts.name!r} has no questions, and pw-agent asks what an author has written: `t2i prepare` with "
                "--protocol pw-agent has it write them, then --prompts names its file"
            )
        for prompt in prompts.prompts:
            for check in prompt.checks:
                kind, _ = asking.TYPES.get(check.dimension, ("", ""))
                graded = check.dimension in asking.PERCEIVED
                if check.answer_type != kind or (graded and check.weight not in author.IMPORTANCE.values()):
                    raise InputError(
                        f"{prompts.name!r}, {prompt.id!r}, check {check.id!r}: is none of pw-agent's (dimension "
                        f"{check.dimension!r}, answer type {check.answer_type!r}, weight {check.weight:g}), which `t2i "
                        "prepare` has an author write; --protocol checklist takes any"
                    )
            states = {asking.expectation_of(check) for check in prompt.checks if check.dimension == asking.STATE}
            if prompt.checks and not states:
                raise InputError(f"{prompts.name!r}, {prompt.id!r}: no check on a state, without which it has no S2")
            for check in prompt.checks:
                of = asking.expectation_of(check)
                if check.dimension in (asking.STATE, *asking.AWARDS) and (not of or of not in states):
                    raise InputError(
                        f"{prompts.name!r}, {prompt.id!r}, check {check.id!r}: its id does not tell whose "
                        f"{check.dimension} it is; name it NAME-{check.dimension}, with the NAME of a check "
                        f"NAME-{asking.STATE} or NAME-{asking.STATE}-1"
                    )

    def prepare(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """Expectations, of a prompt that has no checks; then questions about each. Once more what cannot be used."""
        return author.asks(prompt, said)

    def checks(self, prompt: Prompt, said: Replies) -> Sequence[Check]:
        """The prompt's own, else those that an author wrote; none unless it wrote of every expectation."""
        return asking.checks(prompt, said)

    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        """Existence, then the state of what is there, then what the Judger records."""
        return asking.asks(prompt, said)

    def follows(self, prompt: Prompt, said: Replies) -> Mapping[str, float]:
        """The state of what is not there fails, and what is not met has no award."""
        return asking.follows(prompt, said)

    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        """Of a state that is met its confidence (1 where none is stated), of all else what any check is worth.

        A count of contradictions below 0 is none, and so is lost.
        """
        found = checks_credited(ask, said)
        if ask.answer_type == "integer" and (said.answer or "").startswith("-"):
            return dict.fromkeys(found)
        sure = said.found.confidence if said.found is not None else None
        states = [check.id for check in ask.checks if check.dimension == asking.STATE and found[check.id] == 1]
        return found | dict.fromkeys(states, 1.0 if sure is None else sure)

    def of_picture(self, picture: Picture, how: Scoring) -> float | None:
        """S (Eq. 6), from 0 to 10."""
        three = layers_of(picture, cast(Layers, how))
        return None if three is None else total(three)

    def parts_of_picture(self, picture: Picture, how: Scoring) -> Mapping[str, float]:
        """S1, S2 and S3."""
        three = layers_of(picture, cast(Layers, how))
        return {} if three is None else dict(zip(COLUMNS, three, strict=False))

    def score(
        self,
        rows: Iterable[CheckResult],
        levels: Sequence[str],
        how: Scoring,
        category_weights: Mapping[str, float] | None = None,
    ) -> Scores:
        """`s1`, `s2`, `s3` and `s` (Eq. 6): the means over prompts, of each over its pictures that have all facts."""
        by = cast(Layers, how)
        return Scores(
            whole=_part(_prompts(rows, levels), len(levels) > 1, lambda picture: layers_of(picture, by)),
            headline=COLUMNS,
            bounded=COLUMNS,
        )

    def slices(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Slices:
        """The same by category, subcategory (a prompt's discipline) and level, in the order of the prompts."""
        known = list(rows)
        whole, prompts = self.score(known, levels, how).whole, _prompts(known, levels)
        order = list(dict.fromkeys(name for row in known for name in (row.category, row.discipline, row.level)))
        named = {
            "category": [prompt.of.category for prompt in prompts],
            "subcategory": [prompt.of.discipline for prompt in prompts],
            "level": [prompt.level if len(levels) > 1 else "" for prompt in prompts],
        }
        return {
            what: {
                name: whole.only(places)
                for name, places in sorted(members(of).items(), key=lambda m: order.index(m[0]))
            }
            for what, of in named.items()
        }

    def ends(self, rows: Iterable[CheckResult], levels: Sequence[str], how: Scoring) -> Mapping[str, Ends]:
        """Of each number the mean over prompts of the least, and of the largest."""
        by, prompts = cast(Layers, how), _prompts(rows, levels)
        low = _part(prompts, True, lambda picture: span(picture, by)[0])
        high = _part(prompts, True, lambda picture: span(picture, by)[1])
        return {name: (mean(low.columns[name]), mean(high.columns[name])) for name in COLUMNS}


class _Prompt(NamedTuple):
    of: GroupResult
    level: str


def _prompts(rows: Iterable[CheckResult], levels: Sequence[str]) -> list[_Prompt]:
    groups = group_results(rows, levels)
    return [_Prompt(group, level) for group in groups for level in levels if group.pictures[level]]


def _part(prompts: Sequence[_Prompt], several: bool, layers: Callable[[Picture], Three | None]) -> Part:
    """A number a prompt and column, the mean over its pictures that have one."""
    units = tuple(Unit(f"{of.name}/{level}" if several else of.name, of.cluster) for of, level in prompts)
    found = [[three for p in of.pictures[level].values() if (three := layers(p)) is not None] for of, level in prompts]
    columns = {
        name: [mean([total(three) if place == 3 else three[place] for three in of]) for of in found]
        for place, name in enumerate(COLUMNS)
    }
    return Part(units, tuple(map(bool, found)), columns)
