"""Runs, checked as `verify` does before a card is derived: keys are drawn again, certificates derived again.

Replies that are forged with all that follows from them cannot be told from true ones.
"""

from pathlib import Path

import msgspec

from counterbench.errors import CounterbenchError, InputError
from counterbench.evidence import issue
from counterbench.evidence.climbing import SUITE as LADDER
from counterbench.evidence.climbing import Climbed, climbed
from counterbench.evidence.document import read_certificate
from counterbench.evidence.policies import load_policy
from counterbench.files import formats
from counterbench.pages.cards.hiding import RELEASE
from counterbench.pictures.comparing.watch import WATCH_FILE, WatchDocument
from counterbench.results.results import RunResults, load_results
from counterbench.runs.folder import RUN_FILE, RunInfo, templates_in
from counterbench.runs.pair_queries import keys as keys_of
from counterbench.runs.queries import Key
from counterbench.suites.folder import PAIRS_FILE, SUITE_FILE, Folder
from counterbench.suites.sources import FolderSource, attempt_of
from counterbench.suites.suite import is_shipped, load_suite

POLICY = "standard"
_WATCH = "watch"  # the folder of what `watch` saw


class CheckedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run that is complete, with the truth of its pairs and what was derived from it."""

    results: RunResults
    truth_checked: bool
    attempt: int | None
    imported: bool  # its replies were not asked for by counterbench
    ladders: Climbed | None
    watch: WatchDocument | None

    @property
    def info(self) -> RunInfo:
        """The content of its `run.json`."""
        return self.results.info


def checked(path: Path) -> CheckedRun:
    """The run in `path`; InputError if it is not complete, or its keys or certificates are not what they must be."""
    try:
        return _checked(path)
    except CounterbenchError as error:
        if str(path) in str(error):
            raise
        raise InputError(f"{path}: {error}") from None


def _checked(path: Path) -> CheckedRun:
    results = load_results(path)
    info, known = results.info, [key for pair in results.pairs for key in pair.keys]
    if results.missing:
        raise InputError(
            f"{path}: {results.missing} of its questions have no reply: it was not finished, which the same command "
            "does, or its journal was cut"
        )
    unchecked, domain = issue.check_truth(path, info, known)
    if unchecked and is_shipped(info.suite):
        raise InputError(f"{path / RUN_FILE}: {unchecked}: its suite, seed, size or style was changed")
    if unchecked and _is_in_folder(path, info, known):
        unchecked = ""
    for file in sorted(path.glob("certificate*.json")):
        certificate = read_certificate(file)
        for problem in [*issue.problems(certificate), *issue.differences(certificate, path)]:
            raise InputError(f"{file}: {problem}; where the run went on, certify it again")
    for other in templates_in(path):
        checked(other)
    attempt = attempt_of(load_suite(info.suite, info.seed)) if domain is not None else None
    climbs = info.suite == LADDER and attempt is not None
    watch = path / _WATCH / WATCH_FILE
    return CheckedRun(
        results=results,
        truth_checked=not unchecked,
        attempt=attempt,
        imported=_is_imported(results),
        ladders=climbed(path, load_policy(POLICY), attempt, keep=False) if climbs and attempt is not None else None,
        watch=formats.read_json(watch, WatchDocument) if watch.is_file() else None,
    )


def _is_imported(run: RunResults) -> bool:
    # The prefix is part of what each reply is bound to; `source` is not.
    given = run.info.judge.startswith(("published:", "imported:"))
    return given or bool(run.info.source) or any(pair.key.truth == "published" for pair in run.pairs)


def _is_in_folder(path: Path, info: RunInfo, known: list[Key]) -> bool:
    """True if the folder of imported pairs around the run (FOLDER/runs/RUN) has its keys; InputError if others."""
    around = path.resolve().parent.parent
    if not (around / SUITE_FILE).is_file():
        return False
    folder = Folder(around)
    if formats.file_digest(around / PAIRS_FILE) != folder.info.pairs_digest:
        raise InputError(f"{around / PAIRS_FILE}: was changed after it was written")
    source = FolderSource(folder)
    if source.digest != info.suite_digest or source.name != info.suite:
        raise InputError(f"{path / RUN_FILE}: suite or suite_digest is not that of the pairs in {around}")
    true = {key.id: key for key in keys_of(source)}
    for key in known:
        if true.pop(key.id, None) != key:
            raise InputError(f"{path}: key {key.id!r} is not that of the pairs in {around}")
    if true:
        raise InputError(f"{path}: key {min(true)!r} is missing")
    return info.suite == RELEASE or folder.info.truth == "published"
