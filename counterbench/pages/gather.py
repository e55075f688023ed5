"""Gathers all data of a report on judges, and compares judges together with their certificates.

In go the folders of runs, one for each judge, on the same suite of pairs of pictures. `gather` gives `ReportData`, all
that the page of a report shows: scores, diagnoses, comparison, certificates and replies. `compare_judges`, for the
command `compare`, gives the comparison of judges, with what each was admitted to.

A *certificate* in a run's folder says what the judge was shown to see: the *cells*, kinds of questions, that it admits
the judge to. It is checked (`_check`), since a run may have grown or changed after it was issued. A *ladder* is a
series of pairs of rising difficulty; its steps are *rungs*.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from counterbench.answers import PARSER_VERSION
from counterbench.diagnosis.diagnose import diagnose_runs
from counterbench.diagnosis.document import Diagnosis, ItemProblem
from counterbench.errors import InputError
from counterbench.evidence.document import Certificate, read_certificate
from counterbench.evidence.ladders import LadderResults, kept_ladders
from counterbench.files import formats
from counterbench.pages.words import run_labels
from counterbench.results.advice import advice
from counterbench.results.comparison import Admitted, Comparison, SeenUpTo, compare_runs, refuse_unfit
from counterbench.results.results import RunResults, load_results
from counterbench.results.rules import DEFAULT
from counterbench.results.scores import Document, score_all
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, read_journal, refuse_repeats

# The most characters of a reply: longer ones are cut in the page, which says so; the journal has them whole.
MAX_REPLY = 4000


class CheckedCertificate(msgspec.Struct, frozen=True):
    """A certificate in a run's folder, and if it belongs to the run as it is now."""

    certificate: Certificate
    objection: str = ""  # the reason why it may not be shown as this run's; empty if it may

    @property
    def holds(self) -> bool:
        """True if the certificate may be shown as this run's."""
        return not self.objection


def certificates_of(runs: Sequence[RunResults]) -> tuple[list[list[CheckedCertificate]], list[str]]:
    """The certificates in the runs' folders (certificate*.json), checked: a list for each run, in order.

    The second value has messages about files that cannot be read.
    """
    by_run, unreadable = list[list[CheckedCertificate]](), list[str]()
    for run in runs:
        of_run: list[CheckedCertificate] = []
        for path in sorted(run.path.glob("certificate*.json")):
            try:
                if (checked := _check(run, read_certificate(path))) not in of_run:
                    of_run.append(checked)
            except InputError as error:
                unreadable.append(f"not a certificate that can be shown: {error}")
        by_run.append(of_run)
    return by_run, unreadable


def compare_judges(paths: Sequence[Path], scoring: str = DEFAULT, anyway: bool = False) -> tuple[Comparison, list[str]]:
    """The comparison of these runs' judges, each with what its certificates admit it to; and notes for the user.

    `anyway`: True to compare also runs of different suites or templates (`compare_runs`). The notes are those of
    `with_admissions`.
    """
    refuse_unfit(paths)
    runs = [load_results(path, scoring) for path in paths]
    return with_admissions(compare_runs(runs, anyway), runs)


def with_admissions(comparison: Comparison, runs: Sequence[RunResults]) -> tuple[Comparison, list[str]]:
    """The comparison of these runs with each judge's admission and ladders added; and notes for the user.

    The notes are about certificates that do not hold, and about files that cannot be read as certificates. If several
    certificates of a run hold, the one that admits to most cells counts.
    """
    by_run, notes = certificates_of(runs)
    admitted_by_run: dict[str, Admitted | None] = {}
    for run, certificates in zip(runs, by_run, strict=True):
        for checked in certificates:
            if checked.objection:
                notes.append(f"{run.path}: its certificate under {checked.certificate.policy.name} {checked.objection}")
        admitted = [_admitted(checked.certificate) for checked in certificates if checked.holds]
        admitted_by_run[str(run.path)] = max(admitted, key=lambda admission: admission.cells, default=None)
    judged = [
        msgspec.structs.replace(run, admitted=admitted_by_run.get(run.run), ladders=_seen_rungs(Path(run.run)))
        for run in comparison.runs
    ]
    with_runs = msgspec.structs.replace(comparison, runs=judged)
    return msgspec.structs.replace(with_runs, recommendation=advice(with_runs)), notes


def _admitted(cert: Certificate) -> Admitted:
    """The number of cells that a certificate admits to, out of all; closed cells, which it says nothing of, are not."""
    open_cells = [cell for law in cert.admitted for cell in cert.laws[law].cells if cell not in cert.closed]
    return Admitted(len(open_cells), len(cert.cells), cert.policy.name, cert.digest)


def _seen_rungs(run: Path) -> dict[str, SeenUpTo]:
    """By ladder, the last rung that the judge was shown to see, from the results in a run's folder; empty without."""
    ladders = results.ladders if (results := kept_ladders(run)) is not None else {}
    return {name: SeenUpTo(ladder.granted, ladder.threshold) for name, ladder in ladders.items()}


def _check(run: RunResults, certificate: Certificate) -> CheckedCertificate:
    """The certificate, with an objection if it was not issued from this run as it is now.

    It must have the run's judge, template, suite, repeats, right answers and replies, and this scoring and parser.
    """
    info = run.info
    bound_to: list[tuple[str, object, object]] = [
        ("judge than this run's", certificate.judge, info.judge),
        ("template than this run's", certificate.template_digest, info.template_digest),
        ("suite than this run's", certificate.suite_digest, info.suite_digest),
        ("number of repeats than this run's", certificate.repeats, info.repeats),
        ("scoring than this page's", certificate.scoring, run.scoring),
        ("parser than this version's", certificate.parser, PARSER_VERSION),
        ("truth than this run's", certificate.keys_digest, formats.file_digest(run.path / KEYS_FILE)),
        ("journal than this run's", certificate.journal_digest, formats.file_digest(run.path / JOURNAL_FILE)),
    ]
    differing = [words for words, certified, actual in bound_to if certified != actual]
    if not differing:
        return CheckedCertificate(certificate)
    same_suite = (certificate.suite, certificate.seed) == (info.suite, info.seed)
    has_grown = same_suite and certificate.questions != info.queries
    objection = "of other pairs of this suite: certify the run again" if has_grown else f"of another {differing[0]}"
    return CheckedCertificate(certificate, objection)


class JudgeRun(msgspec.Struct, frozen=True):
    """One run on the page."""

    label: str  # the judge's name, in words that tell it from the other runs
    results: RunResults
    document: Document
    diagnosis: Diagnosis
    certificates: list[CheckedCertificate]
    replies: Mapping[str, list[str]]  # by query id, the replies as they came, one for each repeat
    ladders: LadderResults | None  # the results on ladders in its folder


class ReportData(msgspec.Struct, frozen=True, kw_only=True):
    """The data of a report on judges. If they were asked different pairs, it is on those that all were asked."""

    runs: list[JudgeRun]  # from the highest CCS (share of pairs right on both pictures) down
    items: list[ItemProblem]
    comparison: Comparison | None
    comparison_note: str  # the reason why there is no comparison
    unreadable: list[str]  # messages about files in the runs' folders that cannot be read
    left_out: int  # pairs that some run was asked, but not all

    @property
    def categories(self) -> list[str]:
        """The names of the categories, from the run that has the most of them."""
        return max((list(run.document.categories) for run in self.runs), key=len)


def gather(paths: Sequence[Path], scoring: str = DEFAULT) -> ReportData:
    """The data of a report on these runs.

    InputError if one is not a run, is named twice, or was asked another suite than the first.
    """
    refuse_repeats(paths)
    results, left_out = _of_one_suite([load_results(path, scoring) for path in paths])
    diagnosed = diagnose_runs(results)
    certificates_by_run, unreadable = certificates_of(results)
    labels = run_labels([(run.path, run.info) for run in results])
    by_run = zip(labels, results, score_all(results), diagnosed.runs, certificates_by_run, strict=True)
    comparison: Comparison | None = None
    note = "One run is on this page; two or more are compared pair by pair."
    if len(results) > 1:
        try:
            comparison, note = with_admissions(compare_runs(results, anyway=True), results)[0], ""
        except InputError as error:
            note = str(error)
    judged = [
        JudgeRun(label, run, document, diagnosis, certificates, raw_replies(run.path), _ladders_in(run, unreadable))
        for label, run, document, diagnosis, certificates in by_run
    ]
    return ReportData(
        runs=sorted(judged, key=lambda run: -(run.document.overall.ccs.value or 0)),
        items=diagnosed.items,
        comparison=comparison,
        comparison_note=note,
        unreadable=unreadable,
        left_out=left_out,
    )


def _ladders_in(run: RunResults, unreadable: list[str]) -> LadderResults | None:
    """The results on ladders in a run's folder; None if there are none of this judge and template.

    A message about results that cannot be shown is added to `unreadable`.
    """
    try:
        results = kept_ladders(run.path)
    except InputError as error:
        unreadable.append(f"ladders that cannot be shown: {error}")
        return None
    if results is not None and (results.judge, results.template_digest) != (run.info.judge, run.info.template_digest):
        unreadable.append(f"{run.path}: its ladders are of another judge or template")
        return None
    return results


def _of_one_suite(runs: Sequence[RunResults]) -> tuple[list[RunResults], int]:
    """The runs with only the pairs that all were asked, and the number of other pairs; InputError if suites differ."""
    first = runs[0]
    for run in runs[1:]:
        if run.info.suite_digest != first.info.suite_digest:
            raise InputError(
                f"{run.path} was asked {run.info.suite} (digest {run.info.suite_digest[:8]}) and {first.path} "
                f"{first.info.suite} (digest {first.info.suite_digest[:8]}): a report is on runs of one suite; make "
                "one report for each suite"
            )
    groups = [{pair.key.group for pair in run.pairs} for run in runs]
    common = set.intersection(*groups)
    left_out = len(set.union(*groups)) - len(common)
    if not left_out:
        return list(runs), 0
    return [
        msgspec.structs.replace(run, pairs=[pair for pair in run.pairs if pair.key.group in common]) for run in runs
    ], left_out


def raw_replies(path: Path) -> dict[str, list[str]]:
    """The replies to each query as they came, by the query's id, one for each repeat.

    In place of a repeat that failed and has no reply, it is a text on the failure in brackets.
    """
    journal = path / JOURNAL_FILE
    if not journal.exists():
        return {}
    by_query: dict[str, dict[int, tuple[bool, str]]] = defaultdict(dict)  # by repeat: True for a reply, and its text
    for record in read_journal(journal):
        repeats = by_query[record.id]
        if record.reply is not None:
            repeats[record.repeat] = (True, _cut(record.reply))
        elif record.failure is not None and not repeats.get(record.repeat, (False, ""))[0]:
            failure = f"{record.failure.kind}: {record.failure.message}".rstrip(": ")
            repeats[record.repeat] = (False, _cut(f"[no reply; {failure}]"))
    return {id: [text for _, (_, text) in sorted(repeats.items())] for id, repeats in by_query.items()}


def _cut(text: str) -> str:
    """The text, or its beginning and the number of further characters."""
    if len(text) <= MAX_REPLY:
        return text
    return f"{text[:MAX_REPLY]} […; the journal has {len(text) - MAX_REPLY:,} more characters]"
