"""Certificates from runs: what is in them, and the runs that are refused."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec
import pytest
from planted_runs import edit_info, keys_of, read_journal, rewrite, write_run

import counterbench as cb
from counterbench.answers import PARSER_VERSION
from counterbench.answers.outcomes import Failed
from counterbench.asking.probe import probe
from counterbench.certificate import certify
from counterbench.certificate.issue import endpoint
from counterbench.certificate.policies import Override, load_policy
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.judges.pixels import PixelReader
from counterbench.runs.queries import Key
from counterbench.runs.wordings import load_wording
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite


@pytest.fixture(scope="module")
def oracle(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_run(tmp_path_factory.mktemp("runs") / "oracle", "planted:oracle", "counterbench-550")


@pytest.fixture
def smoke(tmp_path: Path) -> Path:
    return write_run(tmp_path / "smoke", "planted:oracle", "smoke")


def test_a_perfect_judge_is_certified_by_standard_on_550(oracle: Path) -> None:
    found = certify(oracle, load_policy())
    assert found.verdict == "pass"
    assert (found.judge, found.kind, found.address, found.parameters) == ("planted:oracle", "planted", "", {})
    assert (found.models, found.dropped, found.votes, found.questions) == ({"planted:oracle": 1100}, [], 1, 1100)
    assert (found.wording, found.wording_digest) == ("default", load_wording().digest)
    assert (found.parser, found.scoring) == (PARSER_VERSION, "default")
    suite = load_suite("counterbench-550")
    assert (found.suite, found.suite_digest, found.seed) == (suite.name, suite.digest, 550)
    assert (found.truth, found.truth_checked, found.truth_note) == ("computed", True, "")
    for name, digest in (("keys", found.keys_digest), ("journal", found.journal_digest)):
        assert digest == hashlib.blake2b((oracle / f"{name}.jsonl").read_bytes(), digest_size=16).hexdigest()
    assert {name: skill.pairs for name, skill in found.skills.items()} == {
        "above-below": 81, "arrow-target": 34, "colour": 100, "count": 100, "inside": 100, "left-right": 52,
        "visible-count": 33,
    }  # fmt: skip
    assert found.skills["visible-count"].ccs.low == pytest.approx(0.8957, abs=1e-4)
    assert found.control.pairs == 50
    assert found.policy == load_policy()
    assert found.policy_digest == load_policy().digest
    assert set(found.chances) == {"0.90", "0.95", "0.98"}
    assert found.canaries is None
    assert found.run_versions == {"counterbench": "0", "parser": PARSER_VERSION}
    assert set(found.versions) == {"counterbench", "python"}
    assert found.time.endswith("+00:00")
    assert len(found.digest) == 32


def test_covers_a_skill_that_was_shown(oracle: Path) -> None:
    found = certify(oracle, load_policy())
    assert found.covers("count")
    assert not found.covers("colours")
    assert not certify(oracle, load_policy("strict")).covers("count")
    wavering = msgspec.structs.replace(found, control=msgspec.structs.replace(found.control, verdict="fail"))
    assert not wavering.covers("count")
    two_models = dict(found.run) | {"one-model": msgspec.structs.replace(found.run["one-model"], verdict="fail")}
    assert not msgspec.structs.replace(found, run=two_models).covers("count")


def test_nothing_is_written_and_twice_is_the_same(smoke: Path) -> None:
    before = {p.name: p.read_bytes() for p in smoke.iterdir()}
    one, two = (certify(smoke, load_policy()) for _ in range(2))
    assert msgspec.structs.replace(one, time=two.time, digest=two.digest) == two
    assert {p.name: p.read_bytes() for p in smoke.iterdir()} == before


@pytest.mark.slow
def test_the_pixel_reader_is_certified(tmp_path: Path) -> None:
    """On part of `certify`; benchmarks/certification.py has it read the whole."""
    probe(SuiteSource(load_suite("certify"), 320), PixelReader(), tmp_path / "run")
    found = certify(tmp_path / "run", load_policy("exploratory"))
    assert (found.verdict, found.kind, found.truth_checked) == ("pass", "pixels", True)
    assert all(skill.ccs.value == 1 for skill in found.skills.values())


# ---- incomplete


def test_an_incomplete_run_is_not_certified(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "counterbench-550")
    whole = read_journal(run)
    rewrite(run, whole[:-1])
    found = certify(run, load_policy())
    assert found.verdict == "not-enough-evidence"
    assert found.run["complete"].reason.startswith("not asked: 1, failed: 0")
    rewrite(run, [*whole[:-1], msgspec.structs.replace(whole[-1], reply=None, failure=Failed("timeout"))])
    found = certify(run, load_policy())
    assert found.verdict == "fail"
    assert found.run["complete"].reason.startswith("not asked: 0, failed: 1")
    (run / "journal.jsonl").unlink()
    found = certify(run, load_policy("exploratory"))
    assert found.verdict == "not-enough-evidence"
    assert found.skills["count"].ccs.value is None
    assert found.chances["0.98"] == 0


def test_canaries_are_reported(tmp_path: Path) -> None:
    cb.probe("smoke", "planted:noisy?p=0.5", tmp_path / "run", canaries=4)
    found = certify(tmp_path / "run", load_policy())
    assert found.canaries is not None
    assert (found.canaries.asked, found.canaries.changed) == (4, 0)
    assert found.models == {"planted:noisy?p=0.5": 36}
    assert found.parameters == {"p": "0.5"}


def test_one_model_counts_what_the_server_returned(smoke: Path) -> None:
    said = read_journal(smoke)
    rewrite(smoke, [msgspec.structs.replace(said[0], model="other"), *said[1:]])
    found = certify(smoke, load_policy())
    assert found.models == {"planted:oracle": 31, "other": 1}
    assert found.run["one-model"].verdict == "fail"


# ---- the truth


def keys(run: Path) -> list[Key]:
    return list(formats.read_lines(run / "keys.jsonl", Key))


@pytest.mark.parametrize("limit", [None, 11])
@pytest.mark.parametrize("votes", [1, 3])
def test_the_truth_is_drawn_again_whatever_the_selection(tmp_path: Path, limit: int | None, votes: int) -> None:
    found = certify(write_run(tmp_path / "run", "planted:oracle", "smoke", limit, votes), load_policy())
    assert found.truth_checked
    assert found.questions == (2 * (limit or 16)) * votes


def test_another_seed_is_drawn_again_too(tmp_path: Path) -> None:
    cb.probe(load_suite("smoke", 9), "planted:oracle", tmp_path / "run")
    assert certify(tmp_path / "run", load_policy()).truth_checked


@pytest.mark.parametrize(
    ("field", "value"),
    [("expected", "elephant"), ("relevant", False), ("skill", "count"), ("difficulty", {"offset": 1}), ("weight", 2.0)],
)
def test_an_edited_key_is_named(smoke: Path, field: str, value: object) -> None:
    known = keys(smoke)
    formats.write_lines(smoke / "keys.jsonl", [msgspec.structs.replace(known[0], **{field: value}), *known[1:]])
    with pytest.raises(InputError, match=rf"keys\.jsonl: key 'spatial-000000/original' has {field} .*, the suite has"):
        certify(smoke, load_policy())


def test_keys_of_a_version_without_labels_hold_and_changed_labels_do_not(smoke: Path) -> None:
    known = keys(smoke)
    (i, *_) = (i for i, key in enumerate(known) if key.labels)
    other = msgspec.structs.replace(known[i], labels={"A": "red circle"})
    formats.write_lines(smoke / "keys.jsonl", [*known[:i], other, *known[i + 1 :]])
    with pytest.raises(InputError, match="has labels"):
        certify(smoke, load_policy())
    formats.write_lines(smoke / "keys.jsonl", [msgspec.structs.replace(key, labels={}) for key in known])
    assert certify(smoke, load_policy()).truth_checked


def test_keys_that_were_left_out_or_renamed_are_noticed(smoke: Path) -> None:
    known, said = keys(smoke), read_journal(smoke)
    formats.write_lines(smoke / "keys.jsonl", known[2:])
    rewrite(smoke, said[2:])
    with pytest.raises(InputError, match=r"30 keys at 1 votes, but run.json says 32 questions"):
        certify(smoke, load_policy())
    renamed = [msgspec.structs.replace(k, id=f"new/{k.role}", group="new") for k in known[:2]]
    formats.write_lines(smoke / "keys.jsonl", [*renamed, *known[2:]])
    with pytest.raises(InputError, match="key 'spatial-000000/original' is missing"):
        certify(smoke, load_policy())


def test_what_cannot_be_drawn_again_is_said(smoke: Path) -> None:
    edit_info(smoke, suite="mine")
    found = certify(smoke, load_policy())
    assert not found.truth_checked
    assert "suite 'mine' as the run has it is not one that this version ships" in found.truth_note
    edit_info(smoke, suite="smoke", suite_digest="0" * 32)
    assert not certify(smoke, load_policy()).truth_checked
    formats.write_lines(smoke / "keys.jsonl", [msgspec.structs.replace(k, truth="published") for k in keys(smoke)])
    found = certify(smoke, load_policy())
    assert (found.truth, found.truth_checked) == ("published", False)
    assert "imported" in found.truth_note


def test_a_key_that_calls_itself_published_is_compared_all_the_same(smoke: Path) -> None:
    known = keys(smoke)
    formats.write_lines(smoke / "keys.jsonl", [msgspec.structs.replace(known[0], truth="published"), *known[1:]])
    with pytest.raises(InputError, match="has truth 'published', the suite has 'computed'"):
        certify(smoke, load_policy("exploratory"))


def test_a_skill_of_which_every_pair_was_lost_is_still_asked_for(tmp_path: Path) -> None:
    run = write_run(tmp_path / "run", "planted:oracle", "counterbench-550")
    counts = {key.id for key in keys_of("counterbench-550") if key.skill == "count"}
    rewrite(run, [record for record in read_journal(run) if record.id not in counts])
    asked = msgspec.structs.replace(load_policy("exploratory"), name="mine", skills={"count": Override(ccs=0.5)})
    found = certify(run, asked)
    assert found.verdict == "not-enough-evidence"
    assert found.skills["count"].counted == 0
    assert found.chances == {"0.90": 0.0, "0.95": 0.0, "0.98": 0.0}


# ---- names, policies, scorings


@pytest.mark.parametrize(
    ("judge", "kind", "parameters"),
    [
        ("pixels", "pixels", {}),
        ("planted:noisy?p=0.1&seed=4", "planted", {"p": "0.1", "seed": "4"}),
        ("openai:gpt-4o?base_url=http://localhost:8000/v1&temperature=0.7", "openai",
         {"base_url": "http://localhost:8000/v1", "temperature": "0.7"}),
        ("transformers:some/model?mode=choice", "transformers", {"mode": "choice"}),
        ("replay:runs/x?y", "replay", {}),
        ("my-own judge: v2", "other", {}),
    ],
)  # fmt: skip
def test_endpoints(judge: str, kind: str, parameters: dict[str, str]) -> None:
    assert endpoint(judge) == (kind, parameters)


def test_the_address_is_in_the_certificate(smoke: Path) -> None:
    edit_info(smoke, judge="openai:gpt-4o?base_url=http://localhost:8000/v1")
    assert certify(smoke, load_policy()).address == "http://localhost:8000/v1"


def test_scorings_that_certify(smoke: Path) -> None:
    assert certify(smoke, load_policy(), "strict").scoring == "strict"
    with pytest.raises(
        InputError, match="unknown scoring for a certificate 'as-released'; choose from: default, strict"
    ):
        certify(smoke, load_policy(), "as-released")


def test_a_policy_about_another_skill_is_refused(smoke: Path) -> None:
    policy = msgspec.structs.replace(load_policy(), skills={"taste": Override(ccs=0.1)})
    with pytest.raises(
        InputError, match=r"policy 'standard', \[skills\]: unknown skill 'taste'; choose from: above-below,"
    ):
        certify(smoke, policy)
