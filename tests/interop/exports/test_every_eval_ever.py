"""A record of a judge's scores: the fields, types and values that the schema Every Eval Ever 0.3.0 requires."""

import json
import uuid
from pathlib import Path
from typing import Any

import msgspec
import pytest
from planted_runs import read_journal, rewrite, write_run

from counterbench.errors import InputError
from counterbench.interop.exports import EXPORT_FILE, export_run
from counterbench.interop.exports.every_eval_ever import export
from counterbench.results.results import read_replies
from counterbench.results.scores import score_results
from counterbench.runs.folder import BY_CELLS, read_run_info

NAME = "every-eval-ever"
# What the schema requires, by place: the type of a field, or the values it may have.
REQUIRED: dict[str, dict[str, Any]] = {
    "": {
        "schema_version": str, "evaluation_id": str, "retrieved_timestamp": str, "source_metadata": dict,
        "model_info": dict, "eval_library": dict, "evaluation_results": list,
    },
    "source_metadata": {
        "source_type": {"documentation", "evaluation_run"}, "source_organization_name": str,
        "evaluator_relationship": {"first_party", "third_party", "collaborative", "other"},
    },
    "eval_library": {"name": str, "version": str},
    "model_info": {"name": str, "id": str, "additional_details": dict},
    # Its own validator requires these two.
    "model_info additional_details": {
        "deployment_type": {"self_deployed", "externally_managed", "unknown"},
        "model_availability": {"open_weights", "closed_weights", "unknown"},
    },
    "result": {"evaluation_name": str, "source_data": dict, "metric_config": dict, "score_details": dict},
    "source_data": {"dataset_name": str, "source_type": {"other"}},
    "metric_config": {"lower_is_better": bool, "score_type": {"continuous"}, "min_score": {0}, "max_score": {1}},
    "score_details": {"score": float, "uncertainty": dict},
    "uncertainty": {"confidence_interval": dict, "num_samples": int},
    "confidence_interval": {"lower": float, "upper": float, "confidence_level": {0.95}},
}  # fmt: skip
# Fields beyond these are an error there.
TOP = {*REQUIRED[""], "evaluation_timestamp", "detailed_evaluation_results"}
GENERATION = {"generation_args": dict, "additional_details": dict}


def faults(place: str, value: dict[str, Any]) -> list[str]:
    """What a part of a record lacks, or has of another kind."""
    return [
        f"{place} {name}: {value.get(name)!r}"
        for name, kind in REQUIRED[place].items()
        if not (value.get(name) in kind if isinstance(kind, set) else type(value.get(name)) is kind)
    ]


def details(value: Any) -> list[dict[str, Any]]:
    """Every object of free fields in a record."""
    if isinstance(value, list):
        return [found for part in value for found in details(part)]
    if not isinstance(value, dict):
        return []
    own = [value[name] for name in ("additional_details", "details") if name in value]
    return own + [found for part in value.values() for found in details(part)]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return write_run(tmp_path / "run", "planted:noisy?p=0.3", "smoke")


def record_of(run: Path, out: Path, **of_run: Any) -> dict[str, Any]:
    """The record of a run, whose description is changed in these fields beforehand."""
    info = msgspec.structs.replace(read_run_info(run), **of_run)
    results = msgspec.structs.replace(read_replies(run), info=info)
    scores = score_results(results)
    out.mkdir()
    export(results, scores, out)
    (path,) = out.iterdir()
    return json.loads(path.read_bytes())


def test_a_record_has_what_the_schema_requires(run: Path, tmp_path: Path) -> None:
    record = record_of(run, tmp_path / "out")
    parts = [("", record), *((name, record[name]) for name in ("source_metadata", "eval_library", "model_info"))]
    parts.append(("model_info additional_details", record["model_info"]["additional_details"]))
    for result in record["evaluation_results"]:
        uncertainty = result["score_details"]["uncertainty"]
        parts += [("result", result), *((n, result[n]) for n in ("source_data", "metric_config", "score_details"))]
        parts += [("uncertainty", uncertainty), ("confidence_interval", uncertainty["confidence_interval"])]
        assert {name: type(part) for name, part in result["generation_config"].items()} == GENERATION
    assert [fault for place, part in parts for fault in faults(place, part)] == []
    assert set(record) <= TOP
    assert {type(text) for found in details(record) for text in found.values()} == {str}
    assert record["schema_version"] == "0.3.0"


def test_a_record_has_the_scores_of_the_run_overall_and_by_family(run: Path, tmp_path: Path) -> None:
    results = record_of(run, tmp_path / "out")["evaluation_results"]
    scores = score_results(read_replies(run))
    parts = {"counterbench.smoke": scores.overall} | {
        f"counterbench.smoke.{name}": family for name, family in scores.families.items()
    }
    measured = set()
    for result in results:
        share = getattr(parts[result["evaluation_name"]], result["metric_config"]["metric_id"].split(".")[1])
        found, interval = result["score_details"], result["score_details"]["uncertainty"]["confidence_interval"]
        assert (found["score"], found["uncertainty"]["num_samples"]) == (share.value, share.of)
        assert (interval["lower"], interval["upper"]) == (share.low, share.high)
        assert result["source_data"]["source_id"] == scores.provenance.suite_digest
        measured.add((result["evaluation_name"], result["metric_config"]["metric_name"]))
    assert len(measured) == len(results)
    assert {("counterbench.smoke", name) for name in ("CCS", "acc orig", "acc int", "gap", "stability")} <= measured
    assert {(name, "CCS") for name in parts} <= measured
    assert {r["metric_config"]["metric_name"] for r in results if r["metric_config"]["lower_is_better"]} == {"gap"}


def test_a_record_of_one_family_says_nothing_twice(tmp_path: Path) -> None:
    record = record_of(write_run(tmp_path / "run", "planted:oracle", "smoke", limit=1), tmp_path / "out")
    assert {result["evaluation_name"] for result in record["evaluation_results"]} == {"counterbench.smoke"}


@pytest.mark.parametrize(
    ("judge", "args"),
    [
        ("openai:maker/model-1?temperature=0.7", {"temperature": 0.7, "max_tokens": 4096}),
        ("openai:maker/model-1?body=%7B%22temperature%22%3A1%7D", {}),
        ("transformers:maker/model-1?max_tokens=9", {"temperature": 0.0, "max_tokens": 9}),
        ("python:maker:model-1", {}),
    ],
)
def test_a_record_has_the_options_of_a_model_that_was_asked_here(
    judge: str, args: dict[str, float], run: Path, tmp_path: Path
) -> None:
    record = record_of(run, tmp_path / "out", judge=judge, name="mine")
    assert record["evaluation_results"][0]["generation_config"]["generation_args"] == args
    about = record["model_info"]
    assert (about["name"], about["additional_details"]["judge"]) == ("mine", judge)


def test_a_record_of_a_run_asked_cell_by_cell_says_so(run: Path, tmp_path: Path) -> None:
    record = record_of(run, tmp_path / "out", by_cells=True)
    notes = [result["generation_config"]["additional_details"]["note"] for result in record["evaluation_results"]]
    assert {*notes} == {BY_CELLS}


def test_the_model_is_the_one_that_replied_and_else_the_one_asked_for(run: Path, tmp_path: Path) -> None:
    def model_of(out: str, *models: str) -> str:
        records = read_journal(run)
        rewrite(run, [msgspec.structs.replace(r, model=models[i % len(models)]) for i, r in enumerate(records)])
        record = record_of(run, tmp_path / out, judge="openai:asked?seed=1")
        assert record["evaluation_id"].startswith(f"counterbench/smoke/{record['model_info']['id']}/")
        return record["model_info"]["id"]

    assert model_of("one", "maker/model-1") == "maker/model-1"
    assert model_of("two", "maker/model-1", "maker/model-2") == "asked"
    assert model_of("none", "") == "asked"


def test_the_same_run_gives_the_same_export_dated_by_its_last_reply(run: Path, tmp_path: Path) -> None:
    at = "2026-01-01T00:00:00.000+00:00"
    rewrite(run, [msgspec.structs.replace(record, time=at) for record in read_journal(run)])
    done = export_run(NAME, run, str(tmp_path / "out"))
    assert export_run(NAME, run, str(tmp_path / "out")) == done
    (name,) = done.files
    assert uuid.UUID(name.removesuffix(".json")).version == 4
    assert {path.name for path in (tmp_path / "out").iterdir()} == {name, EXPORT_FILE}
    record = json.loads((tmp_path / "out" / name).read_bytes())
    assert record["retrieved_timestamp"] == record["evaluation_timestamp"] == "1767225600.000"


def test_replies_without_times_are_dated_now(run: Path, tmp_path: Path) -> None:
    rewrite(run, [msgspec.structs.replace(record, time="") for record in read_journal(run)])
    record = record_of(run, tmp_path / "out")
    assert "evaluation_timestamp" not in record
    assert float(record["retrieved_timestamp"]) > 1767225600


def test_an_unfinished_run_is_refused_and_nothing_is_written(run: Path, tmp_path: Path) -> None:
    rewrite(run, read_journal(run)[1:])
    with pytest.raises(InputError, match="run: is not finished: 1 question not asked, 0 failed; the same command"):
        export_run(NAME, run, str(tmp_path / "out"))
    assert not (tmp_path / "out").exists()
