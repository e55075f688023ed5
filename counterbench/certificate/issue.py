"""Certifies: reads a run, holds it against a policy, and says what was shown."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.certificate.cells import threshold
from counterbench.certificate.chances import chances
from counterbench.certificate.document import Certificate, content_digest
from counterbench.certificate.findings import findings
from counterbench.certificate.policies import Policy
from counterbench.certificate.truth import check_truth
from counterbench.errors import InputError, unknown
from counterbench.files import formats
from counterbench.judges.options import split_spec
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE
from counterbench.scoring.results import load_results
from counterbench.scoring.rules import DEFAULT, SCORINGS
from counterbench.suites.attempts import attempt_of
from counterbench.suites.suite import load_suite

# Of the kinds of judges; whatever else asks (an object of one's own) is "other".
ENDPOINTS = ("pixels", "planted", "openai", "transformers", "replay")
# The released scoring takes a "yes" anywhere in a reply for yes, so that what it counts shows little.
CERTIFYING = tuple(name for name in SCORINGS if name != "as-released")
# What a certificate says of its run as the run's `run.json` says it.
_OF_THE_RUN = ("suite", "suite_digest", "seed", "judge", "wording", "wording_digest", "votes")


def certify(path: Path, policy: Policy, scoring: str = DEFAULT) -> Certificate:
    """What the run in `path` shows under `policy`, whatever the verdict; nothing is asked and nothing is written.

    It may be stopped and looked at whenever one likes: evidence by betting allows for that. Raises InputError if the
    run cannot be read, has another truth than its suite, or asked a shipped suite's pairs under a seed of no attempt.
    """
    if scoring not in CERTIFYING:
        raise unknown("scoring for a certificate", scoring, CERTIFYING)
    run = load_results(path, scoring)
    info, keys = run.info, [key for pair in run.pairs for key in pair.keys]
    truth = check_truth(path, info, keys)
    attempt = attempt_of(load_suite(info.suite, info.seed)) if truth.checked else None
    if truth.checked and attempt is None:
        raise InputError(
            f"{path}: its pairs are of seed {info.seed}, of no attempt at suite {info.suite!r}: a certificate's pairs "
            "are chosen by nobody. Other seeds probe and score; `validate` (--attempt 1, 2, …) certifies"
        )
    least = threshold(policy, attempt or 1)
    models = run.observed.models
    found = findings(run.pairs, policy, least, list(models))
    kind, parameters = endpoint(info.judge)
    domain = truth.domain or info.domain
    if domain is not None:
        domain = msgspec.structs.replace(domain, detail=parameters.get("detail", ""))
    certificate = Certificate(
        verdict=found.verdict,
        admitted=found.admitted,
        attempt=attempt,
        threshold=least,
        kind=kind,
        address=parameters.get("base_url", ""),
        parameters=parameters,
        dropped=run.observed.dropped,
        models=models,
        scoring=scoring,
        parser=PARSER_VERSION,
        domain=domain,
        truth="/".join(sorted({key.truth for key in keys})),
        truth_checked=truth.checked,
        truth_note=truth.note,
        questions=info.queries,
        keys_digest=formats.file_digest(path / KEYS_FILE),
        journal_digest=formats.file_digest(path / JOURNAL_FILE),
        chances=chances(policy, found.cells, attempt or 1),
        policy=policy,
        policy_digest=policy.digest,
        asked_from=run.observed.first,
        asked_until=run.observed.last,
        run_versions=info.versions,
        versions={"counterbench": __version__, "python": platform.python_version()},
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        **{name: getattr(info, name) for name in _OF_THE_RUN},
        **msgspec.structs.asdict(found),
    )
    return msgspec.structs.replace(certificate, digest=content_digest(certificate))


def endpoint(judge: str) -> tuple[str, dict[str, str]]:
    """The kind of endpoint that a judge's name says, and the parameters in it."""
    kind, _, rest = judge.partition(":")
    if kind not in ENDPOINTS:
        return "other", {}
    return kind, split_spec(rest)[1] if kind != "replay" else {}
