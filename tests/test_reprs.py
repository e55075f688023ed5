"""What a notebook shows of what the functions of `cb` return: one short line each, and nothing else of it changes."""

import copy
import pickle
from pathlib import Path

import msgspec
import pytest
from pictures.carded import mixed
from pictures.lawful import certificate, draw, of_laws
from pictures.own_pictures import Eyes, table
from planted_runs import write_run

import counterbench as cb
from counterbench.asking.runner import Progress
from counterbench.errors import InputError
from counterbench.scene.pairs import Pair
from counterbench.text import brief

SUITE = cb.load_suite("smoke")


@pytest.fixture(scope="module")
def two_runs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("runs")
    return (
        write_run(folder / "oracle", "planted:oracle", "smoke"),
        write_run(folder / "sticky", "planted:sticky?p=1", "smoke"),
    )


def test_suites_and_pairs_have_one_line_reprs() -> None:
    assert repr(SUITE) == "<Suite smoke: 18 pairs of 9 families, seed 1>"
    assert repr(SUITE[2]) == "<Pair attribute-000000: 'What color is the circle?' pink → cyan, recolour>"
    assert max(len(repr(pair)) for pair in SUITE) <= 120


def test_runs_and_their_results_have_one_line_reprs(two_runs: tuple[Path, Path]) -> None:
    oracle, sticky = two_runs
    assert repr(cb.score(sticky)) == (
        "<Document planted:sticky?p=1 on smoke: CCS 11.1 % of 18 pairs, gap 88.9 %, default scoring>"
    )
    found = cb.diagnose(oracle, sticky)
    assert repr(found) == "<DiagnosisDocument of 2 runs: 1 with faults, 0 items in doubt>"
    assert repr(found.runs[0]) == "<Diagnosis planted:oracle on smoke: no fault found>"
    assert repr(found.runs[1]) == "<Diagnosis planted:sticky?p=1 on smoke: sticky (costs 88.9 points)>"
    assert repr(cb.compare(oracle, sticky)) == (
        "<Comparison of CCS on 18 common pairs: 1. planted:oracle 100.0 %; 2. planted:sticky?p=1 11.1 %>"
    )
    assert repr(cb.certify(oracle)) == (
        "<Certificate not-enough-evidence: planted:oracle on smoke, policy standard, 0 of 8 laws admitted>"
    )


@pytest.mark.usefixtures("here")
def test_models_and_their_comparison_have_one_line_reprs() -> None:
    prompts = mixed(6)
    scores = []
    for name in ("one", "two"):
        made = cb.t2i_generate(
            prompts, f"planted:card?rate={0.9 if name == 'one' else 0.2}", "images", samples=1, name=name
        )
        assert repr(made) == f"<Generated images/{name}: 12 ok of mine>"
        run = cb.t2i_judge(made, "planted:oracle", f"runs/{name}", uncertified=True)
        assert repr(run) == f"<Run runs/{name}: 60 of 60 questions with a reply, 0 failed; 60 calls>"
        scores.append(cb.t2i_score(f"runs/{name}"))
    assert repr(scores[0]) == (
        "<ModelDocument planted:card?rate=0.9 on mine: score 0.87 (checklist, default scoring, not tested)>"
    )
    assert cb.t2i_score(["runs/one", "runs/two"]) == scores
    shown = scores[0]._repr_html_()
    assert '<td style="text-align:right">0.87</td>' in shown
    assert len(cb.frame("runs/one")) == 60
    (found,) = cb.compare_models("runs/one", "runs/two").comparisons
    assert (
        repr(found) == "<ModelComparison on mine by checklist, score: 1-2. one; 1-2. two>"
    )  # of six groups no test is made
    assert '<td style="text-align:right">0.87 (1-2)</td>' in found._repr_html_()


def test_a_judge_that_is_not_admitted_is_refused(tmp_path: Path) -> None:
    made = draw(of_laws(), "literal", tmp_path / "images")
    with pytest.raises(InputError, match="not admitted: there is no certificate"):
        cb.t2i_judge(made.path, "planted:oracle", tmp_path / "run")
    cb.t2i_judge(made.path, "planted:oracle", tmp_path / "run", certificate=certificate())
    assert cb.t2i_score(tmp_path / "run").certified


def test_a_notebook_shows_pictures_and_tables(two_runs: tuple[Path, Path]) -> None:
    shown = SUITE[2]._repr_html_()
    assert shown is not None
    assert shown.count('src="data:image/png;base64,iVBOR') == 2
    assert "What color is the circle?" in shown
    assert msgspec.structs.replace(SUITE[2], original=None)._repr_html_() is None  # an imported one
    assert '<th style="text-align:left">law</th>' in cb.certify(two_runs[0])._repr_html_()
    found = cb.score(two_runs[0])
    found.run, found.provenance = "x", msgspec.structs.replace(found.provenance, name="<script>\x1b")
    assert "&lt;script&gt;\\x1b" in found._repr_html_()
    assert "<script>" not in found._repr_html_()
    assert "100.0 %" in found._repr_html_()
    assert "Document" not in found._repr_html_()


@pytest.mark.slow
def test_a_report_of_either_kind_is_written(two_runs: tuple[Path, Path], tmp_path: Path) -> None:
    assert cb.report(*two_runs, out=tmp_path / "pairs.html", pictures="none").runs == 2
    made = cb.t2i_generate(mixed(2), "planted:card", tmp_path / "images", samples=1)
    cb.t2i_judge(made, "planted:oracle", tmp_path / "run", uncertified=True)
    assert cb.report(tmp_path / "run", out=tmp_path / "models.html").runs == 1
    assert (tmp_path / "models.html").is_file()
    with pytest.raises(InputError, match="labels are of generated pictures"):
        cb.report(*two_runs, out=tmp_path / "pairs.html", labels="labels.csv")


def test_folders_and_progress_have_one_line_reprs(tmp_path: Path) -> None:
    folder = cb.generate("smoke", tmp_path / "pairs", limit=3, workers=1)
    assert repr(folder) == f"<Folder {tmp_path}/pairs: 3 pairs of smoke>"
    assert repr(folder.info) == "<FolderInfo smoke: 3 pairs of 3 families, truth computed>"
    assert repr(cb.verify(folder, workers=1)) == "<VerifyReport smoke: 3 pairs, every check holds>"
    run = cb.probe(SUITE, "planted:oracle", tmp_path / "run", limit=2)
    assert repr(run.progress) == "<Progress 4 of 4 questions with a reply, 0 failed; 4 calls>"
    stopped = Progress(total=1, failed=1, calls=1, cost=0.5, stopped="the key\x1b[2J is wrong")
    assert repr(stopped) == (
        r"<Progress 0 of 1 question with a reply, 1 failed; 1 call, 0.5000 USD; stopped: the key\x1b[2J is wrong>"
    )


def test_a_repr_does_not_change_equality_json_or_pickling(two_runs: tuple[Path, Path]) -> None:
    pair, scores = SUITE[0], cb.score(two_runs[0])
    assert pair == SUITE[0] != SUITE[1]
    assert msgspec.json.decode(msgspec.json.encode(pair), type=Pair) == pair
    for thing in (pair, scores, cb.certify(two_runs[0])):
        assert pickle.loads(pickle.dumps(thing)) == copy.deepcopy(thing) == thing


@pytest.mark.parametrize("source", ["suite", "name", "folder"])
@pytest.mark.usefixtures("here")
def test_probe_takes_a_limit(source: str) -> None:
    cb.generate("smoke", "pairs", limit=4, workers=1)
    run = cb.probe({"suite": SUITE, "name": "smoke", "folder": Path("pairs")}[source], "planted:oracle", limit=2)
    assert run.progress.total == 4
    scores = cb.score("runs/smoke--planted-oracle--limit-2")
    assert (scores.overall.pairs, list(scores.families)) == (2, ["spatial", "attribute"])


def test_a_repr_is_one_line_of_at_most_120_characters() -> None:
    assert brief(object(), "word\n" * 3) == "<object word\\nword\\nword\\n>"
    assert (len(brief(object(), "x" * 500)), brief(object(), "x" * 500)[-3:]) == (120, "x…>")


def test_plans_and_checkups_have_one_line_reprs(here: Path) -> None:
    assert repr(cb.doctor("planted:oracle")) == "<Checkup planted:oracle: able>"
    planned = cb.validate("planted:oracle", "smoke", plan=True)
    assert repr(planned.plan).startswith("<ValidationPlan smoke: ")
    assert repr(planned).startswith("<Validated ValidationPlan smoke: ")
    of_pictures = cb.evaluate(table(here / "own"), Eyes(), plan=True)
    assert repr(of_pictures).startswith("<EvaluationPlan 30 pictures of 2 models: ")
    assert max(len(repr(plan)) for plan in (planned, planned.plan, of_pictures)) <= 120
