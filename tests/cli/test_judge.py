"""`probe` and `score` on the command line: exit codes, choices, JSON as promised, and nothing lost after Ctrl-C."""

import json
from pathlib import Path

from commands import call, document, done, fails

import counterbench as cb
from counterbench.answers.outcomes import OUTCOME_NAMES


def test_probe_json_has_the_fields_of_the_contract() -> None:
    found = document("probe", "smoke", "--judge", "planted:oracle")
    observed = found.pop("observed")
    assert (observed["attempts"], observed["models"], observed["cost"]) == (36, {"planted:oracle": 36}, 0.0)
    assert (found["run"], found["complete"]) == ("runs/smoke--planted-oracle", True)
    counts = {name: found["progress"][name] for name in ("total", "done", "failed", "calls", "cost", "stopped")}
    assert counts == {"total": 36, "done": 36, "failed": 0, "calls": 36, "cost": 0.0, "stopped": ""}


def test_probe_options_reach_the_run() -> None:
    args = "--limit 4 --repeats 2 --template bare --seed 9 --concurrency 2 --max-cost 1"
    done("probe", "smoke", "--judge", "planted:random", "--out", "run", *args.split())
    info = json.loads(Path("run/run.json").read_text())
    assert (info["queries"], info["repeats"], info["template"], info["seed"]) == (16, 2, "bare", 9)


SHARE = {"value", "low", "high", "hits", "of"}
MEASURES = {"acc_original", "acc_intervened", "ccs", "ccs_answered", "gap", "stability"}
SIGNATURE = {
    "suite", "suite_digest", "seed", "judge", "name", "template", "template_digest", "repeats", "parser", "scoring",
    "version", "truth", "style",
}  # fmt: skip
DOCUMENT = {
    "run", "provenance", "complete", "by_cells", "missing", "overall", "categories", "families", "families_of",
    "suspect", "observed", "soft",
}  # fmt: skip


def test_score_json_has_the_fields_of_the_contract() -> None:
    call("probe", "smoke", "--judge", "planted:noisy?p=0.5", "--out", "run")
    (doc,) = document("score", "run")["runs"]
    assert set(doc) == DOCUMENT
    assert set(doc["provenance"]) == SIGNATURE
    assert doc["provenance"]["suite_digest"] == cb.load_suite("smoke").digest
    assert doc["provenance"]["version"] == cb.__version__
    assert {key.family for key in cb.load_suite("smoke")} == set(doc["families"])
    for group in (doc["overall"], *doc["categories"].values(), *doc["families"].values()):
        assert set(group) == MEASURES | {"pairs", "answered", "outcomes"}
        assert set(group["outcomes"]) == set(OUTCOME_NAMES)
        assert sum(group["outcomes"].values()) == 2 * group["pairs"]
        for measure in MEASURES:
            share = group[measure]
            assert set(share) == SHARE
            if share["of"] == 0:
                assert share["value"] is share["low"] is share["high"] is None
            else:
                assert 0 <= share["low"] <= share["value"] <= share["high"] <= 1
    assert doc["families"]["spatial"]["stability"]["value"] is None
    assert doc["families"]["control"]["stability"]["of"] == 2


def cut(run: str, pairs: int) -> None:
    """Keep the first pairs of its keys, and what the journal says of them."""
    keys = Path(run, "keys.jsonl").read_text().splitlines(keepends=True)[: 2 * pairs]
    kept = {json.loads(key)["id"] for key in keys}
    records = Path(run, "journal.jsonl").read_text().splitlines(keepends=True)
    Path(run, "keys.jsonl").write_text("".join(keys))
    Path(run, "journal.jsonl").write_text("".join(line for line in records if json.loads(line)["id"] in kept))


CUT = "16 questions not asked, 0 failed"
WHY = f"{CUT}; 16 without a key, or not counted in run.json: the run was cut"


def test_a_stopped_run_is_marked_incomplete_beside_its_numbers() -> None:
    for judge in ("oracle", "blind"):
        call("probe", "smoke", "--judge", f"planted:{judge}", "--out", judge)
    cut("oracle", 10)
    (doc,) = document("score", "oracle")["runs"]
    assert (doc["complete"], doc["missing"], doc["overall"]["pairs"]) == (False, 16, 10)
    assert f"planted:oracle: INCOMPLETE, {WHY}" in call("score", "oracle").stdout
    assert "planted:oracle (incomplete)" in call("score", "oracle", "blind").stdout
    assert (cb.score("oracle").complete, cb.score("oracle").missing) == (False, 16)
    assert f"planted:oracle: INCOMPLETE, {CUT}" in call("compare", "oracle", "blind").stdout
    compared = {run.judge: (run.complete, run.missing) for run in cb.compare("oracle", "blind").runs}
    assert compared == {"planted:oracle": (False, 16), "planted:blind": (True, 0)}
    (diagnosis,) = cb.diagnose("oracle").runs
    assert (diagnosis.complete, diagnosis.notes[0]) == (False, f"the run is incomplete: {WHY}")
    assert "20 keys × 1 repeats, but run.json says 36 questions" in fails("certify", "oracle")


def test_an_unknown_scoring_is_refused_with_the_valid_ones() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--out", "run")
    for name, arrows in (("strict", 1), ("as-released", 0)):
        (doc,) = document("score", "run", "--scoring", name)["runs"]
        assert (doc["provenance"]["scoring"], doc["families"]["arrow"]["ccs"]["value"]) == (name, arrows)
    assert "choose from: as-released, default, strict" in fails("score", "run", "--scoring", "lenient")


def test_what_is_no_run_or_no_suite_is_named() -> None:
    call("probe", "smoke", "--judge", "planted:oracle", "--out", "run")
    assert "it is a file of a run about pairs: name the folder run" in fails("score", "run/run.json")
    assert "it is a run about pairs: counterbench score run" in fails("verify", "./run")
