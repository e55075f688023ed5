"""Whether a certificate speaks for a run on the page: unchanged, of what the run holds now, and what the run shows."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from counterbench.answers import PARSER_VERSION
from counterbench.certificate import Certificate, differences, problems, read_certificate
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE
from counterbench.scoring.results import RunResults

CHANGED = "does not hold: the certificate was changed"
OTHERWISE = "does not hold: the run shows otherwise"
STRANGER = "of no run on this page"


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A certificate and what speaks against it.

    `mark` says it in a few words, `reasons` one by one; both are empty where the certificate holds and is of the run.
    """

    certificate: Certificate
    mark: str = ""
    reasons: list[str] = []

    @property
    def holds(self) -> bool:
        """Whether its verdict may be shown as this run's."""
        return not self.mark

    @property
    def policy(self) -> str:
        """The name of its policy."""
        return self.certificate.policy.name


class CheckedRun:
    """A run that certificates are held against."""

    def __init__(self, run: RunResults) -> None:
        self._run = run

    def is_of(self, certificate: Certificate) -> bool:
        """Whether a certificate names this run's judge, wording and suite."""
        return all(said == there for _, said, there in self._identity(certificate))

    def has_journal_of(self, certificate: Certificate) -> bool:
        """Whether a certificate was issued from this very journal."""
        return certificate.journal_digest == self._journal

    def check(self, certificate: Certificate) -> Checked:
        """What speaks against showing this certificate as this run's."""
        broken = problems(certificate)
        if broken:
            return Checked(certificate=certificate, mark=CHANGED, reasons=broken)
        unlike = [part for part in self._parts(certificate) if part[1] != part[2]]
        if unlike:
            info = self._run.info
            same = (certificate.suite, certificate.seed) == (info.suite, info.seed)
            grown = same and certificate.questions != info.queries
            return Checked(
                certificate=certificate,
                mark="of other pairs of this suite: certify the run again" if grown else f"of another {unlike[0][0]}",
                reasons=[f"{what}: {said!r} in the certificate, {there!r} here" for what, said, there in unlike],
            )
        otherwise = differences(certificate, self._run.path)  # digests can be written anew
        return Checked(certificate=certificate, mark=OTHERWISE if otherwise else "", reasons=otherwise)

    def _identity(self, certificate: Certificate) -> Iterator[tuple[str, object, object]]:
        """What it is a certificate of, in the words of its mark: what it says, and what is here."""
        info = self._run.info
        yield "judge than this run's", certificate.judge, info.judge
        yield "wording than this run's", certificate.wording_digest, info.wording_digest
        yield "suite than this run's", certificate.suite_digest, info.suite_digest

    def _parts(self, certificate: Certificate) -> Iterator[tuple[str, object, object]]:
        yield from self._identity(certificate)
        yield "number of votes than this run's", certificate.votes, self._run.info.votes
        yield "scoring than this page's", certificate.scoring, self._run.scoring
        yield "parser than this version's", certificate.parser, PARSER_VERSION
        yield "truth than this run's", certificate.keys_digest, formats.file_digest(self._run.path / KEYS_FILE)
        yield "journal than this run's", certificate.journal_digest, self._journal

    @functools.cached_property
    def _journal(self) -> str:
        return formats.file_digest(self._run.path / JOURNAL_FILE)


def check_stranger(certificate: Certificate) -> Checked:
    """A certificate that is of none of the runs: never shown as a verdict on this page."""
    broken = problems(certificate)
    mark = CHANGED if broken else STRANGER
    reason = f"its judge, wording or suite is another (suite {certificate.suite}, wording {certificate.wording})"
    return Checked(certificate=certificate, mark=mark, reasons=[*broken, f"{STRANGER}: {reason}"])


def certificates_in(run: Path) -> tuple[dict[Path, Certificate], list[str]]:
    """The certificates in a run's folder (certificate*.json), each once; and what is wrong with others there."""
    found: dict[Path, Certificate] = {}
    unreadable = []
    for path in sorted(run.glob("certificate*.json")):
        try:
            certificate = read_certificate(path)
        except InputError as error:
            unreadable.append(f"not a certificate that can be shown: {error}")
            continue
        if certificate not in found.values():
            found[path.resolve()] = certificate
    return found, unreadable


def certificates_at(paths: Iterable[Path]) -> dict[Path, Certificate]:
    """The certificates that were named; InputError for another file."""
    return {path.resolve(): read_certificate(path) for path in paths}


def place(
    runs: Iterable[CheckedRun], near: Iterable[dict[Path, Certificate]], given: dict[Path, Certificate]
) -> tuple[list[list[Checked]], list[Checked]]:
    """Every certificate beside the run that it is of, checked; and those that are of none.

    One in a run's folder is that run's, and is not shown again where it was `given` as well; another that was `given`
    is of the run whose journal it was issued from or, where there is none, of every run with its judge, wording and
    suite.
    """
    checkers, folders = list(runs), list(near)
    placed = [[run.check(c) for c in found.values()] for run, found in zip(checkers, folders, strict=True)]
    lying = [certificate for found in folders for certificate in found.values()]
    strangers = []
    for certificate in (c for c in given.values() if c not in lying):
        fits = [n for n, run in enumerate(checkers) if run.is_of(certificate)]
        exact = [n for n in fits if checkers[n].has_journal_of(certificate)]
        for n in exact or fits:
            placed[n].append(checkers[n].check(certificate))
        if not fits:
            strangers.append(check_stranger(certificate))
    return placed, strangers
