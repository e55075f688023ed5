"""The conformance kit for protocols: checks that your own protocol is judged, resumed and counted as ours are."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec

from counterbench.answers import answer_type, scale_of
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.errors import InputError
from counterbench.runs.queries import load_template
from counterbench.scene.seeds import Stream
from counterbench.t2i.generators.card import CardGenerator
from counterbench.t2i.judging.picture_queries import true_reply
from counterbench.t2i.judging.results import results_of
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols.asks import CONTEXT, Ask, Said
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.replies import Asked, waves
from counterbench.t2i.scores.measure import means
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import DEFAULT

_GROUPS = 8  # tried of a given set


def check_protocol(protocol: Protocol, prompts: PromptSet | None = None) -> None:
    """Assert that a protocol keeps the contract of `counterbench.t2i.protocols.base.Protocol`.

    It is tried on `sample_prompts` and on the first groups of `prompts`, as far as it fits them. The kit checks its
    members; that questions end, each with one id and text, after any replies; that a reply without an answer has
    no credit; that a right answer is worth 1 and a wrong one less; that numbers do not depend on the order of rows.
    Raises AssertionError with the reason.
    """
    assert isinstance(protocol, Protocol), f"{protocol!r} is no Protocol: make it a subclass"
    assert protocol.name, "name is empty"
    assert protocol.summary, "summary is empty"
    assert protocol.version >= 1, f"version is {protocol.version!r}, not a whole number from 1"
    assert DEFAULT in protocol.scorings, f"scorings has no {DEFAULT!r}, which counts where nobody names another"
    load_template(protocol.template)
    fitting = [of for of in sample_prompts() if _fits(protocol, of)]
    if prompts is not None:
        assert _fits(protocol, prompts), f"{protocol.name}: does not fit {prompts.name!r}, which it was given"
        fitting.append(prompts.of(prompts.first(_GROUPS)))
    assert fitting, f"{protocol.name}: fits none of the sample sets: give check_protocol prompts that it fits"
    for of in fitting:
        asked = of.of([_with_checks(protocol, prompt) for prompt in of.prompts])
        assert any(prompt.checks for prompt in asked.prompts), f"{protocol.name}: fits {of.name!r}, and checks nothing"
        for prompt in asked.prompts:
            _check_questions(protocol, prompt)
        _check_numbers(protocol, asked)


def _fits(protocol: Protocol, prompts: PromptSet) -> bool:
    try:
        protocol.fits(prompts)
    except InputError:
        return False
    return True


def _with_checks(protocol: Protocol, prompt: Prompt) -> Prompt:
    """The prompt with the checks that a protocol makes of it, given any author's replies."""
    said = _walk(f"{protocol.name}, prompt {prompt.id!r}: prepare", partial(protocol.prepare, prompt)).said
    return msgspec.structs.replace(prompt, checks=tuple(protocol.checks(prompt, said)))


def _check_questions(protocol: Protocol, prompt: Prompt) -> None:
    """Check the questions about a picture: with every reply, without each of them, and with replies without answers."""
    where = f"{protocol.name}, prompt {prompt.id!r}"
    asking = partial(protocol.ask, prompt)
    whole = _walk(where, asking)
    assert _walk(where, asking).asks == whole.asks, f"{where}: asks something else for the same replies"
    for missing in whole.asks:

        def reply(ask: Ask, missing: str = missing) -> Outcome | None:
            return None if ask.id == missing else _any_answer(ask)

        for id, ask in _walk(where, asking, reply).asks.items():
            assert whole.asks.get(id) == ask, (
                f"{where}, question {id!r}: asked otherwise, or only, while there is no reply to {missing!r}: a run "
                "that was stopped there would not go on to the same"
            )
    for ask in whole.asks.values():
        outcomes: list[Outcome] = [Refused("I cannot"), Unparsed("no answer"), *map(Answer, _answers(ask))]
        for outcome in outcomes:
            for check, credit in protocol.credits(ask, Said(outcome)).items():
                what = f"{where}, question {ask.id!r}: {credit} for {check!r} by {outcome}"
                assert isinstance(outcome, Answer) or credit is None, f"{what}: what is no answer earns nothing"
                assert credit is None or 0 <= credit <= 1, f"{what}: not from 0 to 1"


def _check_numbers(protocol: Protocol, prompts: PromptSet) -> None:
    """Check the numbers of cards, whose truth is known, under the default scoring."""
    right, some, wrong = (_true_rows(protocol, prompts, rate) for rate in (1, 0.6, 0))
    where, how = f"{protocol.name}, {prompts.name!r}", protocol.scorings[DEFAULT]
    for row in right:
        assert row.credit == 1, f"{where}: {row.where}: a right answer ({row.answer}) has credit {row.credit}, not 1"
    for row in wrong:
        assert row.credit is not None, f"{where}: {row.where}: a wrong answer ({row.answer}) has no credit"
        assert row.credit < 1, f"{where}: {row.where}: a wrong answer ({row.answer}) has credit {row.credit}"
    scores = protocol.score(some, prompts.levels, how)
    assert scores.headline, f"{where}: score has no headline"
    columns = scores.whole.columns.keys() | scores.formulas.keys()
    lacking = {*scores.headline, *scores.secondary, *scores.bounded} - columns
    assert not lacking, f"{where}: no column {', '.join(sorted(lacking))}; there are: {', '.join(sorted(columns))}"
    share, again = means(scores), means(protocol.score(Stream("order").shuffled(some), prompts.levels, how))
    assert share == again, f"{where}: {share} is {again} with the rows in another order"
    protocol.slices(some, prompts.levels, how)


def _true_rows(protocol: Protocol, prompts: PromptSet, rate: float) -> list[CheckResult]:
    """The rows of a judge without errors about a card of each prompt, where this share of checks is right."""
    card = CardGenerator(f"card?rate={rate}", prompts)
    rows: list[CheckResult] = []
    for prompt in prompts.prompts:
        known = card.answers(prompt, 0)

        def truly(ask: Ask, known: Mapping[str, str] = known) -> Outcome:
            truth = true_reply(ask, ask.checks, known)
            return _any_answer(ask) if truth is None else Answer(truth)

        said = _walk(f"{protocol.name}, prompt {prompt.id!r}", partial(protocol.ask, prompt), truly).said
        outcomes = {id: each.outcome for id, each in said.items()}
        rows += results_of(protocol, prompt, 0, "ok", outcomes.get)
    return rows


def _any_answer(ask: Ask) -> Answer:
    return Answer(_answers(ask)[-1])


def _answers(ask: Ask) -> list[str]:
    """Some canonical answers to a question."""
    ends = scale_of(ask.answer_type) or ()
    if ask.answer_type.startswith("ratings:"):
        lines = [",".join(f'"{name}":{end}' for name in sorted(check.id for check in ask.checks)) for end in ends]
        return [f"{{{line}}}" for line in lines]
    alphabet = answer_type(ask.answer_type).alphabet or ends
    return [*alphabet] or (["0", "7"] if ask.answer_type == "integer" else ["a card"])


def _walk(
    where: str,
    asking: Callable[[Mapping[str, Said]], Sequence[Ask]],
    reply: Callable[[Ask], Outcome | None] = _any_answer,  # None: no reply came
) -> Asked:
    """All questions, wave after wave; each wave is checked."""
    asked: dict[str, Ask] = {}

    def following(said: Mapping[str, Said]) -> Sequence[Ask]:
        asks = asking(said)
        ids = [ask.id for ask in asks]
        assert len(set(ids)) == len(ids), f"{where}: two questions of one wave have the same id ({', '.join(ids)})"
        again = sorted({*ids} & said.keys())
        assert not again, f"{where}: asked again what has a reply: {', '.join(map(repr, again))}"
        asked.update({ask.id: ask for ask in asks})
        return asks

    def replied(id: str) -> Said | None:
        outcome = reply(asked[id])
        return None if outcome is None else Said(outcome)

    try:
        return waves(following, replied)
    except ValueError as error:
        raise AssertionError(f"{where}: {error}") from error


def sample_prompts() -> tuple[PromptSet, ...]:
    """Small sets as protocols meet them: three levels with holes, one level with every kind of check, and no check."""
    levels = ("l1", "l2", "l3")
    of_levels = (
        Check(id="whole", text="Is it whole?", dimension="visual-integrity", weight=3, skill="integrity"),
        Check(
            id="point", text="Does it fall?", dimension="assessment-point", weight=15, answer_type="grade", expected="1"
        ),
        Check(id="logic", text="Does all fall?", dimension="logic-consistency", weight=8, criteria="1: all. 0: none."),
        Check(id="prior", text="Does it rise?", dimension="contrast", expected="no", weight=0),
    )
    holes = {"b/l1": (), "c/l3": None, "d/l1": None}
    asked = {id: holes.get(id, of_levels) for group in "abcd" for id in (f"{group}/{level}" for level in levels)}
    kinds = (
        Check(id="there", text="Is it there?", dimension="objects", tags=("one", "two")),
        Check(id="gone", text="Is it gone?", dimension="objects", expected="no", tags=("two",), weight=0.5),
        Check(id="count", text="How many are there?", dimension="numbers", answer_type="integer", expected="3"),
        Check(id="noise", text="How noisy?", answer_type="rating:0-10", expected="0", criterion="looks", weight=2),
        Check(id="hands", text="Hands", answer_type="rating:1-5", expected="5", call="parts", criterion="parts"),
        Check(id="light", text="Light", answer_type="rating:1-5", expected="5", call="parts", criterion="parts"),
        Check(id="seen", text="What do you see?", answer_type=CONTEXT, expected="", weight=0),
        Check(id="true", text="Is that so?", after="seen", skill="anything"),
    )
    return (
        PromptSet("sample of levels", levels, [_prompt(id, *of) for id, of in asked.items() if of is not None]),
        PromptSet("sample of kinds", ("image",), [_prompt("a/image", *kinds), _prompt("b/image", kinds[0])]),
        PromptSet("bare", ("image",), [_prompt("a/image")]),
    )


def _prompt(id: str, *checks: Check) -> Prompt:
    group, _, level = id.partition("/")
    return Prompt(id=id, group=group, level=level, text=f"A picture of {id}.", checks=checks, category=group)
