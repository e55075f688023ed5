"""The conformance kit for protocols: checks that your own protocol is asked and counted as ours are.

`check_protocol` takes a protocol and perhaps prompts, and raises AssertionError with the reason if it fails. It asks
the protocol's questions about cards (pictures with made-up true answers, see `generators.card`) and counts the answers.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import msgspec

from counterbench.answers import answer_type, scale_of
from counterbench.answers.outcomes import Answer, Outcome
from counterbench.errors import InputError
from counterbench.pictures.generators.card import CardGenerator
from counterbench.pictures.judging.judged_run import results_of
from counterbench.pictures.judging.picture_queries import true_reply
from counterbench.pictures.protocols.asks import CONTEXT, Ask, CheckReply
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.replies import waves
from counterbench.pictures.scores.measure import means
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.scores.rules import DEFAULT
from counterbench.prompts.files import load_prompts
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.runs.queries import load_template
from counterbench.scene.seeds import Stream

_GROUPS = 8  # the number of groups of a given set that are tried


def check_protocol(protocol: Protocol, prompts: PromptSet | None = None) -> None:
    """Assert that a protocol keeps the contract of `counterbench.pictures.protocols.base.Protocol`.

    It is tried on those `sample_prompts` that it fits and on the first groups of `prompts`. Checked: questions end,
    each with an id of its own; a right answer is worth 1 and a wrong one less; numbers do not depend on the order of
    rows. Raises AssertionError with the reason.
    """
    assert isinstance(protocol, Protocol), f"{protocol!r} is no Protocol: make it a subclass"
    assert DEFAULT in protocol.scorings, f"scorings has no {DEFAULT!r}, which counts where nobody names another"
    load_template(protocol.template)
    fitting = [prompt_set for prompt_set in sample_prompts() if _fits(protocol, prompt_set)]
    if prompts is not None:
        assert _fits(protocol, prompts), f"{protocol.name}: does not fit {prompts.name!r}, which it was given"
        fitting.append(prompts.holding(prompts.first(_GROUPS)))
    assert fitting, f"{protocol.name}: fits none of the sample sets: give check_protocol prompts that it fits"
    for prompt_set in fitting:
        _check_numbers(protocol, prompt_set.holding([_with_checks(protocol, prompt) for prompt in prompt_set.prompts]))


def _fits(protocol: Protocol, prompts: PromptSet) -> bool:
    """True if a prompt set fits a protocol."""
    try:
        protocol.fits(prompts)
    except InputError:
        return False
    return True


def _with_checks(protocol: Protocol, prompt: Prompt) -> Prompt:
    """The prompt with the checks that a protocol makes from some author's replies."""
    where = f"{protocol.name}, prompt {prompt.id!r}: prepare"
    replies = _ask_all(where, partial(protocol.prepare, prompt), _some_answer)
    return msgspec.structs.replace(prompt, checks=tuple(protocol.checks(prompt, replies)))


def _check_numbers(protocol: Protocol, prompts: PromptSet) -> None:
    """Check the rows and numbers of cards, whose truth is known, under the default scoring."""
    right, mixed, wrong = (_rows(protocol, prompts, rate) for rate in (1, 0.6, 0))
    where, scoring = f"{protocol.name}, {prompts.name!r}", protocol.scorings[DEFAULT]
    assert right, f"{where}: fits, and checks nothing"
    for row in right:
        assert row.credit == 1, f"{where}: {row.where}: a right answer ({row.answer}) has credit {row.credit}, not 1"
    for row in wrong:
        fine = row.credit is not None and 0 <= row.credit < 1
        assert fine, f"{where}: {row.where}: a wrong answer ({row.answer}) has credit {row.credit}, not from 0 to 1"
    scores = protocol.score(mixed, prompts.levels, scoring)
    numbers, reordered = means(scores), means(protocol.score(Stream("order").shuffled(mixed), prompts.levels, scoring))
    assert numbers == reordered, f"{where}: {numbers} is {reordered} with the rows in another order"
    protocol.slices(mixed, prompts.levels, scoring)


def _rows(protocol: Protocol, prompts: PromptSet, rate: float) -> list[CheckResult]:
    """The protocol's rows for one picture of each prompt, with every question answered truthfully.

    The pictures are those of the generator `card`, whose answers are right for the share `rate` of the checks.
    """
    card = CardGenerator(f"card?rate={rate}", prompts)
    rows: list[CheckResult] = []
    for prompt in prompts.prompts:
        truth = card.answers(prompt, 0)

        def reply(ask: Ask, truth: Mapping[str, str] = truth) -> Outcome:
            """The true answer to a question, or any answer if none is known."""
            true_answer = true_reply(ask, ask.checks, truth)
            return _some_answer(ask) if true_answer is None else Answer(true_answer)

        replies = _ask_all(f"{protocol.name}, prompt {prompt.id!r}", partial(protocol.ask, prompt), reply)
        rows += results_of(protocol, prompt, 0, "ok", {id: reply.outcome for id, reply in replies.items()}.get)
    return rows


def _some_answer(ask: Ask) -> Answer:
    """A valid answer to a question: the last one of its scale or alphabet."""
    return Answer((scale_of(ask.answer_type) or answer_type(ask.answer_type).alphabet or ("a card",))[-1])


def _ask_all(
    where: str, asking: Callable[[Mapping[str, CheckReply]], Sequence[Ask]], reply: Callable[[Ask], Outcome]
) -> Mapping[str, CheckReply]:
    """All questions of a protocol, wave after wave, with their replies; AssertionError if two have one id."""
    asks_by_id: dict[str, Ask] = {}

    def following(replies: Mapping[str, CheckReply]) -> Sequence[Ask]:
        """The next questions, given the replies so far."""
        asks = asking(replies)
        ids = [ask.id for ask in asks]
        assert len({*ids}) == len(ids), f"{where}: two questions of one wave have the same id ({', '.join(ids)})"
        asks_by_id.update({ask.id: ask for ask in asks})
        return asks

    try:
        return waves(following, lambda id: CheckReply(reply(asks_by_id[id]))).replies
    except ValueError as error:
        raise AssertionError(f"{where}: {error}") from error


def sample_prompts() -> tuple[PromptSet, ...]:
    """Small sets as protocols meet them: laws at three levels, one level with several kinds of check, and no check."""
    laws, bare = load_prompts("laws-few"), load_prompts("picworld-own")
    kinds = (
        Check(id="there", text="Is it there?", dimension="objects", tags=("one", "two")),
        Check(id="count", text="How many are there?", dimension="numbers", answer_type="integer", expected="3"),
        Check(id="hands", text="Hands", answer_type="rating:1-5", expected="5", call="parts", criterion="parts"),
        Check(id="light", text="Light", answer_type="rating:1-5", expected="5", call="parts", criterion="parts"),
        Check(id="seen", text="What do you see?", answer_type=CONTEXT, expected="", weight=0),
        Check(id="true", text="Is that so?", after="seen", skill="anything"),
    )
    prompt = Prompt(id="a/image", group="a", level="image", text="A picture.", checks=kinds)
    return laws.holding(laws.first(2)), PromptSet("sample of kinds", ("image",), [prompt]), bare.holding(bare.first(1))
