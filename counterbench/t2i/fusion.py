"""Several judges' runs about the same pictures, scored as one judge: a check counts as all, most or any say.

A check of a picture counts if every judge has an answer to it; each judge's own result stands beside (T2I-CoReBench
counts yes if all judges say yes).
"""

from collections.abc import Sequence
from typing import Literal, get_args

import msgspec

from counterbench.errors import InputError, unknown
from counterbench.t2i.judging.results import JudgedRun
from counterbench.t2i.run_scores import scored_as, scored_part
from counterbench.t2i.scores.document import Document, JudgeStatus
from counterbench.t2i.scores.results import CheckResult
from counterbench.t2i.scores.rules import credited, scoring

Fusion = Literal["all", "majority", "any"]
# Fields of a provenance about one judge; several judges keep them only where they have them in common.
_OWN = ("template", "template_digest", "certificate", "policy")


def fused(
    runs: Sequence[JudgedRun], documents: Sequence[Document], fusion: str, scoring_name: str, threshold: float | None
) -> list[Document]:
    """A document for each folder of pictures that several of the runs judged by one protocol; their own beside it.

    From the credits of a check `all` takes the least, `any` the largest, `majority` the median (of two, the least). The
    result is certified if all runs are, and admitted likewise. InputError for another way, or if no two runs are about
    the same pictures and checks.
    """
    if fusion not in get_args(Fusion):
        raise unknown("way to fuse", fusion, get_args(Fusion))
    kinds: dict[tuple[str, ...], list[int]] = {}
    for place, run in enumerate(runs):
        about = (run.kept.model.images_digest, run.kept.info.prompts_digest, run.kept.info.protocol)
        if any(runs[other].kept.path.resolve() == run.kept.path.resolve() for other in kinds.get(about, ())):
            raise InputError(f"--fuse: {run.kept.path} is named twice; name the runs of several judges")
        kinds.setdefault(about, []).append(place)
    several = [places for places in kinds.values() if len(places) > 1]
    if not several:
        raise InputError(
            "--fuse: no two of these runs are about the same pictures and checks under one protocol; name the runs of "
            "several judges on one folder of pictures"
        )
    return [
        _fused([runs[i] for i in places], [documents[i] for i in places], fusion, scoring_name, threshold)
        for places in several
    ]


def _fused(
    runs: Sequence[JudgedRun], documents: Sequence[Document], fusion: str, scoring_name: str, threshold: float | None
) -> Document:
    parts = [scored_part(run) for run in runs]
    first, how = parts[0], scoring(scoring_name, parts[0].protocol.scorings)
    of_first, *of_others = [credited(part.rows, how, str(part.kept.path)) for part in parts]
    others = [{(row.sample_id, row.check): row for row in of} for of in of_others]
    rows = []
    for row in of_first:
        same = [of.get((row.sample_id, row.check)) for of in others]
        if all(each is not None for each in same):
            rows.append(_together([row, *(each for each in same if each is not None)], fusion))
    judge_status = JudgeStatus(
        admitted=all(document.admitted for document in documents),
        certified=all(document.certified for document in documents),
        reasons=[f"{run.info.judge}: {why}" for run, of in zip(runs, documents, strict=True) for why in of.reasons],
        domain=documents[0].domain,
        left_out={law: why for document in documents for law, why in document.left_out.items()},
        not_tested={name: share for document in documents for name, share in document.not_tested.items()},
    )
    run = msgspec.structs.replace(first, rows=tuple(rows), both=())  # a leaning belongs to one judge
    scored = scored_as(
        run,
        scoring_name,
        threshold,
        judge_status,
        f"{fusion} of: {', '.join(run.info.name or run.info.judge for run in runs)}",
    )
    signed = [document.provenance for document in documents]
    alike = {name: values.pop() if len(values := {getattr(s, name) for s in signed}) == 1 else "" for name in _OWN}
    provenance = msgspec.structs.replace(scored.provenance, name=f"{fusion} of {len(runs)} judges", **alike)
    return msgspec.structs.replace(scored, provenance=provenance)


def _together(rows: Sequence[CheckResult], fusion: str) -> CheckResult:
    """One row of a check from several judges' rows; lost if one of them is lost."""
    for row in rows:
        if row.credit is None:
            return row
    credits = sorted(row.credit for row in rows if row.credit is not None)
    place = {"all": 0, "any": len(credits) - 1, "majority": (len(credits) - 1) // 2}[fusion]
    chosen = credits[place]
    return next(row for row in rows if row.credit == chosen)
