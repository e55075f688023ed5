"""What a run cannot tell: faults that its questions cannot show, and faults that look alike in it."""

from __future__ import annotations

from counterbench.diagnosis.patterns import MISREADINGS, misreadings_of
from counterbench.results import RunResults


def notes(run: RunResults) -> list[str]:
    """What a reader of this run's diagnosis must know about what it leaves out."""
    found = []
    keys = [key for pair in run.pairs for key in pair.keys]
    if not run.complete:
        failed = sum(pair.failed for pair in run.pairs)
        found.append(f"the run is incomplete: {run.missing} questions not asked, {failed} failed")
    known = {MISREADINGS[name] for key in keys for name in misreadings_of(key)}
    hidden = [fault for fault in dict.fromkeys(MISREADINGS.values()) if fault not in known]
    if hidden:
        found.append(f"no question of this suite can show: {', '.join(hidden)}")
    yes_no = {key.skill for key in keys if key.answer_type == "yes-no" and key.relevant}
    if not yes_no:
        found.append("no yes/no questions: yes-bias and no-bias cannot show")
    elif len(yes_no) == 1 and known:
        found.append(
            f"yes/no questions test {next(iter(yes_no))} alone: a bias there looks like a misreading, and the reverse"
        )
    if not any(key.relevant for key in keys):
        found.append("no relevant pairs: sticky, blind and the misreadings are looked for in those alone")
    if any(key.truth == "published" for key in keys):
        found.append("the truth is published, not computed: scenes are unknown, so arrow-blind cannot be looked for")
    return found
