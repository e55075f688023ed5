"""Verification: every changed field is noticed, by the certificate itself or by its run; every misuse is named."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from certificate.forged import signed
from planted_runs import edit_info, read_journal, rewrite, write_run

from counterbench.answers import PARSER_VERSION
from counterbench.certificate import (
    Certificate,
    certify,
    differences,
    mismatches,
    outdated,
    problems,
    read_certificate,
    write_certificate,
)
from counterbench.certificate.document import content_digest
from counterbench.certificate.policies import load_policy
from counterbench.errors import FormatError, InputError
from counterbench.files import formats
from counterbench.runs.queries import Key


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "run", "planted:noisy?p=0.1", "smoke")


@pytest.fixture(scope="module")
def certificate(run: Path) -> Certificate:
    return certify(run, load_policy())


def leaves(value: Any, place: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict) and value:
        for key in value:
            yield from leaves(value[key], (*place, key))
    elif isinstance(value, list) and value:
        for i, item in enumerate(value):
            yield from leaves(item, (*place, i))
    else:
        yield place


def changed(value: Any) -> Any:
    """Another value of the same type, as near as can be."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1
        case float():
            return value + 1e-6
        case str():
            return value + " "
        case dict():
            return {"new": value}
        case list():
            return ["new"]
        case _:
            return "was null"


def tampered(certificate: Certificate, place: tuple[Any, ...]) -> bytes:
    plain = msgspec.to_builtins(certificate)
    inner = plain
    for key in place[:-1]:
        inner = inner[key]
    inner[place[-1]] = changed(inner[place[-1]])
    return json.dumps(plain).encode()


@pytest.mark.slow
def test_any_changed_field_is_noticed(certificate: Certificate) -> None:
    plain = msgspec.to_builtins(certificate)
    places = list(leaves(plain))
    assert len(places) > 200
    for place in places:
        try:
            found = problems(formats.decode(tampered(certificate, place), Certificate, "here"))
        except FormatError:  # no longer a certificate at all
            continue
        assert any("the certificate was changed" in problem for problem in found), place


def test_any_added_or_removed_field_is_noticed(certificate: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    for name in certificate.__struct_fields__:
        plain = msgspec.to_builtins(certificate)
        del plain[name]
        path.write_text(json.dumps(plain))
        if name in ("format", "flips"):  # there is one; a file without it says nothing else
            continue
        if name == "digest":
            found = read_certificate(path)
            assert isinstance(found, Certificate)
            assert problems(found)
            continue
        with pytest.raises(FormatError, match=f"missing required field `{name}`"):
            read_certificate(path)
    path.write_text(json.dumps(msgspec.to_builtins(certificate) | {"grade": "A"}))
    with pytest.raises(FormatError, match="grade"):
        read_certificate(path)


@pytest.mark.slow
def test_any_changed_field_with_a_new_digest_is_noticed_by_certificate_or_run(
    certificate: Certificate, run: Path
) -> None:
    """A forger can compute the digests; the run tells all the same, but for what is of the certificate's own making."""
    plain = msgspec.to_builtins(certificate)
    # Every field of the certificate, and of one skill and cell, the controls and the policy.
    spared = {"skills": ("count",), "cells": ("counting/open",), "policy": ("ccs", "alpha", "days", "outcomes")}
    places = [p for p in leaves(plain) if p[0] not in spared or p[1] in spared[p[0]]]
    noticed = []
    for place in places:
        try:
            forged = signed(msgspec.json.decode(tampered(certificate, place), type=Certificate))
        except msgspec.ValidationError:
            continue
        if place[0] in ("time", "versions", "digest", "policy_digest", "format"):
            assert problems(forged) == []
        else:
            assert problems(forged) or differences(forged, run) or outdated(forged), place
            noticed.append(place)
    assert len(noticed) > 60


def test_a_certificate_is_what_its_run_shows(certificate: Certificate, run: Path, tmp_path: Path) -> None:
    assert problems(certificate) == []
    assert differences(certificate, run) == []
    write_certificate(tmp_path / "new" / "c.json", certificate)
    read = read_certificate(tmp_path / "new" / "c.json")
    assert isinstance(read, Certificate)
    assert read == certificate
    assert problems(read) == differences(read, run) == []


def test_a_changed_policy_within_is_named(certificate: Certificate) -> None:
    found = problems(msgspec.structs.replace(certificate, policy=msgspec.structs.replace(certificate.policy, ccs=0.1)))
    parts = [problem.partition(":")[0] for problem in found]
    assert parts[:3] == ["policy", "policy_digest", "digest"]
    assert set(parts[3:]) == {"cells", "laws"}


# ---- the run changed afterwards


@pytest.fixture
def copy(tmp_path: Path) -> tuple[Path, Certificate]:
    path = write_run(tmp_path / "run", "planted:noisy?p=0.1", "smoke")
    return path, certify(path, load_policy())


def test_a_policy_under_a_shipped_ones_name_is_a_problem(certificate: Certificate) -> None:
    changed = signed(certificate, policy=msgspec.structs.replace(certificate.policy, name="strict"))
    assert problems(changed) == ["policy: it is called 'strict', but is not what this version ships by that name"]


def test_an_edited_reply_is_named_by_journal_cell_and_skill(copy: tuple[Path, Certificate]) -> None:
    path, certificate = copy
    said = read_journal(path)
    i = next(i for i, r in enumerate(said) if r.id.startswith("counting-") and r.id.endswith("/original"))
    rewrite(path, [*said[:i], msgspec.structs.replace(said[i], reply="99"), *said[i + 1 :]])
    found = "\n".join(differences(certificate, path))
    assert "journal_digest: " in found
    assert "skills.count.ccs: " in found
    assert "cells.counting/open.ccs: " in found
    assert "skills.colour" not in found
    assert "cells.attribute" not in found


def test_an_edited_truth_is_named_by_its_key(copy: tuple[Path, Certificate]) -> None:
    path, certificate = copy
    keys = list(formats.read_lines(path / "keys.jsonl", Key))
    formats.write_lines(path / "keys.jsonl", [msgspec.structs.replace(keys[0], expected="maybe"), *keys[1:]])
    found = differences(certificate, path)
    assert found[0].startswith("keys_digest: ")
    assert "key 'spatial-000000/original' has expected 'maybe', the suite has" in found[1]


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("judge", "planted:oracle", "judge: 'planted:noisy?p=0.1' in the certificate, 'planted:oracle' by the run"),
        ("wording", "bare", "wording: 'default' in the certificate, 'bare' by the run"),
        ("wording_digest", "00", "wording_digest: "),
        ("suite", "certify", "suite: 'smoke' in the certificate, 'certify' by the run"),
        ("suite_digest", "00", "suite_digest: "),
        ("seed", 2, "seed: 1 in the certificate, 2 by the run"),
        ("versions", {"pillow": "1"}, "run_versions.pillow: nothing in the certificate, '1' by the run"),
    ],
)
def test_another_run_json_is_named(copy: tuple[Path, Certificate], field: str, value: object, named: str) -> None:
    path, certificate = copy
    edit_info(path, **{field: value})
    assert named in "\n".join(differences(certificate, path))


def test_a_newer_parser_is_named_with_what_to_do(certificate: Certificate, run: Path) -> None:
    older = msgspec.structs.replace(certificate, parser="1")
    older = msgspec.structs.replace(older, digest=content_digest(older))
    found = differences(older, run)
    assert found == problems(older) == []
    assert outdated(certificate) == ""
    assert outdated(older, "runs/r") == (
        f"parser: issued with parser 1; this version reads replies with parser {PARSER_VERSION}: "
        "`counterbench certify runs/r` issues it anew from its journal at no cost (where pictures were judged under "
        "it, the same `t2i judge` with the new one then asks nothing)"
    )
    use: dict[str, Any] = {"judge": older.judge, "wording_digest": older.wording_digest}
    assert mismatches(older, **use) == [outdated(older)]


def test_what_is_no_run_is_bad_input(certificate: Certificate, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such run folder"):
        differences(certificate, tmp_path / "nothing")


# ---- used for something else


def test_nothing_differs_in_the_use_that_was_certified(certificate: Certificate) -> None:
    same: dict[str, Any] = {"judge": certificate.judge, "wording_digest": certificate.wording_digest}
    assert mismatches(certificate, **same) == []
    more: dict[str, Any] = {"votes": 1, "models": ["planted:noisy?p=0.1"]}
    assert mismatches(certificate, **same, **more) == []


@pytest.mark.parametrize(
    ("use", "words"),
    [
        ({"judge": "planted:oracle"}, ["judge: certified was 'planted:noisy?p=0.1', used is 'planted:oracle'"]),
        ({"wording_digest": "ab"}, ["wording digest: certified was ", "used is 'ab'"]),
        ({"votes": 5}, ["votes: certified was 1, used is 5"]),
        ({"models": ["new"]}, ["model id: certified was 'planted:noisy?p=0.1', the server returned 'new'"]),
    ],
)
def test_each_part_that_differs_is_named_with_both_values(
    certificate: Certificate, use: dict[str, Any], words: list[str]
) -> None:
    same: dict[str, Any] = {"judge": certificate.judge, "wording_digest": certificate.wording_digest}
    found = mismatches(certificate, **(same | use))
    assert len(found) == 1
    assert all(word in found[0] for word in words)


# ---- files


def test_a_certificate_replaces_a_certificate_and_nothing_else(certificate: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    write_certificate(path, certificate)
    write_certificate(path, msgspec.structs.replace(certificate, time="later"))
    assert read_certificate(path).time == "later"
    for text in ('{"format": "counterbench.run/1"}', "{}", "[]", "notes", ""):
        path.write_text(text)
        with pytest.raises(InputError, match="is there and is no certificate; choose another --out"):
            write_certificate(path, certificate)
        assert path.read_text() == text
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_certificate(tmp_path / "folder.json", certificate)
    with pytest.raises(InputError, match=r"a certificate's file ends in \.json"):
        write_certificate(tmp_path / "c.txt", certificate)


def test_a_newer_certificate_asks_for_an_update(certificate: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    path.write_text(json.dumps(msgspec.to_builtins(certificate) | {"format": "counterbench.certificate/3"}))
    with pytest.raises(FormatError, match=r"newer format 'counterbench\.certificate/3'.*update counterbench"):
        read_certificate(path)
