"""Checks of a certificate against its digest, its run, this version, the time and the judge in use; in words."""

import math
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec

from counterbench.answers import PARSER_VERSION
from counterbench.certificate.document import Certificate, content_digest
from counterbench.certificate.issue import certify
from counterbench.errors import InputError
from counterbench.runs.folder import read_run_info
from counterbench.text import quoted

# The fields in which another certificate of the same run may differ; `outdated` reports the parser.
_OWN = ("time", "versions", "digest", "parser")
_NONE = object()


def problems(certificate: Certificate) -> list[str]:
    """The signs that a certificate was changed after it was written; empty if there are none."""
    content = content_digest(certificate)
    if certificate.digest == content:
        return []
    return [f"digest: it is {certificate.digest}, of the content {content}: the certificate was changed"]


def outdated(certificate: Certificate, run: str | Path = "RUN") -> str:
    """The notice that a certificate was issued with another parser, and the remedy; empty if it was not.

    Nothing is wrong with it, but this version may read a reply of its journal in another way.
    """
    if certificate.parser == PARSER_VERSION:
        return ""
    return (
        f"parser: issued with parser {certificate.parser}; this version reads replies with parser {PARSER_VERSION}: "
        f"`counterbench certify {quoted(run)}` issues it anew from its journal at no cost (where pictures were judged "
        "under it, the same `t2i judge` with the new one then asks nothing)"
    )


def outlived(certificate: Certificate, at: str = "") -> str:
    """The notice that the replies are older than the policy allows; empty if they are not.

    `at`: the time of use, in ISO 8601; empty for this moment.
    """
    days, since = certificate.policy.days, certificate.asked_from
    try:
        age = (datetime.fromisoformat(at) if at else datetime.now(UTC)) - datetime.fromisoformat(since)
    except (ValueError, TypeError):  # no time, or none of a known zone
        return "no record says when the judge was asked"
    if age.days <= days:
        return ""
    return (
        f"its judge was asked from {since[:10]} on, {age.days} days ago; policy {certificate.policy.name!r} lets "
        f"replies count for {days}: ask it again, into another --out"
    )


def differences(certificate: Certificate, run: Path) -> list[str]:
    """The differences between a certificate and a new one of the run in `run`, under the same policy and scoring.

    InputError if `run` is not a run at all.
    """
    read_run_info(run)
    try:
        derived = certify(run, certificate.policy)
    except InputError as error:
        return [f"run: {error}"]
    said, shown = msgspec.to_builtins(certificate), msgspec.to_builtins(derived)
    return [
        f"{place}: {_short(one)} in the certificate, {_short(other)} by the run"
        for name in said
        if name not in _OWN
        for place, one, other in _unlike(said[name], shown[name], name)
    ]


def _unlike(one: Any, other: Any, place: str) -> Iterator[tuple[str, Any, Any]]:
    """The places where two plain values differ, with both values; rounding is ignored, as platforms differ in it."""
    if isinstance(one, dict) and isinstance(other, dict):
        for name in one | other:
            yield from _unlike(one.get(name, _NONE), other.get(name, _NONE), f"{place}.{name}")
    elif isinstance(one, float) and isinstance(other, float):
        if not math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-9):
            yield place, one, other
    elif one != other:
        yield place, one, other


def _short(value: Any) -> str:
    text = "nothing" if value is _NONE else f"{value:.4g}" if isinstance(value, float) else repr(value)
    return text if len(text) <= 100 else f"{text[:97]}…"


def mismatches(
    certificate: Certificate,
    *,
    judge: str,
    template_digest: str,
    votes: int | None = None,
    models: Iterable[str] = (),
) -> list[str]:
    """The differences between a planned or finished use and the certificate, in words that name both values.

    `judge`: its name with its parameters. `votes`: compared if given. `models`: the ids that the server returned in
    this use; an id that is not in the certificate is another model under the same name.
    """
    pairs: list[tuple[str, object, object]] = [
        ("judge", certificate.judge, judge),
        ("template digest", certificate.template_digest, template_digest),
    ]
    if votes is not None:
        pairs.append(("votes", certificate.votes, votes))
    differing = [f"{what}: certified was {was!r}, used is {now!r}" for what, was, now in pairs if was != now]
    seen = ", ".join(map(repr, certificate.models)) or "none"
    new = [model for model in models if model not in certificate.models]
    if notice := outdated(certificate):
        differing.append(notice)
    return differing + [f"model id: certified was {seen}, the server returned {model!r}" for model in new]
