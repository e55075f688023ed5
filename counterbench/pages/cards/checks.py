"""Runs, checked before a card is derived from them: their keys and certificates are derived again and compared.

`counterbench verify` does the same. Keys are the true answers. A run whose replies are forged, together with all that
follows from them, cannot be told from a true one.
"""

from pathlib import Path

import msgspec

from counterbench.diagnosis.diagnose import diagnose_run
from counterbench.diagnosis.document import Diagnosis
from counterbench.errors import CounterbenchError, InputError
from counterbench.evidence import issue
from counterbench.evidence.document import Certificate, read_certificate
from counterbench.evidence.ladders import SUITE as LADDER
from counterbench.evidence.ladders import LadderResults, ladder_results
from counterbench.evidence.looks import WATCH_FILE, WatchDocument
from counterbench.evidence.policies import load_policy
from counterbench.files import formats
from counterbench.pages.cards import hiding
from counterbench.results.results import RunResults, load_results
from counterbench.runs.folder import RUN_FILE, RunInfo, templates_in
from counterbench.suites.sources import attempt_of
from counterbench.suites.suite import is_shipped, load_suite

POLICY = "standard"  # the policy under which cards admit
_WATCH = "watch"  # the folder in a run where `counterbench watch` keeps its result


class CheckedRun(msgspec.Struct, frozen=True, kw_only=True):
    """A run that is complete, with the truth of its pairs and what was derived from it."""

    results: RunResults
    truth_checked: bool  # its keys were drawn again, and are the same
    attempt: int | None  # the number of the test, if the pairs were drawn for one (see `attempt_of`)
    imported: bool  # its replies were not asked for by counterbench
    certificate: Certificate | None  # None for ladders, and for pairs of ours that no attempt chose
    ladders: LadderResults | None
    watch: WatchDocument | None
    diagnosis: Diagnosis
    include: bool  # its user wants the names of their own suites and templates shown

    @property
    def info(self) -> RunInfo:
        """The content of the run's `run.json`."""
        return self.results.info

    @property
    def open_words(self) -> bool:
        """True if the words of the run's suite may be shown: everybody knows them, or its user wants it."""
        return self.include or hiding.is_public(self.info)

    @property
    def suite(self) -> str:
        """The name of the run's suite, or words in its place if it may not be shown."""
        return self.info.suite if self.open_words else hiding.OWN_SUITE

    @property
    def template(self) -> str:
        """The name of the run's template, or words in its place if it may not be shown."""
        return hiding.template_shown(self.info.template, self.include)

    @property
    def deciding(self) -> Certificate | None:
        """The run's certificate, if a judge can be admitted by it; else None."""
        return self.certificate if self.certificate is not None and self.certificate.attempt is not None else None


def load_checked(path: Path, include: bool = False) -> CheckedRun:
    """Read and check the run in `path`; InputError if it is not complete, or its keys or certificates are wrong.

    `include`: the names of its user's own suites and templates may be shown. Errors name the path.
    """
    try:
        return _load_checked(path, include)
    except CounterbenchError as error:
        if str(path) in str(error):
            raise
        raise InputError(f"{path}: {error}") from None


def _load_checked(path: Path, include: bool) -> CheckedRun:
    """Do the work of `load_checked`; the message of an error may lack the path."""
    results = load_results(path)
    info, keys = results.info, [key for pair in results.pairs for key in pair.keys]
    if results.missing:
        raise InputError(
            f"{path}: {results.missing} questions have no reply: the run is unfinished (the same command resumes it), "
            "or its journal was cut"
        )
    unchecked, domain = issue.check_truth(path, info, keys)
    if unchecked and is_shipped(info.suite):
        raise InputError(f"{path / RUN_FILE}: {unchecked}: its suite, seed, size or style was changed")
    for file in sorted(path.glob("certificate*.json")):
        certificate = read_certificate(file)
        for problem in [*issue.problems(certificate), *issue.differences(certificate, path)]:
            raise InputError(f"{file}: {problem}; if the run was continued, certify it again")
    for other in templates_in(path):
        load_checked(other)
    policy, of_ladders, imported = load_policy(POLICY), info.suite == LADDER, _is_imported(results)
    attempt = attempt_of(load_suite(info.suite, info.seed)) if domain is not None else None
    certifies = not of_ladders and (attempt is not None or unchecked or imported)
    watch = path / _WATCH / WATCH_FILE
    return CheckedRun(
        results=results,
        truth_checked=not unchecked,
        attempt=attempt,
        imported=imported,
        certificate=issue.certify(path, policy) if certifies else None,
        ladders=ladder_results(path, policy, attempt, keep=False) if of_ladders and attempt is not None else None,
        watch=formats.read_json(watch, WatchDocument) if watch.is_file() else None,
        diagnosis=diagnose_run(results),
        include=include,
    )


def _is_imported(run: RunResults) -> bool:
    """True if the run's replies were not asked for by counterbench."""
    # The prefix is part of what each reply is bound to; `source` is not.
    is_named_so = run.info.judge.startswith(("published:", "imported:"))
    return is_named_so or bool(run.info.source) or any(pair.key.truth == "published" for pair in run.pairs)
