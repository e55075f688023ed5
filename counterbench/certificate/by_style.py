"""The certificates of one judge in several styles, side by side: the skills that it loses in each style."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from counterbench.certificate.document import Certificate, Verdict
from counterbench.errors import InputError
from counterbench.scoring.scores import Share


class ByStyle(msgspec.Struct, frozen=True):
    """The results of one judge in several styles."""

    judge: str
    suite: str
    policy: str
    verdicts: dict[str, Verdict]  # by style
    skills: dict[str, dict[str, Share]]  # CCS by skill, then by style
    worst: dict[str, str]  # by skill, the style with the lowest CCS; skills with the same CCS in all styles have none


def by_style(certificates: Sequence[Certificate]) -> ByStyle:
    """Certificates by style; InputError unless they are one judge's and differ in style alone."""
    first = certificates[0]
    styles: dict[str, Certificate] = {}
    for c in certificates:
        for field in ("judge", "suite", "template"):
            if getattr(c, field) != getattr(first, field):
                raise InputError(
                    f"runs that are certified together are of one judge, suite and template, in several styles; they "
                    f"have {field} {getattr(first, field)!r} and {getattr(c, field)!r}: certify them one by one"
                )
        style = c.domain.style if c.domain is not None else ""
        if style in styles:
            raise InputError(
                f"two of the runs are in style {style or 'unknown'!r}: runs that are certified together are each in "
                "another (`counterbench probe --style NAME`)"
            )
        styles[style] = c
    names = sorted({name for c in certificates for name in c.skills})
    skills = {name: {style: c.skills[name].ccs for style, c in styles.items() if name in c.skills} for name in names}
    known = {n: {style: of.value for style, of in found.items() if of.value is not None} for n, found in skills.items()}
    uneven = {name: values for name, values in known.items() if len(set(values.values())) > 1}
    return ByStyle(
        judge=first.judge,
        suite=first.suite,
        policy=first.policy.name,
        verdicts={style: c.verdict for style, c in styles.items()},
        skills=skills,
        worst={name: min(values, key=values.__getitem__) for name, values in uneven.items()},
    )
