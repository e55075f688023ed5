"""Evidence on the pictures that are scored: stickers that a judge missed, and answers that contradict each other.

A sticker is a drawn shape on a scored picture; the judge is asked about pairs of such pictures.
A picture's place is its index among all pictures of the page (`Sources`).
"""

from pathlib import Path
from typing import NamedTuple

from counterbench.evidence.document import FAIL
from counterbench.evidence.findings import without_declined
from counterbench.evidence.stickers import PAIRS_FOLDER, RUN_FOLDER, StickerResult, kept_result
from counterbench.pages.missed import Missed, missed
from counterbench.pages.models.cards import Sources
from counterbench.pages.models.gather_models import ModelData
from counterbench.pictures.auditing.result import AuditResult, Contradiction, kept_audit
from counterbench.pictures.judging.negation import EVERYTHING
from counterbench.pictures.judging.picture_queries import asked_id
from counterbench.results.results import load_results
from counterbench.scene.pairs import ROLES, Pair
from counterbench.suites.folder import Folder
from counterbench.suites.stickers import STICKERS
from counterbench.text import listed

_SHOWN = 6  # the most missed pairs, and the most contradictions, that the page shows of one test or audit


class Stickers(NamedTuple):
    """The test by stickers of one run, and some of the pairs that were missed: those of large stickers first."""

    result: StickerResult
    missed: list[Missed]
    wrong: int  # the number of all missed pairs, shown or not


class RunAudit(NamedTuple):
    """The audit of one run, and some of its contradictions: those with most wrong answers first."""

    result: AuditResult
    # Each with the places of its picture and of that picture's partner, if it needed one.
    contradictions: list[tuple[Contradiction, tuple[int, ...]]]


class EvidenceSection(NamedTuple):
    """The tests by stickers, and the audits, that the runs of a page hold."""

    stickers: list[Stickers]
    audits: list[RunAudit]

    @property
    def against(self) -> list[str]:
        """The reasons that end a judge's admission, a sentence each; empty if there are none."""
        lines = []
        for result in (test.result for test in self.stickers):
            if result.verdict == FAIL:
                lines.append(f"{result.judge} may not score these pictures: it fails the test by stickers on them")
        for audit in (audited.result for audited in self.audits):
            if audit.revoked:
                what = "" if EVERYTHING in audit.revoked else f" for {listed(audit.revoked)}"
                lines.append(f"The admission of {audit.judge}{what} is revoked: its answers contradict each other")
        return list(dict.fromkeys(lines))


def evidence(data: ModelData, sources: Sources) -> EvidenceSection:
    """The tests by stickers and the audits that the runs hold; their pictures are added to `sources`."""
    return EvidenceSection(_stickers(data, sources), _audits(data, sources))


def _audits(data: ModelData, sources: Sources) -> list[RunAudit]:
    """The audits that the runs hold, one for each folder, with the pictures of their worst contradictions."""
    rows = {
        (run.run.kept.path, asked_id(run.run.kept.prefix, row.id)): (number, row)
        for number, run in enumerate(data.runs)
        for row in run.run.kept.samples
    }
    audits = {path: kept_audit(path) for path in dict.fromkeys(run.run.kept.path for run in data.runs)}

    def places(path: Path, found: Contradiction) -> tuple[int, ...]:
        """The places of the pictures of a contradiction."""
        return tuple(sources.place(rows[path, id]) for id in (found.picture, found.partner) if (path, id) in rows)

    return [
        RunAudit(audit, [(found, places(path, found)) for found in audit.contradictions[:_SHOWN]])
        for path, audit in audits.items()
        if audit is not None
    ]


def _stickers(data: ModelData, sources: Sources) -> list[Stickers]:
    """The tests by stickers that the runs hold, one for each folder."""
    folders = dict.fromkeys(run.run.kept.path / STICKERS for run in data.runs)
    results = {folder: kept_result(folder) for folder in folders}
    return [_sticker_test(folder, result, sources) for folder, result in results.items() if result is not None]


def _sticker_test(folder: Path, result: StickerResult, sources: Sources) -> Stickers:
    """The test by stickers in a folder, with some of the pairs that the judge missed."""
    if not (folder / RUN_FOLDER).is_dir():  # too many pictures were left out: no pair was asked
        return Stickers(result, [], 0)
    answered, _ = without_declined(load_results(folder / RUN_FOLDER).pairs)
    wrong = {pair.key.group: pair for pair in answered if pair.consistent is False}
    drawn = Folder(folder / PAIRS_FOLDER)
    pairs = sorted((pair for pair in drawn if pair.id in wrong), key=_largest_first)[:_SHOWN]
    pictures = [tuple(sources.place(drawn.picture(pair, role)) for role in ROLES) for pair in pairs]
    missed_pairs = [missed(pair, wrong[pair.id], places) for pair, places in zip(pairs, pictures, strict=True)]
    return Stickers(result, missed_pairs, len(wrong))


def _largest_first(pair: Pair) -> float:
    """A sort key, lower for larger stickers: minus the sticker's size as a share of the picture's shorter side."""
    return -pair.difficulty.get("size", 0) / min(pair.scenes[0].width, pair.scenes[0].height)
