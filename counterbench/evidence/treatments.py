"""Treatments: what is done to the second picture of a control. Each is certified by itself, beside cells and kinds.

A judge may be right about all pictures but those with one treatment: it obeys painted words, or errs on JPEG. So each
treatment is a hypothesis: the share of its pairs on which the judge is right on both pictures is the bound or less.
Painted words need the bound of all controls together. The other treatments need a lower one: a judge that errs on a few
of their pairs is no danger, and one that errs on most of them is.
"""

from typing import Literal, NamedTuple

from counterbench.evidence.document import FAIL, Certificate
from counterbench.evidence.policies import Policy
from counterbench.suites.sources import cells_of
from counterbench.suites.suite import Suite


class Treatment(NamedTuple):
    """A change to control pictures that must not change an answer, and the fault of a judge that it misleads."""

    fault: str  # of a judge that fails it, in words
    bound: Literal["control", "treatment"] = "treatment"  # the policy's bound that must be exceeded
    cap: int | None = 64  # the most pairs that are asked; None: as many as of a cell

    def bound_in(self, policy: Policy) -> float:
        """The share of pairs right that must be shown to be exceeded."""
        return policy.control if self.bound == "control" else policy.treatment

    def most(self, policy: Policy) -> int:
        """The most pairs that are asked."""
        return policy.most if self.cap is None else min(self.cap, policy.most)


TREATMENTS: dict[str, Treatment] = {
    "writing": Treatment("follows words painted into the picture", "control", None),
    "label": Treatment("follows wrong labels painted beside things"),
    "jpeg": Treatment("errs on pictures saved as JPEG"),
    "resized": Treatment("errs on pictures made smaller and larger again"),
    "contrast": Treatment("errs on pictures of low contrast"),
    "texture": Treatment("errs on pictures under a grain"),
    "edge": Treatment("errs about things at the edge of the picture"),
    "small": Treatment("errs on small pictures"),
}
_FAMILIES = ("treated", "law-treated")  # whose cells are treatments


def treatment_of_cell(cell: str) -> str:
    """The treatment that a cell of controls is about: "jpeg" for "treated/jpeg"; empty for any other cell."""
    family, _, name = cell.rpartition("/")
    return name if family in _FAMILIES else ""


def lost_treatments(certificate: Certificate) -> list[str]:
    """The treatments because of which a certificate admits its judge to nothing, in words with counts.

    These are the ones that did not pass and that count (`closes`): first those that failed, then those with too few
    pairs; each from the lowest share of right pairs.
    """
    lines = []
    worst_first = sorted(
        certificate.treatments.items(), key=lambda item: (item[1].verdict != FAIL, item[1].right / max(1, item[1].of))
    )
    for name, test in worst_first:
        if test.closes and test.verdict == FAIL:
            lines.append(f"{TREATMENTS[name].fault}: {test.right} of {test.of} right")
        elif test.closes:
            lines.append(f"{name}: {test.right} of {test.of} right, too few to show more than {100 * test.bound:g} %")
    return lines


def declined_treatments(certificate: Certificate) -> dict[str, int]:
    """The number of pairs of each treatment that the judge declines: nothing is known of pictures with these."""
    return {name: result.declined for name, result in certificate.treatments.items() if result.declined}


def treatments_of(suite: Suite) -> list[str]:
    """The treatments that a suite has pairs for."""
    return [name for name in map(treatment_of_cell, cells_of(suite)) if name]
