"""Whether a certificate still says what was written, and what its run shows: every part that differs, in words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from counterbench.answers import PARSER_VERSION
from counterbench.certificate.cells import Count, cell_result, law_results, threshold
from counterbench.certificate.document import CellResult, Certificate, ControlResult, Verdict, content_digest
from counterbench.certificate.findings import Findings, conditions, control_result
from counterbench.certificate.issue import certify
from counterbench.certificate.kinds import kind_results
from counterbench.certificate.policies import refuse_wordings, usurps
from counterbench.errors import InputError
from counterbench.files import catalog, formats
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, read_run_info
from counterbench.scoring.scores import Share
from counterbench.suites.attempts import MOST, attempt_seed
from counterbench.suites.cells import cells_digest, cells_of
from counterbench.suites.sources import selection_digest
from counterbench.suites.suite import load_drawn, load_suite
from counterbench.text import quoted

# What is of the certificate's own making: another one from the same run may have others.
_OWN = ("time", "versions", "digest")
_NONE = object()
Counted = TypeVar("Counted", CellResult, ControlResult)
# No run has more of a cell; what counts more is no count of pairs.
_MOST_PAIRS = 10**9


def problems(certificate: Certificate) -> list[str]:
    """What shows that a certificate is not as it was issued; nothing if it holds together.

    Everything that follows from something else in it is derived anew: digests, the attempt's seed and threshold, the
    cells of its suite, and from their counts what was shown of cells, laws and controls. It notices accidents: whoever
    means to change a certificate can change counts and digests too. `differences` needs the run.
    """
    found = []
    if usurps(certificate.policy):
        found.append(
            f"policy: it is called {certificate.policy.name!r}, but is not what this version ships by that name"
        )
    try:
        refuse_wordings(certificate.policy, "policy")
    except InputError as error:
        found.append(str(error))
    if certificate.policy_digest != certificate.policy.digest:
        found.append(f"policy_digest: it is {certificate.policy_digest}, its policy's is {certificate.policy.digest}")
    content = content_digest(certificate)
    if certificate.digest != content:
        found.append(f"digest: it is {certificate.digest}, of the content {content}: the certificate was changed")
    return [*found, *_of_no_attempt(certificate), *_not_shown(certificate)]


def _of_no_attempt(c: Certificate) -> Iterator[str]:
    """Where seed, threshold and cells are not those of the attempt that it names."""
    if c.attempt is not None and not 1 <= c.attempt <= MOST:
        yield f"attempt: it is {c.attempt}, they count from 1 to {MOST}"
        return
    if (least := threshold(c.policy, c.attempt or 1)) != c.threshold:
        yield f"threshold: it is {c.threshold:g}, attempt {c.attempt} under policy {c.policy.name!r} asks for {least:g}"
    if c.attempt is None:
        return
    if c.suite not in catalog.names("scenes"):
        yield f"suite: {c.suite!r} is none that this version ships, and only those have attempts"
        return
    suite = load_suite(c.suite)
    if c.seed != (seed := attempt_seed(suite, c.attempt)):
        yield f"seed: it is {c.seed}, the pairs of attempt {c.attempt} at {c.suite!r} are of {seed}"
        return
    if strangers := c.cells.keys() - cells_of(suite).keys():
        yield f"cells: suite {c.suite!r} has no cell {min(strangers)!r}"
    drawn = load_drawn(c.suite, c.seed, c.domain)
    if c.suite_digest not in (cells_digest(drawn), selection_digest(drawn, c.questions // (2 * c.votes) or None)):
        yield f"suite_digest: it is {c.suite_digest}, of pairs that this version does not draw: ask the judge anew"


def _not_shown(c: Certificate) -> Iterator[str]:
    """Where what it says of cells, laws, controls and the whole run does not follow from its counts."""
    for name, found in [
        *((f"cells: {name!r}", cell.ccs) for name, cell in c.cells.items()),
        ("control", c.control.accuracy),
        *((f"control: {name!r}", stayed) for name, stayed in c.control.skills.items()),
    ]:
        if not 0 <= found.hits <= found.of <= _MOST_PAIRS:
            yield f"{name}: no judge is right on {found.hits} of {found.of} pairs"
            return
    cells = {name: _shown(cell, "ccs", c.policy.ccs, c.threshold) for name, cell in c.cells.items()}
    control = _shown(c.control, "accuracy", c.policy.control, c.threshold)
    shown = control_result(c.control.accuracy, c.control.skills, c.policy, c.threshold)
    control = msgspec.structs.replace(control, verdict=shown.verdict)
    of_kinds = {
        name: cell_result(Count(of.right, of.of - of.right), c.policy.ccs, c.threshold) for name, of in c.kinds.items()
    }
    laws = law_results(cells, c.threshold, of_kinds)
    outcomes = Counter(c.control.outcomes)
    for skill in c.skills.values():
        outcomes.update(skill.outcomes)
    derived = Findings(
        cells=cells,
        laws=laws,
        kinds=kind_results(of_kinds, laws, c.threshold),
        prior=c.prior,
        skills=c.skills,
        control=control,
        run=conditions(outcomes, len(cells), c.policy, list(c.models), c.flips),
    )
    if not c.cells:
        yield "cells: it names none, so it says nothing of any law"
    for name in (name for name in c.cells if not _alike(c.cells[name], cells[name])):
        yield f"cells: {name!r} {_otherwise(c.cells[name].verdict, cells[name].verdict)}"
    if not _alike(c.laws, derived.laws):
        yield "laws: what it says of them does not follow from its cells"
    if not _alike(c.kinds, derived.kinds):
        yield "kinds: what it says of them does not follow from their counts"
    if not _alike(c.control, control):
        yield f"control: it {_otherwise(c.control.verdict, control.verdict)}"
    if not _alike(c.run, derived.run):
        yield "run: what it says of the whole does not follow from the outcomes of its questions"
    if c.admitted != derived.admitted:
        yield "admitted: the laws that it names are not those that are shown"
    if c.verdict != derived.verdict:
        yield f"verdict: {c.verdict!r} does not follow from the rest"


def _shown(said: Counted, counted: str, bound: float, least: float) -> Counted:
    """What is said of a cell, or of the controls, as it follows from the counts in its field `counted`."""
    share: Share = getattr(said, counted)
    found = cell_result(Count(share.hits, share.of - share.hits), bound, least)
    anew = {counted: found.ccs, "verdict": found.verdict, "evidence": found.evidence, "against": found.against}
    return msgspec.structs.replace(said, **anew)


def _otherwise(said: Verdict, shown: Verdict) -> str:
    if said == shown:
        return "has other numbers than follow from its counts"
    return f"is said to be {said!r}; its counts show {shown!r}"


def _alike(one: Any, other: Any) -> bool:
    return next(_unlike(msgspec.to_builtins(one), msgspec.to_builtins(other)), None) is None


def outdated(certificate: Certificate, run: str | Path = "RUN") -> str:
    """That a certificate was issued with another parser than this version's, and what to do; empty if it was not.

    Nothing is wrong with it, but this version may read a reply of its journal otherwise.
    """
    if certificate.parser == PARSER_VERSION:
        return ""
    return (
        f"parser: issued with parser {certificate.parser}; this version reads replies with parser {PARSER_VERSION}: "
        f"`counterbench certify {quoted(run)}` issues it anew from its journal at no cost (where pictures were judged "
        "under it, the same `t2i judge` with the new one then asks nothing)"
    )


def outlived(certificate: Certificate, at: str = "") -> str:
    """That the replies were older than the policy allows, when the judge was asked; empty if they were not.

    `at`: when that was, in ISO 8601; empty for this moment.
    """
    days, since = certificate.policy.days, certificate.asked_from
    try:
        age = (datetime.fromisoformat(at) if at else datetime.now(UTC)) - datetime.fromisoformat(since)
    except (ValueError, TypeError):  # no time, or none of a known zone
        return "no record says when the judge was asked"
    if age.days < -1:  # clocks differ
        return f"its judge was asked from {since[:10]} on, which is yet to come"
    if age.days <= days:
        return ""
    return (
        f"its judge was asked from {since[:10]} on, {age.days} days ago; policy {certificate.policy.name!r} lets "
        f"replies count for {days}: ask it again, into another --out"
    )


def differences(certificate: Certificate, run: Path) -> list[str]:
    """What the run in `run` shows otherwise than the certificate says, read anew under its own policy and scoring.

    Of a certificate of another parser (`outdated`) also what this version reads otherwise; the parser itself is none.

    InputError if `run` is not a run at all.
    """
    read_run_info(run)
    found = []
    try:
        derived = certify(run, certificate.policy, certificate.scoring)
    except InputError as error:
        for name, file in (("keys", KEYS_FILE), ("journal", JOURNAL_FILE)):
            there, said = formats.file_digest(run / file), getattr(certificate, f"{name}_digest")
            if there != said:
                found.append(f"{name}_digest: {said!r} in the certificate, {there!r} by the run")
        return [*found, f"run: {error}"]
    if not certificate.control.silent:  # nor did one say this
        derived = msgspec.structs.replace(derived, control=msgspec.structs.replace(derived.control, silent={}))
    if not certificate.control.skills:  # an earlier version did not say it by skill
        control = msgspec.structs.replace(derived.control, skills={}, treatments={}, declined=0)
        derived = msgspec.structs.replace(derived, control=control)
    said, shown = (_parts(one) for one in (certificate, derived))
    return [*found, *(_in_words(*part) for part in _unlike(said, shown) if part[0] != "parser")]


def _parts(certificate: Certificate) -> dict[str, Any]:
    plain: dict[str, Any] = msgspec.to_builtins(certificate)
    return {name: value for name, value in plain.items() if name not in _OWN}


def _unlike(one: Any, other: Any, place: str = "") -> Iterator[tuple[str, Any, Any]]:
    """Where two plain values differ: the place, and both. A share or a condition is one place: what differs of it."""
    if not isinstance(one, dict) or not isinstance(other, dict):
        if not _same(one, other):
            yield place, one, other
        return
    names = [*one, *(name for name in other if name not in one)]
    if "hits" in names or "bound" in names:
        unlike = [name for name in names if not _same(one.get(name), other.get(name))]
        if unlike:
            yield place, {name: one.get(name) for name in unlike}, {name: other.get(name) for name in unlike}
        return
    for name in names:
        yield from _unlike(one.get(name, _NONE), other.get(name, _NONE), f"{place}.{name}" if place else name)


def _same(one: Any, other: Any) -> bool:
    """Whether two values are the same but for rounding, which may differ between platforms."""
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9)
    return bool(one == other)


def _in_words(place: str, said: Any, shown: Any) -> str:
    return f"{place}: {_short(said)} in the certificate, {_short(shown)} by the run"


def _short(value: Any) -> str:
    if value is _NONE:
        return "nothing"
    if isinstance(value, dict):
        parts = (f"{name} {part:.4g}" if isinstance(part, float) else f"{name} {part}" for name, part in value.items())
        text = ", ".join(parts) or "nothing"
    else:
        text = repr(value)
    return text if len(text) <= 100 else f"{text[:97]}…"


def mismatches(
    certificate: Certificate,
    *,
    judge: str,
    wording_digest: str,
    votes: int | None = None,
    models: Iterable[str] = (),
) -> list[str]:
    """Which parts of a planned or finished use differ from what was certified, in words that name both values.

    `judge`: its name with its parameters. `votes`: compared if given. `models`: the ids that the server returned in
    this use; one that the certificate has not seen is another model under the same name.
    """
    pairs: list[tuple[str, object, object]] = [
        ("judge", certificate.judge, judge),
        ("wording digest", certificate.wording_digest, wording_digest),
    ]
    if votes is not None:
        pairs.append(("votes", certificate.votes, votes))
    found = [f"{what}: certified was {was!r}, used is {now!r}" for what, was, now in pairs if was != now]
    seen = ", ".join(map(repr, certificate.models)) or "none"
    new = [model for model in models if model not in certificate.models]
    if notice := outdated(certificate):
        found.append(notice)
    return found + [f"model id: certified was {seen}, the server returned {model!r}" for model in new]
