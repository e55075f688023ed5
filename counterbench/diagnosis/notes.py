"""What a run cannot tell: faults that its questions cannot show, and faults that look alike in it."""

from __future__ import annotations

from counterbench.diagnosis.patterns import MISREADINGS, misreadings_of
from counterbench.scoring.results import RunResults
from counterbench.scoring.scores import unfinished

# Faults that a suite is not expected to show: they need pictures of laws.
_LAWS_ALONE = ("prior-bound",)
FEW = 100  # relevant pairs, below which a diagnosis says little


def notes(run: RunResults) -> list[str]:
    """What a reader of this run's diagnosis must know about what it leaves out."""
    found = []
    if not run.complete:
        failed = sum(pair.failed for pair in run.pairs)
        found.append(f"the run is incomplete: {unfinished(run.missing, failed, run.uncounted)}")
    relevant = [pair for pair in run.pairs if pair.key.relevant and any(reply is not None for reply in pair.replies)]
    if not relevant:
        found.append("no relevant pair was answered: only unparsed, refusing and failing are looked for")
        return found
    if len(relevant) < FEW:
        found.append(
            f"only {len(relevant)} relevant pairs were answered: a fault that does not show may still be there"
        )
    keys = [key for pair in relevant for key in pair.keys]
    known = {MISREADINGS[name] for key in keys for name in misreadings_of(key) if name in MISREADINGS}
    looked_for = [fault for fault in dict.fromkeys(MISREADINGS.values()) if fault not in _LAWS_ALONE]
    hidden = [fault for fault in looked_for if fault not in known]
    if hidden:
        why = " (the truth is published, scenes are unknown)" if any(k.truth == "published" for k in keys) else ""
        found.append(f"no question that was answered can show: {', '.join(hidden)}{why}")
    yes_no = {key.skill for key in keys if key.answer_type == "yes-no"}
    if not yes_no:
        found.append("no relevant yes/no question was answered: yes-bias and no-bias cannot show")
    elif len(yes_no) == 1 and known:
        skill = next(iter(yes_no))
        found.append(
            f"yes/no questions test {skill} alone: there a bias and a misreading look alike, and neither may be named"
        )
    return found
