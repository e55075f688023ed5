"""The verdict on a ranking: may its judge be believed about these pictures? It stands before every number."""

from collections.abc import Sequence
from typing import Literal

Verdict = Literal["supported", "in part", "not supported"]
SUPPORTED: Verdict = "supported"
IN_PART: Verdict = "in part"
NOT_SUPPORTED: Verdict = "not supported"
# Evidence that a judge sees, beside drawn pictures; "drawn alike": the judged pictures are drawn as those are.
Shown = Literal["labels", "stickers", "drawn alike", "nothing else"]
_WHERE = {
    "labels": "on these pictures",
    "stickers": "on drawings and on stickers on these pictures",
    "drawn alike": "on pictures drawn as these are",
}
ENOUGH = 0.9  # the share of the weight that must be shown for a whole verdict


def verdict_on(
    objections: Sequence[str], share_seen: float, shown_on: Shown, losses: Sequence[str] = ()
) -> tuple[Verdict, str]:
    """The verdict on a judge's numbers, and why.

    `objections`: what speaks against the judge; `share_seen`: the share of the questions' weight, 0 … 1, that tests
    show it to see; `shown_on`: the best evidence for that beside drawn pictures; `losses`: what its replies lack.
    """
    if objections or not share_seen:
        return NOT_SUPPORTED, next(iter(objections), "nothing was shown of what the questions ask")
    finding = f"the judge was shown to see {100 * share_seen:.0f} % of what the questions ask"
    if losses:
        return IN_PART, f"{finding}; {losses[0]}"
    if shown_on == "nothing else":
        return IN_PART, f"{finding}, on drawn pictures alone"
    return (SUPPORTED if share_seen >= ENOUGH else IN_PART), f"{finding}, {_WHERE[shown_on]}"


def verdict_line(verdict: Verdict, because: str) -> str:
    """The first line of an answer: "Supported: the judge was shown to see 94 % of …, on drawings and …"."""
    return f"{verdict.capitalize()}: {because}."
