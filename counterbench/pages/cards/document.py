"""A card as data: everything on it comes from runs; what they do not show is null.

`card.json` is a `CardDocument`, and `card.schema.json` beside it is its JSON schema.
"""

from collections.abc import Mapping
from typing import Any, Literal

import msgspec

from counterbench.diagnosis.document import Above
from counterbench.evidence.document import CellVerdict
from counterbench.evidence.ladders import LadderResult
from counterbench.results.scores import Share

# A real model; our reader of pixels; a judge that is built with the truth (planted); replies that others published or
# collected; a class, a function or a replay of its user's own.
JudgeKind = Literal["model", "pixel reader", "planted", "imported", "own"]


class Who(msgspec.Struct, frozen=True, kw_only=True):
    """The judge, and how it was asked."""

    judge: str  # without addresses and paths
    kind: JudgeKind
    local: bool | None  # true if it runs on a machine of its user; null if that is unknown
    called: str  # the user's name for it, where its own name cannot be shown; else empty
    models: dict[str, int]  # replies by the model id that was returned
    template: str
    template_digest: str
    repeats: int
    pictures: list[str]  # the kinds of pictures that it was shown
    asked_from: str  # dates; empty if no reply has one
    asked_until: str


# Its `name` is that of a skill or a law; ladders are in `CardDocument.ladders`.
class SeenLadder(msgspec.Struct, frozen=True, kw_only=True):
    """A skill or law that it was asked about."""

    name: str
    evidence: Literal["drawn", "stickers", "published"]
    admitted: bool | None  # shown to see it under the policy; null if the run decides nothing (see its `admits`)
    verdict: CellVerdict | None  # of the law, or of the skill's laws together
    right: int  # pairs right on both pictures
    of: int

    @property
    def outcome(self) -> Literal["not decided here", "admitted", "refused", "not shown"]:
        """The verdict in words."""
        if self.admitted is None:
            return "not decided here"
        return "admitted" if self.admitted else "refused" if self.verdict == "fail" else "not shown"


class Counted(msgspec.Struct, frozen=True, kw_only=True):
    """Pairs right on both pictures, of a cell or a picture kind."""

    name: str
    suite: str
    right: int
    of: int  # pairs
    verdict: CellVerdict | None  # null if the run decides nothing


class NamedFault(msgspec.Struct, frozen=True, kw_only=True):
    """A fault, and its cost in one suite."""

    name: str
    suite: str
    cost: float  # of CCS, as a fraction
    dose: float  # the estimated share of questions (or pairs) that show it, of those that can
    evidence: str  # in words; empty where they could be its user's


class Lean(msgspec.Struct, frozen=True, kw_only=True):
    """The share of an answer among replies, beside its share among the truths."""

    said: Share
    true: Share


class Steadiness(msgspec.Struct, frozen=True, kw_only=True):
    """The comparison of a judge with its own first replies, as `watch` found it."""

    verdict: Literal["unchanged", "changed"]
    what: str  # the thing that changed: "judge", or "model" if a server names another one; else empty
    looks: int  # how often `watch` asked again
    pairs: int  # compared with their first replies
    difference: float | None  # the share of right pairs (CCS) today less that at first
    first: str  # dates of the first and the last look
    last: str
    since: str | None  # the date of the look with which a change begins; null if none is shown


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """Answers that depend on the template."""

    templates: dict[str, Share]  # CCS
    rate: Share  # the share of questions whose answers are not the same under all templates


class Rates(msgspec.Struct, frozen=True, kw_only=True):
    """The price and the time of a thousand right answers."""

    usd: float | None  # null if the price of any reply is unknown
    seconds: float | None  # of the judge at work, were one question asked after the other
    right: int  # answers
    replies: int
    stated: bool  # true if the price is made up, as that of a planted judge


class CardSource(msgspec.Struct, frozen=True, kw_only=True):
    """A run that the card rests on."""

    suite: str
    suite_digest: str
    seed: int | None
    questions: int
    failed: int  # questions without a reply
    truth: str  # computed, published
    truth_checked: bool  # the keys were derived again and are the same
    admits: bool  # a judge can be admitted by a certificate of it
    held_back: list[str]  # what keeps every law of it from being admitted
    imported: bool
    keys_digest: str
    journal_digest: str
    command: str  # the command that asks the same questions


class CardDocument(msgspec.Struct, frozen=True, kw_only=True):
    """All that one judge was shown to see."""

    format: Literal["counterbench.card/1"] = "counterbench.card/1"
    who: Who
    badge: list[str]
    ladders: dict[str, LadderResult] | None
    bound: float  # of CCS, that every rung and cell must exceed
    sees: list[SeenLadder] | None
    faults: list[NamedFault] | None
    unexplained: dict[str, float] | None  # CCS lost to errors that no fault explains, by suite
    yes_bias: Lean | None
    position_bias: Lean | None
    prior_strength: Above | None  # how much more often it follows what is usual against the picture than the reverse
    flips: Changes | None
    steadiness: Steadiness | None
    cells: list[Counted] | None
    kinds: list[Counted] | None
    rates: Rates | None
    not_for: list[str]
    runs: list[CardSource]
    policy: str
    scoring: str
    parser: str
    version: str  # of counterbench, which derived the card


def schema() -> Mapping[str, Any]:
    """The JSON schema of `card.json`."""
    named = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "counterbench.card/1"}
    return named | msgspec.json.schema(CardDocument)
