"""Evidence that a judge sees: of pairs that we drew, of our things on a user's pictures, of people's labels."""

from collections.abc import Collection, Iterable

import msgspec

from counterbench.evidence.document import Certificate
from counterbench.prompts.skills import FAMILIES
from counterbench.results.scores import Share, share
from counterbench.stats.intervals import Estimate


class Finding(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a judge on the pairs about one law or skill."""

    admitted: bool  # shown to see it
    ccs: Estimate
    pairs: int  # that were answered


class OnPictures(msgspec.Struct, frozen=True, kw_only=True):
    """The answers of a judge beside people's about the pictures that it scores, to yes/no questions of one skill."""

    admitted: bool  # both shares are shown to exceed the policy's bound
    refuted: bool  # one of them is shown to be below it
    sensitivity: Estimate  # the share of the questions whose answer is yes to which the judge says yes
    specificity: Estimate  # the same for no
    yes: int  # labels that say yes
    no: int
    evidence: float  # the e-value against "one of them is the bound or less", adjusted for all skills


class Evidence(msgspec.Struct, frozen=True, kw_only=True):
    """Evidence that a judge sees, by law or skill; the last kind is nearest to the pictures that it judges."""

    drawn: dict[str, Finding] = {}  # from pairs that we drew
    stickers: dict[str, Finding] = {}  # from our things on these pictures
    labelled: dict[str, OnPictures] = {}  # from people's answers about these pictures


def evidence_of(c: Certificate, laws: Collection[str] = ()) -> Evidence:
    """The evidence in a certificate on those of these laws that it is about; without `laws`, on its skills."""
    if laws:
        drawn = {law: _finding(share_of_laws(c, [law]), law in c.admitted) for law in laws if law in c.laws}
    else:
        drawn = {skill: _finding(c.skills[skill].ccs, {*families_of(c, skill)} <= {*c.admitted}) for skill in c.skills}
    return Evidence(drawn=drawn)


def families_of(c: Certificate, skill: str) -> list[str]:
    """The families of a certificate that must be admitted for a skill: those of the skill, else all."""
    return [family for family in FAMILIES.get(skill, ()) if family in c.laws] or [*c.laws]


def share_of_laws(certificate: Certificate, laws: Iterable[str]) -> Share:
    """The share of the pairs of these laws, in all their cells, on which the judge was right."""
    cells = [certificate.cells[cell].ccs for law in laws for cell in certificate.laws[law].cells]
    return share(sum(ccs.hits for ccs in cells), sum(ccs.of for ccs in cells))


def _finding(ccs: Share, admitted: bool) -> Finding:
    """A share of right pairs as a finding."""
    return Finding(admitted=admitted, ccs=Estimate(ccs.value, ccs.low, ccs.high), pairs=ccs.of)
