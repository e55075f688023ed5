"""Questions about a picture: the existence and the state of expected things, and the Reasoning Judger's records.

The Visual Perceptor answers each question alone, from the picture: yes, no or uncertain, with its evidence and a
confidence (Eq. 2). The state of a missing thing is not asked: it fails too. Then the Reasoning Judger sees the facts
and the picture, and is asked for the terms of Eq. 5: an award for the rendering of every expectation that was met, a
bonus, and the number of facts that contradict one another. In the paper it does the sums too; here they are
computed. It does not see the prompt.

The checks of expectation 1 are `e1-existence`, `e1-state-1`, `e1-state-2`, `e1-foundation` and `e1-excellence`; the
last two have its text and reason, and all of them its importance as their weight.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

from counterbench.t2i.prompts.prompt_set import Check, Prompt
from counterbench.t2i.protocols.asks import Ask, Replies, Said, question
from counterbench.t2i.protocols.authors import one_line
from counterbench.t2i.protocols.pw_agent import author
from counterbench.t2i.scores.results import CheckResult

EXISTENCE, STATE = "existence", "state"
FOUNDATION, EXCELLENCE, INCONSISTENCY = "foundation", "excellence", "inconsistency"
# The answer type of each dimension's checks, and the answer about a right picture.
TYPES = {
    EXISTENCE: ("finding", "yes"),
    STATE: ("finding", "yes"),
    FOUNDATION: ("rating:1-1.5", "1.5"),
    EXCELLENCE: ("rating:0-3", "3"),
    INCONSISTENCY: ("integer", "0"),
}
PERCEIVED, AWARDS = (EXISTENCE, STATE), (FOUNDATION, EXCELLENCE)
# Figure 11, in our words.
_JUDGED = {
    FOUNDATION: (
        "Each line below is something that the picture shows as it must be. How is it rendered? 1: simply, and no more "
        "than right. 1.5: in more detail than that."
    ),
    EXCELLENCE: (
        "Each line below is something that the picture shows as it must be. Is there anything exceptional in how it is "
        "rendered, in detail, realism or complexity? 0: nothing. 1 to 3: the more, the higher."
    ),
}
_INCONSISTENT = (
    "How many of these facts contradict another one, or what the picture shows? Count each contradiction once."
)
_WORDS = {weight: word for word, weight in author.IMPORTANCE.items()}


def checks(prompt: Prompt, said: Replies) -> Sequence[Check]:
    """The prompt's own checks, else those from an author's replies; none unless all replies can be used."""
    if prompt.checks:
        return prompt.checks
    expected = author.extracting(prompt).items(said)
    written = [author.formulating(number, each).items(said) for number, each in enumerate(expected, 1)]
    if not expected or not all(written):
        return ()
    pairs = enumerate(zip(expected, written, strict=True), 1)
    own = [check for number, (each, questions) in pairs for check in _of(f"e{number}", each, questions)]
    return [*own, _check("inconsistencies", INCONSISTENCY, _INCONSISTENT)]


def _of(name: str, each: author.Expectation, questions: Sequence[author.Question]) -> Iterator[Check]:
    check = partial(_check, weight=each.weight, tags=(each.tag,))
    first, *others = (one_line(one.question) for one in questions)
    there = f"{name}-{EXISTENCE}"
    yield check(there, EXISTENCE, first)
    for number, text in enumerate(others, 1):
        yield check(f"{name}-{STATE}-{number}", STATE, text, after=there)
    for kind in AWARDS:
        yield check(f"{name}-{kind}", kind, each.text, criteria=f"Because: {one_line(each.reason)}", call=kind)


def _check(id: str, dimension: str, text: str, **more: Any) -> Check:
    kind, expected = TYPES[dimension]
    return Check(id=id, dimension=dimension, text=text, answer_type=kind, expected=expected, **more)


def expectation_of(of: Check | CheckResult) -> str:
    """The expectation that a check is about, by its id: "e1" for "e1-state-2"; empty if the id names none."""
    id = of.id if isinstance(of, Check) else of.check
    match = re.fullmatch(rf"(.+)-{re.escape(of.dimension)}(?:-\d+)?", id)
    return match[1] if match else ""


def asks(prompt: Prompt, said: Replies) -> Sequence[Ask]:
    """The next questions about a picture: existence, then the state of things that are there, then the Judger's."""
    left = follows(prompt, said)
    perceived = [check for check in prompt.checks if check.dimension in PERCEIVED]
    open_ = [check for check in perceived if check.id not in said and check.id not in left]
    if open_:
        return [_alone(check) for check in open_ if not check.after or check.after in said]
    return [ask for ask in _judger(prompt, left, _facts(perceived, said, left)) if ask.id not in said]


def follows(prompt: Prompt, said: Replies) -> dict[str, float]:
    """The checks that replies settle without asking: the state of missing things, and awards for unmet expectations."""
    settled: dict[str, float] = {}
    failed = set()
    for check in prompt.checks:
        if check.dimension == STATE and _denied(said.get(check.after)):
            settled[check.id] = 0.0
        if check.id in settled or (check.dimension == STATE and _failed(said.get(check.id))):
            failed.add(expectation_of(check))
    awards = (check for check in prompt.checks if check.dimension in AWARDS)
    return settled | {check.id: 0.0 for check in awards if expectation_of(check) in failed}


def _denied(there: Said | None) -> bool:
    """True if a thing is not there; the state of an uncertain thing may still be told."""
    return there is not None and there.answer == "no"


def _failed(said: Said | None) -> bool:
    return said is not None and said.answer in ("no", "uncertain")


def _alone(check: Check) -> Ask:
    return Ask(id=check.id, text=question(check), answer_type=check.answer_type, checks=(check,))


def _judger(prompt: Prompt, left: Iterable[str], facts: str) -> Iterator[Ask]:
    calls: dict[str, list[Check]] = {}
    for check in prompt.checks:
        if check.dimension == INCONSISTENCY:
            yield Ask(id=check.id, text=f"{facts}\n{check.text}", answer_type=check.answer_type, checks=(check,))
        elif check.dimension in _JUDGED and check.id not in left:
            calls.setdefault(check.dimension, []).append(check)
    for kind, of in calls.items():
        lines = "\n".join(f"{check.id}: {question(check)}" for check in of)
        scale = of[0].answer_type.partition(":")[2]
        text = f"{facts}\n{_JUDGED[kind]}\n{lines}"
        yield Ask(id=f"call.{of[0].call}", text=text, answer_type=f"ratings:{scale}", checks=tuple(of))


def _facts(perceived: Sequence[Check], said: Replies, left: Iterable[str]) -> str:
    """The questions about the picture, and the answers to them: the Judger's facts."""
    lines = ["What was asked about this picture, and what somebody answered who looked at it:"]
    for check in perceived:
        how = _WORDS.get(int(check.weight), "low")
        answer = "Not asked: it is not there." if check.id in left else _answer(said[check.id])
        lines.append(f"- {check.dimension}, {how} importance: {check.text} {answer}")
    return "\n".join(lines)


def _answer(said: Said) -> str:
    answer = said.found
    if answer is None:
        return "No answer."
    sure = f" (confidence {answer.confidence:g})" if answer.confidence is not None else ""
    return f"{answer.value.capitalize()}{sure}{f': {answer.evidence}' if answer.evidence else '.'}"
