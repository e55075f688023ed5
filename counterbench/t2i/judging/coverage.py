"""The checks of a prompt set that a judge's certificate covers, law by law."""

from __future__ import annotations

import msgspec

from counterbench.certificate import Certificate
from counterbench.t2i.judging.gate import entry, needed_cells, unverified
from counterbench.t2i.prompts.prompt_set import PromptSet, cell_of


class CoveredLaw(msgspec.Struct, frozen=True, kw_only=True):
    """The checks of one law."""

    law: str
    weight: float  # their share of the whole weight, 0 … 1
    cells: list[str]
    admitted: bool | None = None  # the certificate admits its judge to them; None without a certificate
    why: str = ""  # the reason if it does not


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """The part of a prompt set that a certificate covers."""

    prompts: str
    prompts_digest: str
    certificate: str
    objections: list[str]  # the gate's reasons to refuse the certificate's judge
    laws: list[CoveredLaw]
    not_drawn: float  # the share of the weight, 0 … 1, of checks that no pairs can be drawn for
    covered: bool  # there are no objections, and the judge is admitted to all of the weight


def coverage(prompts: PromptSet, certificate: Certificate | None = None) -> Coverage:
    """Every law of the set with its cells, and the verdict of a certificate on each."""
    weights: dict[str, float] = {}
    for prompt in prompts.prompts:
        for check in prompt.checks:
            law = prompt.law if cell_of(prompt, check) else ""
            weights[law] = weights.get(law, 0) + check.weight
    whole = sum(weights.values())
    laws = [
        CoveredLaw(law=law, weight=weights[law] / whole, cells=cells)
        for law, cells in needed_cells(prompts.prompts).items()
    ]
    not_drawn = unverified(prompts)
    objections: list[str] = []
    if certificate is not None:
        gate = entry(
            certificate,
            prompts,
            judge=certificate.judge,
            wording_digest=certificate.wording_digest,
            votes=certificate.votes,
            prompt_shown=False,
        )
        objections = gate.objections
        laws = [
            msgspec.structs.replace(of, admitted=of.law in gate.laws, why=gate.left_out.get(of.law, "")) for of in laws
        ]
    return Coverage(
        prompts=prompts.name,
        prompts_digest=prompts.digest,
        certificate=certificate.digest if certificate is not None else "",
        objections=objections,
        laws=laws,
        not_drawn=not_drawn,
        covered=certificate is not None and not objections and not not_drawn and all(of.admitted for of in laws),
    )
