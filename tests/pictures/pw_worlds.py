"""What tests of PW-Agent share: what a good author writes, prompts with its questions, and judged facts by hand."""

import json
from typing import Any

import msgspec
from pictures.judged import check

from counterbench.answers.outcomes import Answer
from counterbench.pictures.protocols import protocol
from counterbench.pictures.protocols.asks import CheckReply
from counterbench.pictures.protocols.pw_agent.protocol import TYPES
from counterbench.pictures.scores.results import CheckResult
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.runs.queries import Query

PW = protocol("pw-agent")
IMPORTANCE = ("High", "medium", "low")


def expectation(thing: str, importance: str = "High", **other: Any) -> dict[str, Any]:
    """One expectation as an author writes it."""
    return {
        "phenomenon": "Optics",
        "subject": [thing, "floor"],
        "expectation": f"The {thing} has a shadow on the floor.",
        "reason": "What is lit from one side is dark on the other.",
        "importance": importance,
    } | other


def questions_about(thing: str, state: str = "Does the {} have a shadow?") -> list[dict[str, str]]:
    """The questions about one."""
    return [
        {"type": "Existence", "question": f"Is there a {thing}?"},
        {"type": "State", "question": state.format(thing)},
    ]


EXPECTED = [expectation(thing, how) for thing, how in zip(("cup", "jug", "pin"), IMPORTANCE, strict=True)]
ASKED = questions_about("cup")
WRITTEN = json.dumps(EXPECTED)
QUESTIONS = json.dumps({"questions": ASKED})


def writes(query: Query) -> str:
    """A good author's reply."""
    return WRITTEN if query.role.startswith("expectations") else QUESTIONS


def written_checks(prompt: Prompt) -> tuple[Check, ...]:
    """The checks that a good author's replies about a prompt come to."""
    replies: dict[str, CheckReply] = {}
    while asks := PW.prepare(prompt, replies):
        replies |= {
            ask.id: CheckReply(Answer(WRITTEN if ask.id.startswith("expectations") else QUESTIONS)) for ask in asks
        }
    return tuple(PW.checks(prompt, replies))


def bare_worlds(groups: int = 3) -> PromptSet:
    """Prompts without questions, in two categories."""
    prompts = [
        Prompt.at(f"g{i}", "image", f"A picture of g{i}.", category="xy"[i % 2], discipline=f"d{i % 3}")
        for i in range(groups)
    ]
    return PromptSet("worlds", ("image",), prompts, protocol="pw-agent")


def worlds(groups: int = 3) -> PromptSet:
    """The same with three expectations each, of importance 3, 2 and 1; each has one question on a state."""
    prompts = bare_worlds(groups)
    return prompts.holding([msgspec.structs.replace(p, checks=written_checks(p)) for p in prompts.prompts])


def fact(id: str, dimension: str, weight: float, answer: str | None, credit: float | None, **more: Any) -> CheckResult:
    """One judged check; without a credit it was lost."""
    fields = {
        "level": "image",
        "check": id,
        "dimension": dimension,
        "weight": weight,
        "skill": "",
        "expected": TYPES[dimension][1],
        "answer": answer,
        "credit": credit,
    }
    return check(**(fields | ({} if credit is not None else {"outcome": "unparsed"}) | more))


def facts(
    existence: list[bool | None],
    states: list[float | str | None],
    awards: list[tuple[float, float]],
    contradictions: int | None = 0,
    weights: tuple[int, ...] = (3, 2, 1),
    **more: Any,
) -> list[CheckResult]:
    """A picture's facts, an expectation after another: whether it is there; of its state the confidence of a yes.

    None: it failed; "lost": no answer. `awards`: foundation and bonus of each.
    """
    rows = []
    for n, (exists, state, (base, bonus)) in enumerate(zip(existence, states, awards, strict=True), 1):
        weight = weights[n - 1]
        rows.append(fact(f"e{n}-existence", "existence", weight, *_existence(exists), **more))
        rows.append(fact(f"e{n}-state-1", "state", weight, *_state(state), **more))
        rows.append(fact(f"e{n}-foundation", "foundation", weight, str(base), (base - 1) / 0.5, **more))
        rows.append(fact(f"e{n}-excellence", "excellence", weight, str(bonus), bonus / 3, **more))
    answered = (None, None) if contradictions is None else (str(contradictions), float(contradictions == 0))
    rows.append(fact("inconsistencies", "inconsistency", 1, *answered, **more))
    return rows


def _existence(exists: bool | None) -> tuple[str | None, float | None]:
    return (None, None) if exists is None else ("yes" if exists else "no", float(exists))


def _state(state: float | str | None) -> tuple[str | None, float | None]:
    if isinstance(state, str):
        return None, None
    return ("no", 0.0) if state is None else ("yes", state)
