"""What would settle a certificate that lacks evidence: so many times the pairs of its suite, asked in the same run."""

from __future__ import annotations

import math
from collections.abc import Iterator

from counterbench.certificate.conditions import NOT_ENOUGH, PASS
from counterbench.certificate.document import Certificate, Condition, ControlResult, SkillResult
from counterbench.certificate.truth import drawn_again
from counterbench.runs.folder import RunInfo


def times_needed(certificate: Certificate, info: RunInfo) -> int | None:
    """With how many times the suite's pairs every condition would be shown, at the rates that were found.

    None where no further pairs would settle it: something fails, or was not asked yet, or no number of pairs shows it;
    or the run is not of a shipped suite, which alone can be drawn further.
    """
    source = drawn_again(info)
    settled = all(condition.verdict == PASS for condition in certificate.run.values())
    if source is None or certificate.verdict != NOT_ENOUGH or not settled:
        return None
    most = 1.0
    for condition, asked in _lacking(certificate):
        if condition.needed is None or not asked:
            return None
        most = max(most, condition.needed / asked)
    return math.ceil(most * len(source) / len(source.once))


def _lacking(certificate: Certificate) -> Iterator[tuple[Condition, int]]:
    """The conditions that are not shown, and of how many pairs or questions each is."""
    parts: list[SkillResult | ControlResult] = [*certificate.skills.values(), certificate.control]
    for part in parts:
        for name, condition in part.conditions.items():
            if condition.verdict != PASS:
                share = None if name == "pairs" else getattr(part, name)
                yield condition, part.counted if share is None else share.of
