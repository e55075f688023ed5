"""Certifies: reads a run, holds it against a policy, and says what was shown."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.certificate.chances import Composition, Pairs, chances, composition
from counterbench.certificate.document import Certificate, content_digest
from counterbench.certificate.findings import findings
from counterbench.certificate.policies import Policy
from counterbench.certificate.truth import check_truth
from counterbench.errors import unknown
from counterbench.files import formats
from counterbench.judges.options import split_spec
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE
from counterbench.scoring.results import load_results
from counterbench.scoring.rules import DEFAULT, SCORINGS

# Of the kinds of judges; whatever else asks (an object of one's own) is "other".
ENDPOINTS = ("pixels", "planted", "openai", "transformers", "replay")
# The released scoring takes a "yes" anywhere in a reply for yes, so that what it counts shows little.
CERTIFYING = tuple(name for name in SCORINGS if name != "as-released")


def certify(path: Path, policy: Policy, scoring: str = DEFAULT) -> Certificate:
    """What the run in `path` shows under `policy`, whatever the verdict; nothing is asked and nothing is written.

    Raises InputError if the run cannot be read or has another truth than its suite, and if the policy has conditions
    for a skill that the run does not test.
    """
    if scoring not in CERTIFYING:
        raise unknown("scoring for a certificate", scoring, CERTIFYING)
    run = load_results(path, scoring)
    info, keys = run.info, [key for pair in run.pairs for key in pair.keys]
    truth = check_truth(path, info, keys)
    journal = path / JOURNAL_FILE
    found = findings(run.pairs, policy, list(run.observed.models))
    kind, parameters = endpoint(info.judge)
    counted = composition(pair.key for pair in run.pairs if pair.both is not None)
    every = composition(pair.key for pair in run.pairs)
    # A skill of which every pair was lost still has to be shown.
    there = Composition({name: counted.skills.get(name, Pairs(0, 0)) for name in every.skills}, counted.control)
    certificate = Certificate(
        verdict=found.verdict,
        judge=info.judge,
        kind=kind,
        address=parameters.get("base_url", ""),
        parameters=parameters,
        dropped=run.observed.dropped,
        models=run.observed.models,
        wording=info.wording,
        wording_digest=info.wording_digest,
        votes=info.votes,
        scoring=scoring,
        parser=PARSER_VERSION,
        suite=info.suite,
        suite_digest=info.suite_digest,
        seed=info.seed,
        truth="/".join(sorted({key.truth for key in keys})),
        truth_checked=truth.checked,
        truth_note=truth.note,
        questions=info.queries,
        keys_digest=formats.file_digest(path / KEYS_FILE),
        journal_digest=formats.file_digest(journal),
        skills=found.skills,
        control=found.control,
        run=found.run,
        chances=chances(policy, there),
        canaries=run.observed.canaries,
        policy=policy,
        policy_digest=policy.digest,
        run_versions=info.versions,
        versions={"counterbench": __version__, "python": platform.python_version()},
        time=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    return msgspec.structs.replace(certificate, digest=content_digest(certificate))


def endpoint(judge: str) -> tuple[str, dict[str, str]]:
    """The kind of endpoint that a judge's name says, and the parameters in it."""
    kind, _, rest = judge.partition(":")
    if kind not in ENDPOINTS:
        return "other", {}
    return kind, split_spec(rest)[1] if kind != "replay" else {}
