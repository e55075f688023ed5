"""That a protocol's questions end, are the same whichever replies are there yet, and that any reply can be counted."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial

import msgspec

from counterbench.answers import answer_type, scale_of
from counterbench.answers.outcomes import Answer, Outcome, Refused, Unparsed
from counterbench.answers.soft import SoftAnswer
from counterbench.errors import InputError
from counterbench.scene.seeds import Stream
from counterbench.t2i.generators.card import CardGenerator
from counterbench.t2i.judging.conformance.pure import pure
from counterbench.t2i.judging.results import results_of
from counterbench.t2i.judging.truth import true_reply
from counterbench.t2i.prompts.prompt_set import Prompt, PromptSet
from counterbench.t2i.protocols.asks import Ask, Said
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.waves import Asked, waves
from counterbench.t2i.scores.results import CheckResult

Reply = Callable[[Ask], Outcome | None]  # what a judge says to a question; None: no reply came
SAMPLES = 2
_NO_ANSWERS: tuple[Outcome, ...] = (Refused("I cannot"), Unparsed("no answer"))


def asked_of(protocol: Protocol, prompts: PromptSet) -> PromptSet:
    """The set with the checks that a protocol makes of its prompts, whatever an author replies."""
    found = []
    for prompt in prompts.prompts:
        where = f"{protocol.name}, prompt {prompt.id!r}"
        replies: list[Reply] = [*(partial(_always, outcome) for outcome in _NO_ANSWERS), _any_answer]
        for reply in replies:
            said = _walk(f"{where}: prepare", partial(protocol.prepare, prompt), reply).said
            checks = tuple(pure(f"{where}: checks", protocol.checks, prompt, said))
        found.append(msgspec.structs.replace(prompt, checks=checks))
    try:
        return prompts.of(found)
    except InputError as error:
        raise AssertionError(f"{protocol.name}: checks: {error}") from None


def check_asks(protocol: Protocol, prompt: Prompt) -> None:
    """What is asked about a picture of a prompt, with every reply, with none, and with some."""
    where = f"{protocol.name}, prompt {prompt.id!r}"
    whole = _walk(f"{where}: ask", partial(protocol.ask, prompt), _any_answer)
    for silent in [set(whole.asks), *({id} for id in whole.asks), *_halves(whole.asks)]:
        part = _walk(f"{where}: ask", partial(protocol.ask, prompt), partial(_unless, silent))
        for id, ask in part.asks.items():
            assert whole.asks.get(id) == ask, (
                f"{where}, question {id!r}: asked otherwise, or only, while there is no reply to "
                f"{', '.join(map(repr, sorted(silent)))}: a run that was stopped there would not go on to the same"
            )
    for outcome in _NO_ANSWERS:
        none = _walk(f"{where}: ask", partial(protocol.ask, prompt), partial(_always, outcome))
        _check_settled(protocol, prompt, none, where)
        known = protocol.follows(prompt, none.said)
        assert not known, f"{where}: follows: {', '.join(known)} from {outcome}: what is no answer settles nothing"
    for ask in whole.asks.values():
        unknown = {check.id for check in ask.checks} - {check.id for check in prompt.checks}
        assert not unknown, f"{where}, question {ask.id!r}: its prompt has no check {', '.join(sorted(unknown))}"
        for outcome in (*_NO_ANSWERS, *map(Answer, _answers(ask))):
            _check_credits(protocol, ask, outcome, f"{where}, question {ask.id!r}: credits of {outcome}")
    for reply in (_any_answer, _first_answer):
        _check_settled(protocol, prompt, _walk(f"{where}: ask", partial(protocol.ask, prompt), reply), where)


def true_rows(protocol: Protocol, prompts: PromptSet, rate: float) -> list[CheckResult]:
    """Every check of two cards of each prompt, of which this share is right, as a judge sees it who errs in nothing."""
    card = CardGenerator(f"card?rate={rate}", prompts)
    rows: list[CheckResult] = []
    for prompt in prompts.prompts:
        for sample in range(SAMPLES):
            where = f"{protocol.name}, prompt {prompt.id!r}: ask"
            reply = partial(_truly, card.answers(prompt, sample))
            said = _walk(where, partial(protocol.ask, prompt), reply).said
            outcomes = {id: each.outcome for id, each in said.items()}
            rows += results_of(protocol, prompt, sample, "ok", outcomes.get, partial(_sure, outcomes))
    return rows


def _check_settled(protocol: Protocol, prompt: Prompt, asked: Asked, where: str) -> None:
    """A check that no question is about, whatever was replied, would count as one that is still to be asked.

    Unless it follows from what was replied to others.
    """
    follows = pure(f"{where}: follows", protocol.follows, prompt, asked.said)
    unknown = follows.keys() - {check.id for check in prompt.checks}
    assert not unknown, f"{where}: follows: its prompt has no check {', '.join(sorted(unknown))}"
    for id, credit in follows.items():
        assert 0 <= credit <= 1, f"{where}: follows: {credit} for {id!r}, not from 0 to 1"
    settled = {check.id for ask in asked.asks.values() for check in ask.checks} | follows.keys()
    lost = next((said.outcome for said in asked.said.values() if said.answer is None), None)
    when = f" where the replies are {lost}" if lost is not None else ""
    for check in prompt.checks:
        assert check.id in settled, f"{where}: no question settles the check {check.id!r}{when}"


def _check_credits(protocol: Protocol, ask: Ask, outcome: Outcome, where: str) -> None:
    credits = pure(where, protocol.credits, ask, Said(outcome))
    others = credits.keys() - {check.id for check in ask.checks}
    assert not others, f"{where}: the question does not settle {', '.join(sorted(others))}"
    for check, credit in credits.items():
        if not isinstance(outcome, Answer):
            assert credit is None, f"{where}: {credit} for {check!r}: what is no answer earns nothing and loses nothing"
        assert credit is None or 0 <= credit <= 1, f"{where}: {credit} for {check!r}, not from 0 to 1"


def _walk(where: str, asking: Callable[[Mapping[str, Said]], Sequence[Ask]], reply: Reply) -> Asked:
    """All questions of a picture, wave after wave; each wave is looked at."""
    asked: dict[str, Ask] = {}

    def following(said: Mapping[str, Said]) -> Sequence[Ask]:
        asks = pure(where, asking, said)
        ids = [ask.id for ask in asks]
        assert len(set(ids)) == len(ids), f"{where}: two questions of one wave have the same id ({', '.join(ids)})"
        again = sorted({*ids} & said.keys())
        assert not again, f"{where}: asked again what has a reply: {', '.join(map(repr, again))}"
        for ask in asks:
            assert ask.text, f"{where}, question {ask.id!r}: it has no words"
            answer_type(ask.answer_type)  # known to the parser
        asked.update({ask.id: ask for ask in asks})
        return asks

    def replied(id: str) -> Said | None:
        outcome = reply(asked[id])
        return None if outcome is None else Said(outcome)

    try:
        return waves(following, replied)
    except (ValueError, InputError) as error:
        raise AssertionError(f"{where}: {error}") from error


def _truly(known: Mapping[str, str], ask: Ask) -> Outcome:
    truth = true_reply(ask, ask.checks, known)
    return _any_answer(ask) if truth is None else Answer(truth)


def _sure(outcomes: Mapping[str, Outcome], ask: str) -> SoftAnswer | None:
    """How sure it is of yes or no, where it says either."""
    likely = {"yes": 0.9, "no": 0.1}
    outcome = outcomes[ask]
    if not isinstance(outcome, Answer) or outcome.value not in likely:
        return None
    return SoftAnswer(likely[outcome.value], 0.05)


def _unless(silent: Collection[str], ask: Ask) -> Outcome | None:
    return None if ask.id in silent else _any_answer(ask)


def _always(outcome: Outcome, ask: Ask) -> Outcome:
    return outcome


def _any_answer(ask: Ask) -> Answer:
    return Answer(_answers(ask)[-1])


def _first_answer(ask: Ask) -> Answer:
    return Answer(_answers(ask)[0])


def _answers(ask: Ask) -> list[str]:
    """Some canonical answers to a question, all of them where they can be listed."""
    if ask.answer_type.startswith("ratings:"):
        some = ({check.id: end for check in ask.checks[:count]} for end in _ends(ask) for count in (1, len(ask.checks)))
        return ['{"unknown":1}', *(_json(numbers) for numbers in some if numbers)]
    found = answer_type(ask.answer_type).alphabet or _ends(ask)
    return [*found] or (["0", "7"] if ask.answer_type == "integer" else ["a card"])


def _ends(ask: Ask) -> tuple[str, ...]:
    return scale_of(ask.answer_type) or ()


def _json(numbers: Mapping[str, str]) -> str:
    inner = ",".join(f'"{name}":{numbers[name]}' for name in sorted(numbers))
    return f"{{{inner}}}"


def _halves(ids: Iterable[str]) -> list[set[str]]:
    return [{id for id in ids if Stream("half", i, id).chance(0.5)} for i in range(4)]
