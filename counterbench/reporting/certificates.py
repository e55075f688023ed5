"""The certificates of runs: those in their folders and those that were named, compared with each run."""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from counterbench.answers import PARSER_VERSION
from counterbench.certificate.document import Certificate, read_certificate
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE
from counterbench.scoring.comparison import Admitted, Comparison
from counterbench.scoring.results import RunResults


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A certificate and the objections to it; none if the certificate is of the run as it is."""

    certificate: Certificate
    mark: str = ""  # the objections in a few words
    reasons: list[str] = []  # the objections one by one

    @property
    def holds(self) -> bool:
        """True if the certificate's verdict may be shown as this run's."""
        return not self.mark

    @property
    def policy(self) -> str:
        """The name of its policy."""
        return self.certificate.policy.name


def place(runs: Sequence[RunResults], given: Sequence[Path] = ()) -> tuple[list[list[Checked]], list[str]]:
    """Every run's certificates, checked; and messages about files in the runs' folders that cannot be read.

    A certificate in a run's folder (certificate*.json) is that run's. A `given` certificate is of the run whose journal
    it was issued from or, without such a run, of every run with its judge, template and suite. InputError for a given
    file that is no certificate, or of none of the runs.
    """
    by_run: list[list[Certificate]] = []
    unreadable = []
    for run in runs:
        own: list[Certificate] = []
        for path in sorted(run.path.glob("certificate*.json")):
            try:
                if (certificate := read_certificate(path)) not in own:
                    own.append(certificate)
            except InputError as error:
                unreadable.append(f"not a certificate that can be shown: {error}")
        by_run.append(own)
    for path in given:
        certificate = read_certificate(path)
        of = (certificate.judge, certificate.template_digest, certificate.suite_digest)
        asked = [(run.info.judge, run.info.template_digest, run.info.suite_digest) for run in runs]
        fits = [n for n, own in enumerate(asked) if own == of]
        if not fits:
            raise InputError(
                f"{path}: a certificate of another judge, template or suite than these runs' ({certificate.judge}, "
                f"template {certificate.template}, suite {certificate.suite}); leave it out, or add its run"
            )
        exact = [n for n in fits if certificate.journal_digest == _journal(runs[n])]
        for n in exact or fits:
            if certificate not in by_run[n]:
                by_run[n].append(certificate)
    checked = [[_check(run, each) for each in own] for run, own in zip(runs, by_run, strict=True)]
    return checked, unreadable


def with_admissions(comparison: Comparison, runs: Sequence[RunResults]) -> tuple[Comparison, list[str]]:
    """The comparison of these runs with each judge's admission, and messages about certificates that do not hold.

    If several certificates of a run hold, the one that admits to most cells counts. InputError as of `place`.
    """
    placed, notes = place(runs)
    opened: dict[str, Admitted] = {}
    for run, certificates in zip(runs, placed, strict=True):
        notes += [f"{run.path}: its certificate under {each.policy} {each.mark}" for each in certificates if each.mark]
        holding = [_admitted(each.certificate) for each in certificates if each.holds]
        if holding:
            opened[str(run.path)] = max(holding, key=lambda each: each.cells)
    with_them = [msgspec.structs.replace(run, admitted=opened.get(run.run)) for run in comparison.runs]
    return msgspec.structs.replace(comparison, runs=with_them), notes


def _admitted(certificate: Certificate) -> Admitted:
    cells = sum(len(certificate.laws[law].cells) for law in certificate.admitted)
    return Admitted(cells, len(certificate.cells), certificate.policy.name, certificate.digest)


def _check(run: RunResults, certificate: Certificate) -> Checked:
    info = run.info
    parts: list[tuple[str, object, object]] = [
        ("judge than this run's", certificate.judge, info.judge),
        ("template than this run's", certificate.template_digest, info.template_digest),
        ("suite than this run's", certificate.suite_digest, info.suite_digest),
        ("number of votes than this run's", certificate.votes, info.votes),
        ("scoring than this page's", certificate.scoring, run.scoring),
        ("parser than this version's", certificate.parser, PARSER_VERSION),
        ("truth than this run's", certificate.keys_digest, formats.file_digest(run.path / KEYS_FILE)),
        ("journal than this run's", certificate.journal_digest, _journal(run)),
    ]
    unlike = [part for part in parts if part[1] != part[2]]
    if not unlike:
        return Checked(certificate=certificate)
    same_suite = (certificate.suite, certificate.seed) == (info.suite, info.seed)
    grown = same_suite and certificate.questions != info.queries
    return Checked(
        certificate=certificate,
        mark="of other pairs of this suite: certify the run again" if grown else f"of another {unlike[0][0]}",
        reasons=[f"{what}: {said!r} in the certificate, {own!r} here" for what, said, own in unlike],
    )


def _journal(run: RunResults) -> str:
    return formats.file_digest(run.path / JOURNAL_FILE)
