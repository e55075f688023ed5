"""Questions as a protocol puts them, and the usual way to ask checks: each alone, or several in one call.

A check is a question about a picture, as a prompt set has it; an `Ask` is what the judge is asked, about one check or
several (a call). `checks_asked` makes the next asks of a prompt, given the replies so far; `checks_credited` turns a
reply into credits, 0 … 1, by check id. Protocols use these, or make asks and credits of their own.
"""

from collections.abc import Mapping, Sequence

import msgspec

from counterbench.answers import choices_of, graded, kind_of, name_of, scale_of, share
from counterbench.answers.outcomes import Answer, Outcome
from counterbench.prompts.prompt_set import Check, Prompt


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """A question to a judge, and the checks that its reply settles."""

    id: str  # unique for a picture (or a prompt)
    text: str
    answer_type: str = "yes-no"
    checks: tuple[Check, ...] = ()  # those that its reply settles
    sees: bool = True  # true if the picture is sent with it
    system: str = ""  # replaces the template's system text
    fault: str = ""  # of a question that is asked once more: the fault of the reply before


class CheckReply(msgspec.Struct, frozen=True):
    """A reply, as the question's answer type reads it."""

    outcome: Outcome

    @property
    def answer(self) -> str | None:
        """The answer in canonical form; None if there is none."""
        return self.parsed.value if self.parsed is not None else None

    @property
    def parsed(self) -> Answer | None:
        """The answer with everything that was said beside it; None if there is none."""
        return self.outcome if isinstance(self.outcome, Answer) else None


# The replies so far, by the id of the question; failures are not among them.
CheckReplies = Mapping[str, CheckReply]

# The answer type of questions asked only for their words: the reply stands before other questions and has no credit.
CONTEXT = "description"


def checks_asked(prompt: Prompt, replies: CheckReplies) -> list[Ask]:
    """The questions to ask now: one for each call of checks, or check asked alone, that has no reply yet.

    A check with `after` waits until that earlier check has a reply.
    """
    by_id = {check.id: check for check in prompt.checks}
    by_call: dict[str, list[Check]] = {}
    for check in prompt.checks:
        if not check.after or _question_of(by_id[check.after]) in replies:
            by_call.setdefault(_question_of(check), []).append(check)
    calls = ((checks, _context(checks[0], by_id, replies)) for id, checks in by_call.items() if id not in replies)
    return [together(checks, context) if checks[0].call else alone(checks[0], context) for checks, context in calls]


def answer_to(ask: Ask, check: Check, reply: CheckReply) -> str | None:
    """The answer that a reply gives to one of its question's checks; None if it gives none."""
    return _answer(check, reply, kind_of(ask.answer_type) == "ratings")


def _answer(check: Check, reply: CheckReply, several: bool) -> str | None:
    """The answer of a reply to a check; of a reply about `several` checks, the grade that it gives to this one."""
    if reply.answer is None or not several:
        return reply.answer
    number = graded(reply.answer).get(name_of(check.id))
    return None if number is None else f"{number:.12g}"


def checks_credited(ask: Ask, reply: CheckReply) -> dict[str, float | None]:
    """The credit of a reply to `checks_asked`, 0 … 1, by check; None for a check that it does not answer."""
    return {check.id: credit(check, answer_to(ask, check, reply)) for check in ask.checks}


def unmet(prompt: Prompt, replies: CheckReplies) -> dict[str, float]:
    """A credit of 0 for each check that needs another check which was answered wrongly, by check.

    The rule of DSG (Davidsonian Scene Graph, Cho et al., ICLR 2024), as its paper has it: "Is the car red?" does not
    hold without a car. Checks are taken in their order, and one that is unmet fails those after it that need it; the
    authors' released script looks only at the answers to the needed checks themselves. A lost reply decides nothing.
    """
    unmet_credits: dict[str, float] = {}
    failed_ids: set[str] = set()
    for check in prompt.checks:
        if failed_ids.intersection(check.needs) and check.answer_type != CONTEXT:
            unmet_credits[check.id] = 0.0
        reply = replies.get(_question_of(check))
        check_credit = None if reply is None else credit(check, _answer(check, reply, bool(check.call)))
        if check.id in unmet_credits or (check_credit is not None and check_credit < 1):
            failed_ids.add(check.id)
    return unmet_credits


def credit(check: Check, answer: str | None) -> float | None:
    """The credit of an answer, 0 … 1: 1 for the expected one; for a number on a scale, by its distance to that end."""
    if answer is None or check.answer_type == CONTEXT:
        return None
    if scale_of(check.answer_type) is None:
        return 1.0 if answer == check.expected else 0.0
    return share(answer, check.answer_type, check.expected)


def question(check: Check) -> str:
    """The words of a check: its question, its choices if there are any, and the meaning of each grade."""
    choices = choices_of(check.answer_type)
    separator = "; " if any("," in choice for choice in choices) else ", "
    choice_text = f"Choices: {separator.join(choices)}" if choices else ""
    return "\n".join(filter(None, (check.text, choice_text, check.criteria)))


def _question_of(check: Check) -> str:
    """The id of the question that asks a check: that of its call, or its own."""
    return f"call.{check.call}" if check.call else check.id


def alone(check: Check, context: str = "") -> Ask:
    """The question that asks one check alone; `context`: a text before it."""
    return Ask(id=check.id, text=context + question(check), answer_type=check.answer_type, checks=(check,))


def together(checks: Sequence[Check], context: str = "") -> Ask:
    """One question for several checks of a call, a line each, which the reply grades one by one."""
    lines = "\n".join(f"{check.id}: {question(check)}" for check in checks)
    kind = "ratings:{}-{}".format(*(scale_of(checks[0].answer_type) or ("0", "1")))
    return Ask(id=_question_of(checks[0]), text=context + lines, answer_type=kind, checks=tuple(checks))


def _context(check: Check, by_id: Mapping[str, Check], replies: CheckReplies) -> str:
    """The text before a check's question: the earlier question and its answer; empty if there was no answer."""
    if not check.after:
        return ""
    earlier = by_id[check.after]
    answer = replies[_question_of(earlier)].answer
    return f"Asked before: {earlier.text}\nThe answer was: {answer}\n" if answer is not None else ""
