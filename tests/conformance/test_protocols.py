"""The conformance kit for protocols: ours pass it, and protocols with a fault in the seam do not, for that reason."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar

import msgspec
import pytest
from t2i.pw_worlds import asked

from counterbench.answers.outcomes import Answer, Unparsed
from counterbench.errors import InputError
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols import PROTOCOLS
from counterbench.t2i.protocols.asks import Ask, Replies, Said
from counterbench.t2i.protocols.checklist import Checklist
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import Scoring
from counterbench.t2i.scores.scores import Formula, Scores, Slices
from counterbench.testing import check_protocol, sample_prompts

Rows, Levels, Weights = Iterable[CheckResult], Sequence[str], Mapping[str, float] | None


@pytest.mark.parametrize("name", PROTOCOLS)
def test_a_shipped_protocol_conforms(name: str) -> None:
    check_protocol(PROTOCOLS[name], asked() if name == "pw-agent" else None)


def test_it_is_tried_on_prompts_of_ones_own_too() -> None:
    laws = load_prompts("laws-few")
    check_protocol(PROTOCOLS["cf-eval"], laws.of(laws.first(2)))
    with pytest.raises(AssertionError, match="does not fit 'sample of kinds', which it was given"):
        check_protocol(PROTOCOLS["cf-eval"], sample_prompts()[1])


def test_where_all_that_is_left_are_categories_of_weight_0_there_is_no_mean_over_categories() -> None:
    kinds = sample_prompts()[1]
    weights = {"x": 0, "y": 3}
    part = PromptSet(kinds.name, kinds.levels, kinds.prompts, category_weights=weights).of(kinds.prompts[:2])
    assert part.category_weights == {"x": 0}
    check_protocol(PROTOCOLS["checklist"], part)


class OneQuestion(Checklist):
    """A protocol that makes its own check, once an author has said what the prompt is about; it fits any prompts."""

    name = "one-question"

    def fits(self, prompts: PromptSet) -> None: ...

    def prepare(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return () if "about" in said else (Ask(id="about", text=prompt.text, answer_type="description", sees=False),)

    def checks(self, prompt: Prompt, said: Replies) -> Sequence[Check]:
        text = f"How well does the picture show {said['about'].answer}?"
        return (Check(id="shown", text=text, answer_type="rating:0-10", expected="10"),)


class AuthorsNeverDecline(OneQuestion):
    def checks(self, prompt: Prompt, said: Replies) -> Sequence[Check]:
        assert isinstance(said["about"].outcome, Answer)
        return super().checks(prompt, said)


def test_checks_that_an_author_is_asked_for_are_asked() -> None:
    check_protocol(OneQuestion())


class Nameless(Checklist):
    name = ""


class VersionNought(Checklist):
    version = 0


class OtherWording(Checklist):
    wording = "stern"


class Unscored(Checklist):
    scorings: ClassVar[Any] = {}


class NoDefault(Checklist):
    scorings: ClassVar[Any] = {"of-all": Scoring()}


class FitsNothing(Checklist):
    def fits(self, prompts: PromptSet) -> None:
        raise InputError(f"{prompts.name!r} lacks something")


class FitsVaguely(Checklist):
    def fits(self, prompts: PromptSet) -> None:
        raise InputError("there are no questions")


class FitsLoudly(Checklist):
    def fits(self, prompts: PromptSet) -> None:
        raise KeyError("assessment-point")


class FitsEverything(Checklist):
    def fits(self, prompts: PromptSet) -> None: ...


class Forgetful(Checklist):
    """It remembers what it asked, and not from the replies."""

    def __init__(self) -> None:
        self.asked: set[str] = set()

    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        found = [ask for ask in super().ask(prompt, said) if ask.id not in self.asked]
        self.asked.update(ask.id for ask in found)
        return found


class Endless(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return [*super().ask(prompt, said), Ask(id=f"more-{len(said)}", text="And what else?")]


class DoubledIds(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return [msgspec.structs.replace(ask, id="q") for ask in super().ask(prompt, said) if not said]


class AsksAgain(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return super().ask(prompt, {})


class OtherWordsLater(Checklist):
    """How it asks about one thing depends on which other replies are there yet."""

    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        told = f"You have answered {len(said)} questions. "
        return [msgspec.structs.replace(ask, text=told + ask.text) for ask in super().ask(prompt, said)]


class Skips(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return super().ask(prompt, said)[:1] if not said else ()


class Eats(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        found = super().ask(prompt, said)
        said.clear()  # type: ignore[attr-defined]
        return found


class TakesAnyReply(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        assert isinstance(said.outcome, Answer)
        return super().credits(ask, said)


class UnreadIsWrong(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        found = super().credits(ask, said)
        return dict.fromkeys(found, 0.0) if isinstance(said.outcome, Unparsed) else found


class Percent(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        return {id: None if of is None else 100 * of for id, of in super().credits(ask, said).items()}


class OthersToo(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        return {**super().credits(ask, said), "overall": None}


class Backwards(Checklist):
    def credits(self, ask: Ask, said: Said) -> Mapping[str, float | None]:
        return {id: None if of is None else 1 - of for id, of in super().credits(ask, said).items()}


class Scored(Checklist):
    """A fault in what becomes of the rows."""

    def score(self, rows: Rows, levels: Levels, how: Scoring, category_weights: Weights = None) -> Scores:
        return self.bent(super().score(rows, levels, how, category_weights), list(rows))

    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        raise NotImplementedError


class ByOrder(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        first = rows[0].credit
        scores.whole.columns["score"][0] = first
        return scores


class Undeclared(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        return msgspec.structs.replace(scores, headline=(*scores.headline, "overall"))


class NoHeadline(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        return msgspec.structs.replace(scores, headline=())


class FormulaOfNothing(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        formula = Formula(("mean",), lambda mean: mean)
        return msgspec.structs.replace(scores, formulas={**scores.formulas, "overall": formula})


class NeedsAnAnswer(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        assert max(row.credit for row in rows if row.credit is not None) >= 0
        return scores


class Moody(Scored):
    count = itertools.count()

    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        scores.whole.columns["score"][0] = next(self.count) / 1e6
        return scores


class StopsAtSilence(Checklist):
    def ask(self, prompt: Prompt, said: Replies) -> Sequence[Ask]:
        return () if any(reply.answer is None for reply in said.values()) else super().ask(prompt, said)


class LessIsMore(Scored):
    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        columns = scores.whole.columns
        columns["score"] = [None if value is None else 1 - value for value in columns["score"]]
        return msgspec.structs.replace(scores, bounded=())


class WorstAndBestTurnedRound(Scored):
    """More that is lost and taken for right makes it less: the two ends are the wrong way round."""

    def bent(self, scores: Scores, rows: Sequence[CheckResult]) -> Scores:
        columns = scores.whole.columns
        columns["errors"] = [None if value is None else 1 - value for value in columns["score"]]
        return msgspec.structs.replace(scores, bounded=("errors",))


class SlicesOfTheirOwn(Checklist):
    def slices(self, rows: Rows, levels: Levels, how: Scoring) -> Slices:
        found = super().slices(rows, levels, how)
        for part in found["dimension"].values():
            part.columns["share"] = part.columns["score"]
        return found


BROKEN = {
    Nameless: "name is empty",
    VersionNought: "version is 0",
    OtherWording: "wording: .*'stern'",
    Unscored: "scorings has no 'default'",
    NoDefault: "scorings has no 'default'",
    FitsNothing: "fits none of the sample sets",
    FitsVaguely: "'sample of levels': fits does not say which set",
    FitsLoudly: "'sample of levels': fits: raised KeyError",
    FitsEverything: "fits 'bare', and checks nothing",
    AuthorsNeverDecline: "prompt 'a/l1': checks: raised AssertionError",
    Forgetful: "prompt 'a/l1': ask: gives something else for the same",
    Endless: "prompt 'a/l1': ask: a protocol asked 100 waves",
    DoubledIds: "prompt 'a/l1': ask: two questions of one wave have the same id",
    AsksAgain: "prompt 'a/l1': ask: asked again what has a reply: 'habit', 'logic', 'point', 'whole'",
    OtherWordsLater: "question 'true': asked otherwise, or only, while there is no reply to 'noise'",
    StopsAtSilence: "no question settles the check 'true' where the replies are Refused",
    Skips: "prompt 'a/l1': no question settles the check 'point'",
    Eats: "prompt 'a/l1': ask: changes what it is given",
    TakesAnyReply: r"prompt 'a/l1', question 'whole': credits of Refused\(.*raised AssertionError",
    UnreadIsWrong: r"question 'whole': credits of Unparsed\(.*0.0 for 'whole': what is no answer earns nothing",
    Percent: r"question 'whole': credits of Answer\(value='yes'.*100.0 for 'whole', not from 0 to 1",
    OthersToo: "question 'whole': credits of .* does not settle overall",
    Backwards: "a/l1/0, check 'whole': a right answer .yes. has credit 0.0, not 1",
    ByOrder: "scoring 'default': columns.* with the rows in another order",
    Undeclared: "scoring 'default': headline: no column 'overall'; there are: score",
    NoHeadline: "score has no headline",
    FormulaOfNothing: "formula 'overall': no column 'mean'",
    NeedsAnAnswer: "score: raised ValueError",
    Moody: "score: gives something else for the same",
    LessIsMore: "'score' is 0.0 where every answer is right, and 1.0 where every one is wrong",
    WorstAndBestTurnedRound: "'errors' is .*, and with losses was told to be in",
    SlicesOfTheirOwn: "slice dimension: no column 'share'",
}


@pytest.mark.parametrize("broken", BROKEN, ids=lambda protocol: protocol.__name__)
def test_a_protocol_that_breaks_the_seam_is_found_out(broken: type) -> None:
    with pytest.raises(AssertionError, match=BROKEN[broken]):
        check_protocol(broken())
