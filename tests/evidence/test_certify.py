"""Certificates from runs: what is in them, and the runs that are refused."""

import hashlib
import math
from datetime import datetime, timedelta
from pathlib import Path

import msgspec
import pytest
from planted_runs import edit_info, read_journal, rewrite, write_cells_run, write_run

import counterbench as cb
from counterbench.answers import PARSER_VERSION
from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.evidence.cells import needed_e_value
from counterbench.evidence.document import Certificate
from counterbench.evidence.issue import certify, outlived
from counterbench.evidence.policies import load_policy
from counterbench.files import formats
from counterbench.runs.queries import Key, load_template
from counterbench.suites.sources import attempt_seed, cells_of
from counterbench.suites.suite import load_suite

LAWS = ("falling",)


@pytest.fixture(scope="module")
def oracle_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "oracle", "planted:oracle", "counterbench-550")


@pytest.fixture
def smoke(tmp_path: Path) -> Path:
    return write_run(tmp_path / "smoke", "planted:oracle", "smoke")


@pytest.fixture
def laws_run(tmp_path: Path) -> Path:
    return write_cells_run(tmp_path / "laws", "planted:oracle", LAWS)


def test_a_perfect_judge_is_certified_for_what_it_was_asked(laws_run: Path) -> None:
    found = certify(laws_run, load_policy())
    assert (found.verdict, found.admitted) == ("pass", ["falling"])
    assert found.attempt == 1
    assert found.threshold == pytest.approx(math.pi**2 / (6 * 0.05))
    questions = len(read_journal(laws_run))
    assert (found.judge, found.models, found.repeats) == ("planted:oracle", {"planted:oracle": questions}, 1)
    assert (found.questions, found.template, found.template_digest) == (questions, "default", load_template().digest)
    assert (found.parser, found.scoring, found.suite, found.seed) == (PARSER_VERSION, "default", "laws", 20261)
    assert (found.truth, found.truth_checked, found.truth_note) == ("computed", True, "")
    for name, digest in (("keys", found.keys_digest), ("journal", found.journal_digest)):
        assert digest == hashlib.blake2b((laws_run / f"{name}.jsonl").read_bytes(), digest_size=16).hexdigest()
    every = [name for name in cells_of(load_suite("laws")) if name.partition("/")[0] in LAWS]
    assert sorted(found.cells) == sorted(every)
    assert min(cell.ccs.of for cell in found.cells.values()) == 30
    assert {name: law.cells for name, law in found.laws.items()} == {
        law: sorted(name for name in every if name.startswith(f"{law}/")) for law in LAWS
    }
    assert found.domain is not None
    assert (found.domain.renderer, found.domain.size) == ("counterbench/1", "512x512")
    assert found.policy == load_policy()
    assert set(found.versions) == {"counterbench", "python"}
    assert found.time.endswith("+00:00")
    assert len(found.digest) == 32


def test_suites_of_shapes_are_certified_by_family_and_form(oracle_run: Path) -> None:
    found = certify(oracle_run, load_policy("exploratory"))
    assert (found.verdict, found.attempt, found.seed) == ("pass", 1, 550)
    assert found.suite_digest == load_suite("counterbench-550").digest
    assert set(found.cells) == {
        "spatial/yes-no", "attribute/open", "counting/open", "containment/yes-no", "arrow/open", "occlusion/open",
        "composition/yes-no",
    }  # fmt: skip
    assert {name: skill.pairs for name, skill in found.skills.items()} == {
        "above-below": 81, "arrow-target": 34, "colour": 100, "count": 100, "inside": 100, "left-right": 52,
        "visible-count": 33,
    }  # fmt: skip
    assert found.control.pairs == 50


def test_certify_writes_nothing_and_repeats_itself(smoke: Path) -> None:
    before = {p.name: p.read_bytes() for p in smoke.iterdir()}
    first, second = (certify(smoke, load_policy()) for _ in range(2))
    assert msgspec.structs.replace(first, time=second.time, digest=second.digest) == second
    assert {p.name: p.read_bytes() for p in smoke.iterdir()} == before


# ---- attempts


def test_pairs_of_another_seed_are_scored_but_not_certified(tmp_path: Path) -> None:
    cb.probe(load_suite("smoke", 9), "planted:oracle", tmp_path / "run")
    assert cb.score(tmp_path / "run").overall.ccs.value == 1
    with pytest.raises(
        InputError, match=r"suite 'smoke' was drawn with seed 9, which no attempt uses: .* To certify, run"
    ):
        certify(tmp_path / "run", load_policy())


def test_a_later_attempt_has_pairs_of_its_own_and_must_show_more(tmp_path: Path) -> None:
    first = load_suite("smoke")
    suite = load_suite("smoke", attempt_seed(first, 3), 256)
    assert cb.probe(suite, "planted:oracle", tmp_path / "run").complete
    found = certify(tmp_path / "run", load_policy())
    assert (found.attempt, found.truth_checked) == (3, True)
    assert found.threshold == pytest.approx(9 * math.pi**2 / (6 * 0.05))
    assert found.seed == suite.seed != first.seed


# ---- incomplete


def test_a_certificate_may_be_issued_at_any_stop(laws_run: Path) -> None:
    replies = read_journal(laws_run)
    rewrite(laws_run, replies[:-1])
    found = certify(laws_run, load_policy())
    assert found.verdict == "pass"
    assert sum(cell.ccs.of for cell in found.cells.values()) + found.control.counted == len(replies) // 2 - 1
    rewrite(laws_run, replies[:20])
    found = certify(laws_run, load_policy())
    assert (found.verdict, found.admitted) == ("not-enough-evidence", [])
    (laws_run / "journal.jsonl").unlink()
    found = certify(laws_run, load_policy("exploratory"))
    assert found.verdict == "not-enough-evidence"
    assert {cell.ccs.value for cell in found.cells.values()} == {None}
    assert (found.asked_from, found.asked_until) == ("", "")


# ---- the truth


def keys_in(run: Path) -> list[Key]:
    return list(formats.read_lines(run / "keys.jsonl", Key))


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("expected", "elephant"),
        ("relevant", False),
        ("cell", "spatial/open"),
        ("traits", {"size": "huge"}),
        ("misreadings", {"left-right": "elephant"}),
    ],
)
def test_an_edited_key_is_named(smoke: Path, field: str, value: object) -> None:
    known = keys_in(smoke)
    formats.write_lines(smoke / "keys.jsonl", [msgspec.structs.replace(known[0], **{field: value}), *known[1:]])
    with pytest.raises(InputError, match=rf"keys\.jsonl: key 'spatial-000000/original' has {field} .*, the suite has"):
        certify(smoke, load_policy())


def test_a_truth_that_cannot_be_drawn_again_is_noted(smoke: Path) -> None:
    edit_info(smoke, suite="mine")
    found = certify(smoke, load_policy())
    assert not found.truth_checked
    assert "suite 'mine' as the run has it is not one that this version ships" in found.truth_note
    edit_info(smoke, suite="smoke", suite_digest="0" * 32)
    assert not certify(smoke, load_policy()).truth_checked
    formats.write_lines(smoke / "keys.jsonl", [msgspec.structs.replace(k, truth="published") for k in keys_in(smoke)])
    found = certify(smoke, load_policy())
    assert (found.truth, found.truth_checked) == ("published", False)
    assert (found.attempt, found.threshold) == (None, needed_e_value(load_policy(), 1))
    assert "imported" in found.truth_note


# ---- when it was asked


def test_a_certificate_is_as_old_as_its_first_reply_however_often_it_is_issued(laws_run: Path) -> None:
    replies = read_journal(laws_run)
    old, new = "2026-01-05T08:00:00.000+00:00", "2026-03-01T08:00:00.000+00:00"
    dated = [msgspec.structs.replace(r, time=old if i == 7 else new) for i, r in enumerate(replies)]
    rewrite(laws_run, dated)
    for _ in range(2):  # issued, and issued anew
        found = certify(laws_run, load_policy())
        assert (found.asked_from, found.asked_until) == (old, new)
        then = datetime.fromisoformat(old)
        assert outlived(found, (then + timedelta(days=180, hours=23)).isoformat()) == ""
        assert outlived(found, (then + timedelta(days=181)).isoformat()) == (
            "its judge was asked from 2026-01-05 on, 181 days ago; policy 'standard' lets replies count for 180: ask "
            "it again, into another --out"
        )
    failed = msgspec.structs.replace(dated[7], reply=None, failure=Failed("timeout"))
    rewrite(laws_run, [*dated[:7], failed, *dated[8:], msgspec.structs.replace(dated[7], time=new)])
    assert certify(laws_run, load_policy()).asked_from == new, "what failed is no reply"


@pytest.mark.parametrize("time", ["", "yesterday", "2026-01-05T08:00:00"])
def test_a_certificate_without_the_time_of_its_first_reply_is_expired(laws_run: Path, time: str) -> None:
    found: Certificate = msgspec.structs.replace(certify(laws_run, load_policy()), asked_from=time)
    assert outlived(found) == "no record says when the judge was asked"
