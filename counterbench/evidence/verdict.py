"""The verdict on a ranking: may its judge be believed about these pictures? It stands before every number."""

from collections.abc import Sequence
from typing import Literal

Verdict = Literal["supported", "in part", "not supported"]
SUPPORTED: Verdict = "supported"
IN_PART: Verdict = "in part"
NOT_SUPPORTED: Verdict = "not supported"
# The evidence, beside tests on drawn pictures, that a judge sees: people's labels of the judged pictures, stickers
# (drawn things of known truth, put on the judged pictures), or that the judged pictures are drawn as the tests' are.
Shown = Literal["labels", "stickers", "drawn alike", "nothing else"]
_WHERE = {
    "labels": "on these pictures",
    "stickers": "on drawings and on stickers on these pictures",
    "drawn alike": "on pictures drawn as these are",
}
ENOUGH = 0.9  # the least `share_seen` of a verdict "supported"
COMPARED = "the judge was shown to compare drawn shapes and familiar things, not pictures of what these prompts ask for"

RANKED = (
    "the judge's ratings were shown to order drawn shapes and familiar things, not pictures of what these prompts ask "
    "for: they say which model is better, and not how good it is"
)


BY_PEOPLE = "the scores rest on people's labels of these pictures"


def verdict_on(
    objections: Sequence[str],
    share_seen: float,
    shown_on: Shown,
    losses: Sequence[str] = (),
    compares: bool = False,
    ranks: bool = False,
    named: bool = False,
) -> tuple[Verdict, str]:
    """The verdict on a judge's numbers, and its reason, as two values.

    `objections`: what speaks against the judge, each as a clause. `share_seen`: the share of the questions' weight,
    0 … 1, that tests show it to see. `shown_on`: the best evidence for that beside drawn pictures. `losses`: what its
    replies lack, each as a clause. Of objections and losses only the first is in the reason. `compares`: True of a
    judge of two pictures, whose drawn test is of other prompts than these. `ranks`: True of ratings whose order alone
    was tested, in this way. `named`: some questions have their skill by the word of the user's table.
    """
    if objections or not share_seen:
        return NOT_SUPPORTED, next(iter(objections), "nothing was shown of what the questions ask")
    compares_drawn = (compares or ranks) and shown_on != "labels"
    condition = "if the skills that the table names are right, " if named else ""
    seen_words = f"{condition}the judge was shown to see {100 * share_seen:.0f} % of what the questions ask"
    finding = (RANKED if ranks else COMPARED) if compares_drawn else seen_words
    if losses:
        return IN_PART, f"{finding}; {losses[0]}"
    if compares_drawn:
        return IN_PART, finding
    if shown_on == "nothing else":
        return IN_PART, f"{finding}, on drawn pictures alone"
    return (SUPPORTED if share_seen >= ENOUGH else IN_PART), f"{finding}, {_WHERE[shown_on]}"


def verdict_line(verdict: Verdict, because: str) -> str:
    """The first line of an answer: "Supported: the judge was shown to see 94 % of …, on drawings and …"."""
    return f"{verdict.capitalize()}: {because}."
