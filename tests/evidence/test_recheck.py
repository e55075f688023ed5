"""Verification: a changed certificate is noticed by its digest, a changed run by deriving it again; misuse is named."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from planted_runs import edit_info, read_journal, rewrite, write_run

from counterbench.answers import PARSER_VERSION
from counterbench.errors import FormatError, InputError
from counterbench.evidence.document import Certificate, content_digest, read_certificate, write_certificate
from counterbench.evidence.issue import WayOfAsking, certify, differences, mismatches, outdated, problems
from counterbench.evidence.policies import load_policy
from counterbench.files import formats


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "run", "planted:noisy?p=0.1", "smoke")


@pytest.fixture(scope="module")
def certificate(run: Path) -> Certificate:
    return certify(run, load_policy())


def nearest_other(value: Any) -> Any:
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
            return {"new": next(iter(value.values()), "new")}
        case list():
            return ["new"]
        case _:
            return "was null"


def test_any_changed_field_is_noticed_by_the_digest(certificate: Certificate) -> None:
    plain = msgspec.to_builtins(certificate)
    for name in plain.keys() - {"format"}:
        other = json.dumps(plain | {name: nearest_other(plain[name])}).encode()
        try:
            found = problems(formats.decode(other, Certificate, "here"))
        except FormatError:  # no longer a certificate at all
            continue
        assert "the certificate was changed" in "\n".join(found), name
    deep = msgspec.to_builtins(certificate)
    deep["cells"]["counting/open"]["ccs"]["hits"] += 1
    assert problems(msgspec.convert(deep, Certificate))


def test_a_certificate_is_what_its_run_shows(certificate: Certificate, run: Path, tmp_path: Path) -> None:
    write_certificate(tmp_path / "new" / "c.json", certificate)
    read = read_certificate(tmp_path / "new" / "c.json")
    assert read == certificate
    assert problems(read) == differences(read, run) == []


# ---- the run changed afterwards


@pytest.fixture
def issued(tmp_path: Path) -> tuple[Path, Certificate]:
    path = write_run(tmp_path / "run", "planted:noisy?p=0.1", "smoke")
    return path, certify(path, load_policy())


def test_an_edited_reply_is_named_by_journal_cell_and_skill(issued: tuple[Path, Certificate]) -> None:
    path, certificate = issued
    replies = read_journal(path)
    i = next(i for i, r in enumerate(replies) if r.id.startswith("counting-") and r.id.endswith("/original"))
    rewrite(path, [*replies[:i], msgspec.structs.replace(replies[i], reply="99"), *replies[i + 1 :]])
    found = "\n".join(differences(certificate, path))
    assert "journal_digest: " in found
    assert "skills.count.ccs.hits: " in found
    assert "cells.counting/open.ccs.hits: " in found
    assert "skills.colour" not in found
    assert "cells.attribute" not in found


@pytest.mark.parametrize(
    ("field", "value", "named"),
    [
        ("template", "bare", "template: 'default' in the certificate, 'bare' by the run"),
        ("suite", "certify", "suite: 'smoke' in the certificate, 'certify' by the run"),
        ("seed", 2, "seed: 1 in the certificate, 2 by the run"),
    ],
)
def test_a_changed_run_json_is_named(issued: tuple[Path, Certificate], field: str, value: object, named: str) -> None:
    path, certificate = issued
    edit_info(path, **{field: value})
    assert named in "\n".join(differences(certificate, path))


def test_a_newer_parser_is_named_with_what_to_do(certificate: Certificate, run: Path) -> None:
    older = msgspec.structs.replace(certificate, parser="1")
    older = msgspec.structs.replace(older, digest=content_digest(older))
    assert differences(older, run) == problems(older) == []
    assert outdated(certificate) == ""
    assert outdated(older, "runs/r") == (
        f"parser: issued with parser 1; this version reads replies with parser {PARSER_VERSION}: "
        "`counterbench certify runs/r` issues it anew from its journal at no cost (where pictures were judged under "
        "it, the same `t2i judge` with the new one then asks nothing)"
    )
    assert mismatches(older, WayOfAsking(older.judge, older.template_digest)) == [outdated(older)]


def test_a_folder_that_is_no_run_is_refused(certificate: Certificate, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such run folder"):
        differences(certificate, tmp_path / "nothing")


# ---- files


def test_a_certificate_replaces_a_certificate_and_nothing_else(certificate: Certificate, tmp_path: Path) -> None:
    path = tmp_path / "c.json"
    write_certificate(path, certificate)
    write_certificate(path, msgspec.structs.replace(certificate, time="later"))
    assert read_certificate(path).time == "later"
    for text in ('{"format": "counterbench.run/1"}', "[]", "notes"):
        path.write_text(text)
        with pytest.raises(InputError, match="is there and is no certificate; choose another --out"):
            write_certificate(path, certificate)
        assert path.read_text() == text
    (tmp_path / "folder.json").mkdir()
    with pytest.raises(InputError, match="is a folder"):
        write_certificate(tmp_path / "folder.json", certificate)
    with pytest.raises(InputError, match=r"a certificate's file ends in \.json"):
        write_certificate(tmp_path / "c.txt", certificate)
