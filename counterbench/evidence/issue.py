"""Issues a judge's certificate from a run and a policy, and checks certificates that were issued before.

`certify` takes a run's folder (questions, right answers, replies) and a policy (the bounds that a judge must be shown
to exceed), and gives the certificate: what the judge was shown to see, with digests of the run. First it checks the
run's *keys*, its right answers: it draws the pairs of a shipped suite again and compares (`check_truth`).

The later functions check a certificate: `problems` (was it changed?), `differences` (does it follow from its run?),
`outdated` and `outlived` (is it too old?), `mismatches` (is the judge in use the one that was tested?). Each gives
texts, none where all is well. `by_style` puts the certificates of one judge side by side, one for each drawing style.

An *attempt* is a numbered fresh sample of a suite's pairs: nobody can choose pairs that suit a judge.
"""

import math
import platform
from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.answers.choices import EQUAL, FIRST
from counterbench.drawing.domain import Domain
from counterbench.errors import InputError
from counterbench.evidence.cells import needed_e_value
from counterbench.evidence.document import CellVerdict, Certificate, NumberFindings, content_digest
from counterbench.evidence.findings import judge_findings
from counterbench.evidence.policies import Policy
from counterbench.evidence.treatments import treatments_of
from counterbench.files import formats
from counterbench.judges.scorers import numbers_in
from counterbench.judges.specs import gives_numbers, is_by_order
from counterbench.results.results import PairResult, load_results
from counterbench.results.rules import DEFAULT
from counterbench.results.scores import Share, share
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, RunInfo, read_run_info, records_of, uncounted
from counterbench.runs.pair_queries import keys
from counterbench.runs.queries import Key, cell_of
from counterbench.scene.pairs import ROLES
from counterbench.suites.kinds import ALL_CLOSE, kind_rules
from counterbench.suites.sources import CellSource, SuiteSource, as_drawn, attempt_of, cells_digest, cells_of
from counterbench.suites.suite import is_shipped, load_suite
from counterbench.text import quoted

# The fields in which two certificates of one run may differ; `outdated` reports the parser.
_MAY_DIFFER = ("time", "versions", "digest", "parser")
_NONE = object()  # in place of a value that is not there
# A cache of the two keys of pairs that were drawn again, by suite digest, family and index.
_drawn_keys: dict[tuple[str, str, int], tuple[Key, ...]] = {}
_MAX_CACHED = 20_000  # pairs in the cache
_WITHIN = 0.9  # the share of a scorer's control questions whose two numbers are within its margin
_ADVICE = (
    "they were changed after the run began, or the folder that was probed had been (`counterbench verify` tells): "
    "probe the suite into another run"
)


def certify(path: Path, policy: Policy) -> Certificate:
    """The certificate of the run in `path` under `policy`, whatever its verdict; nothing is asked or written.

    The run may be unfinished, since its evidence (e-values) holds wherever a run stops. InputError if the run cannot be
    read, has other right answers than its suite, or asked a shipped suite's pairs under a seed that no attempt uses.
    """
    run = load_results(path)
    info, recorded_keys = run.info, [key for pair in run.pairs for key in pair.keys]
    unchecked, domain = check_truth(path, info, recorded_keys)
    suite = None if unchecked else load_suite(info.suite, info.seed)
    suite = suite if suite is None or info.domain is None else as_drawn(suite, info.domain)
    attempt = None if suite is None else attempt_of(suite)
    if not unchecked and attempt is None:
        raise InputError(
            f"{path}: suite {info.suite!r} was drawn with seed {info.seed}, which no attempt uses: a seed of one's own "
            "choice is for probe and score. To certify, run `validate` (--attempt 1, 2, …)"
        )
    e_needed = needed_e_value(policy, attempt or 1)
    rules, treatments = (ALL_CLOSE, ()) if suite is None else (kind_rules(suite), treatments_of(suite))
    numbers = _number_findings(path, info, run.pairs) if gives_numbers(info.judge) else msgspec.UNSET
    result = judge_findings(run.pairs, policy, e_needed, list(run.observed.models), rules, treatments, numbers)
    certificate = Certificate(
        verdict=result.verdict,
        admitted=result.admitted,
        attempt=attempt,
        threshold=e_needed,
        models=run.observed.models,
        scoring=DEFAULT,
        parser=PARSER_VERSION,
        domain=domain or info.domain,
        truth="/".join(sorted({key.truth for key in recorded_keys})),
        truth_checked=not unchecked,
        truth_note=unchecked,
        questions=info.queries,
        keys_digest=formats.file_digest(path / KEYS_FILE),
        journal_digest=formats.file_digest(path / JOURNAL_FILE),
        policy=policy,
        asked_from=min(filter(None, (info.replies_from or "", run.observed.first)), default=""),
        asked_until=run.observed.last,
        versions={"counterbench": __version__, "python": platform.python_version()},
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        **info.provenance,
        **msgspec.structs.asdict(result),
    )
    return msgspec.structs.replace(certificate, digest=content_digest(certificate))


def _number_findings(path: Path, info: RunInfo, pairs: Iterable[PairResult]) -> NumberFindings:
    """The findings on the numbers in the replies of a scorer or rater, beside their order."""
    by_id = {record.id: both for record in records_of(path, info) if (both := numbers_in(record.reply or ""))}
    gaps, own_larger, values = list[float](), list[bool](), list[str | None]()
    leads = list[float]()  # of each relevant pair, by how much the weaker of its two orders is right
    for pair in pairs:
        if pair.both is None or not all(key.id in by_id for key in pair.keys):
            continue
        (first, second), (first_again, second_again) = (by_id[key.id] for key in pair.keys)
        if pair.key.relevant:  # the first picture shows one of the two prompts, the second the other
            values += [reply.value for reply in pair.both]
            rises = first - first_again, second_again - second
            orders = zip(pair.keys, (first - second, first_again - second_again), strict=True)
            leads.append(min(gap if key.expected == FIRST else -gap for key, gap in orders))
            own_larger.append(min(rises) > 0 if pair.key.expected == FIRST else max(rises) < 0)
        else:
            gaps += [abs(first - second), abs(first_again - second_again)]
    margin = sorted(gaps)[math.ceil(_WITHIN * len(gaps)) - 1] if gaps and is_by_order(info.judge) else 0.0
    return NumberFindings(
        margin=margin if is_by_order(info.judge) else None,
        at_margin=share(sum(lead > margin for lead in leads), len(leads)),
        gaps=len(gaps),
        ties=share(values.count(EQUAL), len(values)),
        text_order=share(sum(own_larger), len(own_larger)),
    )


def check_truth(path: Path, info: RunInfo, recorded: Sequence[Key]) -> tuple[str, Domain | None]:
    """Compare the keys of the run in `path` with those of its suite, drawn again.

    Returns the reason why they could not be compared, or "", and the domain (the kind of pictures) that was drawn.
    InputError names the first key that differs, and the difference. Only shipped suites can be drawn again: a run does
    not record enough of a user's own suite, a folder drawn by another version, or an imported data set.
    """
    keys = {key.id: key for key in recorded}
    if uncounted(info, len(keys)):
        raise InputError(
            f"{path / KEYS_FILE}: {len(keys)} keys × {info.repeats} repeats, but run.json says {info.queries} questions"
        )
    source = drawn_again(info, recorded)
    if source is None and any(key.truth == "published" for key in keys.values()):
        return "the truth is published, not computed: it was imported with the data", None
    if source is None:
        return f"suite {info.suite!r} as the run has it is not one that this version ships", None
    for key in _true_keys(source):
        recorded_as = keys.pop(key.id, None)
        if recorded_as is None:
            raise InputError(f"{path / KEYS_FILE}: key {key.id!r} is missing; {_ADVICE}")
        for name in key.__struct_fields__:
            if (written := getattr(recorded_as, name)) != (true := getattr(key, name)):
                raise InputError(
                    f"{path / KEYS_FILE}: key {key.id!r} has {name} {written!r}, the suite has {true!r}; {_ADVICE}"
                )
    if keys:
        raise InputError(f"{path / KEYS_FILE}: key {min(keys)!r} is not in the suite; {_ADVICE}")
    return "", source.domain


def _true_keys(source: SuiteSource) -> Iterator[Key]:
    """The keys of a suite's pairs, drawn again or taken from the cache."""
    digest = source.suite.digest
    for part, index in source.items():
        place = (digest, part.family, index)
        if place not in _drawn_keys:
            if len(_drawn_keys) >= _MAX_CACHED:
                _drawn_keys.clear()
            _drawn_keys[place] = tuple(keys(source, [source.suite.sample(part, index)]))
        yield from _drawn_keys[place]


def drawn_again(info: RunInfo, recorded: Iterable[Key]) -> SuiteSource | None:
    """The pairs of a shipped suite that a run asked, to be drawn again; None if the suite is not shipped.

    The run's digest tells which pairs: all, the first ones, or those that were chosen cell by cell (by the kind of
    question). `recorded`: the run's keys. InputError if one of them belongs to no cell.
    """
    if not is_shipped(info.suite) or info.seed is None:
        return None
    suite = load_suite(info.suite, info.seed)
    if info.domain is not None:
        suite = as_drawn(suite, info.domain)
    if info.suite_digest == cells_digest(suite):
        cells = [cell_of(key) for key in recorded if key.role == ROLES[0]]
        if strangers := set(cells) - cells_of(suite).keys():
            raise InputError(f"keys of a cell {min(strangers)!r}, which suite {info.suite!r} does not have; {_ADVICE}")
        return CellSource(suite, cells)
    source = SuiteSource(suite, info.queries // (2 * info.repeats) or None)
    return source if source.digest == info.suite_digest else None


def problems(certificate: Certificate) -> list[str]:
    """The signs that a certificate was changed after it was written, as texts; empty if it was not."""
    if certificate.digest == (content := content_digest(certificate)):
        return []
    return [f"digest: recorded is {certificate.digest}, computed is {content}: the certificate was changed"]


def outdated(certificate: Certificate, run: str | Path = "RUN") -> str:
    """A notice, with the remedy, if a certificate was issued with another parser; else empty.

    Nothing is wrong with it, but this version may read a reply of its run in another way.
    """
    if certificate.parser == PARSER_VERSION:
        return ""
    return (
        f"parser: issued with parser {certificate.parser}; this version reads replies with parser {PARSER_VERSION}: "
        f"`counterbench certify {quoted(run)}` issues it anew from its journal at no cost (where pictures were judged "
        "under it, the same `t2i judge` with the new one then asks nothing)"
    )


def outlived(certificate: Certificate, asked_at: str = "") -> str:
    """A notice if the certificate's replies are older than its policy allows; else empty.

    `asked_at`: the time of use, in ISO 8601; empty for this moment.
    """
    days, since = certificate.policy.days, certificate.asked_from
    try:
        age = (datetime.fromisoformat(asked_at) if asked_at else datetime.now(UTC)) - datetime.fromisoformat(since)
    except (ValueError, TypeError):  # no time, or none of a known zone
        return "no record says when the judge was asked"
    if age.days <= days:
        return ""
    return (
        f"its judge was asked from {since[:10]} on, {age.days} days ago; policy {certificate.policy.name!r} lets "
        f"replies count for {days}: ask it again, into another --out"
    )


def differences(certificate: Certificate, run: Path) -> list[str]:
    """The differences between a certificate and a new one of the run in `run`, under the same policy.

    InputError if `run` is not a run at all.
    """
    read_run_info(run)
    try:
        derived = certify(run, certificate.policy)
    except InputError as error:
        return [f"run: {error}"]
    stated, rerun = msgspec.to_builtins(certificate), msgspec.to_builtins(derived)
    return [
        f"{place}: {short(first)} in the certificate, {short(second)} by the run"
        for name in stated
        if name not in _MAY_DIFFER
        for place, first, second in differing_values(stated[name], rerun[name], name)
    ]


def differing_values(first: Any, second: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """The places where two nested values differ, as (place, first value, second value).

    `place`: the name of the whole ("laws"; a place within it is "laws.wind"). Tiny differences of fractions are
    ignored, since platforms round differently.
    """
    if isinstance(first, dict) and isinstance(second, dict):
        for name in first | second:
            yield from differing_values(first.get(name, _NONE), second.get(name, _NONE), f"{place}.{name}")
    elif isinstance(first, float) and isinstance(second, float):
        if not math.isclose(first, second, rel_tol=1e-9, abs_tol=1e-9):
            yield place, first, second
    elif first != second:
        yield place, first, second


def short(value: Any) -> str:
    """A value from `differing_values` as a short text for a message."""
    text = "nothing" if value is _NONE else f"{value:.4g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 100 else f"{text[:97]}…"


class WayOfAsking(NamedTuple):
    """A judge in use, and how and when it is asked: what a certificate must be of."""

    judge: str  # its name, with its parameters
    template_digest: str  # of the words around each question
    repeats: int = 1  # of each question
    prompt_shown: bool = False  # it sees the prompts, which drawn pairs do not have
    # The ids that the server returned, if known; an id that a certificate lacks is another model under the same name.
    models: Collection[str] = ()
    asked_at: str = ""  # the time of the last question (ISO 8601); empty: now


def mismatches(certificate: Certificate, way: WayOfAsking) -> list[str]:
    """The differences between the tested judge and the one in use, in words that name both values."""
    pairs: list[tuple[str, object, object]] = [
        ("judge", certificate.judge, way.judge),
        ("template digest", certificate.template_digest, way.template_digest),
        ("repeats", certificate.repeats, way.repeats),
    ]
    differing = [f"{what}: the certificate has {was!r}, this use has {now!r}" for what, was, now in pairs if was != now]
    certified = ", ".join(map(repr, certificate.models)) or "none"
    new = [model for model in way.models if model not in certificate.models]
    if notice := outdated(certificate):
        differing.append(notice)
    return differing + [f"model id: the certificate has {certified}, the server returned {model!r}" for model in new]


class ByStyle(msgspec.Struct, frozen=True):
    """The results of one judge on the same suite in several drawing styles."""

    judge: str
    suite: str
    policy: str
    verdicts: dict[str, CellVerdict]  # by style
    skills: dict[str, dict[str, Share]]  # CCS by skill, then by style
    worst: dict[str, str]  # by skill, the style with the lowest CCS; skills with the same CCS in all styles have none


def by_style(certificates: Sequence[Certificate]) -> ByStyle:
    """The results of one judge in several styles; InputError unless its certificates differ only in style."""
    first = certificates[0]
    styles: dict[str, Certificate] = {}  # by style
    for c in certificates:
        for field in ("judge", "suite", "template"):
            if getattr(c, field) != getattr(first, field):
                raise InputError(
                    f"runs that are certified together are of one judge, suite and template, in several styles; they "
                    f"have {field} {getattr(first, field)!r} and {getattr(c, field)!r}: certify them one by one"
                )
        style = c.domain.style if c.domain is not None else ""
        if style in styles:
            raise InputError(
                f"two of the runs are in style {style or 'unknown'!r}: runs that are certified together are each in "
                "another (`counterbench probe --style NAME`)"
            )
        styles[style] = c
    skills, worst = {}, {}
    for name in sorted({name for c in certificates for name in c.skills}):
        skills[name] = {style: c.skills[name].ccs for style, c in styles.items() if name in c.skills}
        values = {style: ccs.value for style, ccs in skills[name].items() if ccs.value is not None}
        if len(set(values.values())) > 1:
            worst[name] = min(values, key=values.__getitem__)
    return ByStyle(
        judge=first.judge,
        suite=first.suite,
        policy=first.policy.name,
        verdicts={style: c.verdict for style, c in styles.items()},
        skills=skills,
        worst=worst,
    )
