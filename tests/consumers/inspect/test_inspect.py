"""inspect_ai runs our suites, and its logs are runs of ours: a run of its and one of `probe` agree to the pair."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from consumers.counted import by_probe
from consumers.served import MODEL, run_page, serve_judge
from inspect_ai import Task, eval
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import CORRECT, INCORRECT, SampleScore, Score
from inspect_ai.solver import system_message

import counterbench as cb
from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.interop.inspect.log import Selection, import_inspect_log
from counterbench.interop.inspect.samples import pairs_task
from counterbench.interop.inspect.scorer import ccs, ccs_by, gap
from counterbench.results.results import load_results
from counterbench.runs.folder import JOURNAL_FILE, read_journal


def asked_by_inspect(address: str, home: Path, more: str = "") -> EvalLog:
    """By the command of our docs: 100 pairs, unless `more` says otherwise."""
    home.mkdir(exist_ok=True)
    run_page("inspect", address, home, f"--display plain {more}")
    (log,) = (home / "logs").glob("*.eval")
    return read_eval_log(str(log))


def by_pair(run: Path) -> dict[str, tuple[Any, ...]]:
    return {pair.key.group: (pair.original, pair.intervened, pair.failed) for pair in load_results(run).pairs}


def tokens(run: Path) -> list[tuple[int | None, ...]]:
    """Of each question in, out, and of those to reason."""
    final = sorted((entry for entry in read_journal(run / JOURNAL_FILE) if entry.final), key=lambda entry: entry.id)
    return [(entry.tokens_in, entry.tokens_out, entry.tokens_reasoning) for entry in final]


def metrics(log: EvalLog) -> dict[str, float]:
    (only,) = log.results.scores
    return {name: found.value for name, found in only.metrics.items()}


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[EvalLog, Path, Path]:
    """A log, the run that it is, and the run of `probe`, all about 100 pairs of which some calls fail."""
    home = tmp_path_factory.mktemp("inspect")
    with serve_judge(fails=0.05) as address:
        log = asked_by_inspect(address, home)
    with serve_judge(fails=0.05) as address:
        by_probe(address, home / "ours")
    import_inspect_log(Path(log.location), home / "theirs", name="inspect's")
    return log, home / "theirs", home / "ours"


def test_inspect_and_probe_agree_pair_by_pair(both: tuple[EvalLog, Path, Path]) -> None:
    log, theirs, ours = both
    assert by_pair(theirs) == by_pair(ours)
    imported, probed = cb.score(theirs), cb.score(ours)
    assert (imported.overall, imported.categories) == (probed.overall, probed.categories)
    assert imported.provenance.suite_digest == probed.provenance.suite_digest  # of families in turn
    assert imported.overall.outcomes["failed"] > 0
    assert 0.3 < imported.overall.ccs.value < 0.9
    assert set(tokens(theirs)) == set(tokens(ours)) == {(600, 3, 2)}
    figures = metrics(log)
    assert figures["ccs"] == imported.overall.ccs.value
    assert (figures["ccs_low"], figures["ccs_high"]) == (imported.overall.ccs.low, imported.overall.ccs.high)
    assert figures["ccs_pairs"] == imported.overall.ccs.of < 100
    assert (figures["gap"], figures["gap_low"]) == (imported.overall.gap.value, imported.overall.gap.low)
    assert figures["ccs_spatial"] == imported.categories["spatial"].ccs.value
    assert figures["stderr"] > 0
    assert log.results.headline.metric == "ccs"


def test_an_inspect_log_can_be_diagnosed_compared_and_certified(both: tuple[EvalLog, Path, Path]) -> None:
    log, theirs, ours = both
    assert cb.diagnose(theirs).runs[0].faults == cb.diagnose(ours).runs[0].faults
    difference = cb.compare(theirs, ours)
    assert "inspect's" in repr(difference)
    assert cb.certify(theirs, "exploratory").verdict == cb.certify(ours, "exploratory").verdict
    again = import_inspect_log(Path(log.location), theirs.with_name("again"), name="inspect's")
    assert again.replies + cb.score(theirs).overall.outcomes["failed"] == 200
    assert [warning.what for warning in again.warnings] == ["questions that failed"]
    assert again.info.judge == f"inspect:openai-api/local/{MODEL}"
    assert again.info.versions["inspect_ai"]
    with pytest.raises(InputError, match="is not empty"):
        import_inspect_log(Path(log.location), ours)


def test_inspect_epochs_are_imported_as_repeats(tmp_path: Path) -> None:
    with serve_judge(moods=3) as address:
        log = asked_by_inspect(address, tmp_path, "-T limit=24 --epochs 3 --max-connections 1")
    with serve_judge(moods=3) as address:
        by_probe(address, tmp_path / "ours", 24, repeats=3)
    import_inspect_log(Path(log.location), tmp_path / "theirs")
    imported, probed = cb.score(tmp_path / "theirs"), cb.score(tmp_path / "ours")
    assert imported.overall == probed.overall
    assert imported.soft == probed.soft
    assert metrics(log)["ccs"] == imported.overall.ccs.value


def sample_score(pair: str, role: str, right: bool, category: str = "counting") -> SampleScore:
    question = {
        "pair": pair, "role": role, "answer": "1", "answer_type": "integer", "labels": {}, "answer_line": False,
        "relevant": True, "family": category, "category": category, "skill": "", "form": "open",
    }  # fmt: skip
    score = Score(value=CORRECT if right else INCORRECT, answer="1" if right else None)
    return SampleScore(score=score, sample_id=f"{pair}/{role}", sample_metadata=question)


def test_half_a_pair_is_left_out_of_every_number() -> None:
    half = [sample_score("a", "original", True)]
    assert math.isnan(ccs()(half)["ccs"])
    assert ccs()(half)["ccs_pairs"] == 0
    scored = [*half, sample_score("a", "intervened", True), sample_score("b", "original", True)]
    assert (ccs()(scored)["ccs"], ccs()(scored)["ccs_pairs"], gap()(scored)["gap"]) == (1.0, 1, 0.0)
    assert math.isnan(ccs()([])["ccs"])
    two = [*scored, sample_score("c", "original", True, "x"), sample_score("c", "intervened", False, "x")]
    assert ccs_by("category")(two) == {"ccs_counting": 1.0, "ccs_x": 0.0}
    assert gap()(two)["gap"] == 0.5


def test_every_suite_is_a_task_and_loading_them_loads_nothing_heavy() -> None:
    script = """if True:
        import inspect_ai, inspect_ai.scorer, inspect_ai.solver, inspect_ai._eval.registry, sys
        from inspect_ai._util.registry import registry_find, registry_info
        before = set(sys.modules)
        import counterbench.interop.inspect.tasks
        print(*sorted(set(sys.modules) - before))
        print(*sorted(registry_info(t).name for t in registry_find(lambda i: i.type == "task")))
    """
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=60)
    loaded, tasks = (line.split() for line in done.stdout.splitlines()[-2:])
    assert len(loaded) < 15
    assert {name.partition(".")[0] for name in loaded} <= {"counterbench", "__future__"}
    assert set(tasks) == {f"counterbench/{name.replace('-', '_')}" for name in [*catalog.names("scenes"), "pairs"]}


SPENT = ModelUsage(input_tokens=9, output_tokens=1)


def logged(task: Task, logs: Path, spent: ModelUsage = SPENT, **more: Any) -> Path:
    """A log of a model that says yes."""
    says = ModelOutput.from_content("mock", "yes")
    says.usage = spent  # else it fetches a tokeniser
    model = get_model("mockllm/model", custom_outputs=lambda *_: says)
    (log,) = eval(task, model, log_dir=str(logs), display="none", **more)
    return Path(log.location)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    cb.generate("smoke", tmp_path / "pairs", limit=6, workers=1)
    return tmp_path / "pairs"


def test_a_moved_folder_of_pairs_is_still_a_task(folder: Path, tmp_path: Path) -> None:
    log = logged(pairs_task(Selection(str(folder), limit=4), "answer-line"), tmp_path / "logs")
    moved = folder.rename(tmp_path / "moved")
    with pytest.raises(InputError, match="name their folder as --pairs"):
        import_inspect_log(log, tmp_path / "run")
    found = import_inspect_log(log, tmp_path / "run", moved)
    assert (found.info.template, found.info.queries, found.replies) == ("answer-line", 8, 8)
    assert cb.score(tmp_path / "run").overall.outcomes["unparsed"] == 8  # it says "yes", and no last line


@pytest.mark.parametrize(
    ("spent", "counted"),
    [
        (SPENT, (9, 1, None)),
        (ModelUsage(input_tokens=9, output_tokens=8, total_tokens=17, reasoning_tokens=7), (9, 8, 7)),
        (ModelUsage(input_tokens=9, output_tokens=1, total_tokens=17, reasoning_tokens=7), (9, 8, 7)),
        (ModelUsage(input_tokens=4, input_tokens_cache_read=5, output_tokens=1, total_tokens=10), (9, 1, None)),
    ],
    ids=["no details", "of those out", "beside those out", "from a cache"],
)
def test_tokens_are_counted_as_probe_counts_them(
    spent: ModelUsage, counted: tuple[int | None, ...], folder: Path, tmp_path: Path
) -> None:
    log = logged(pairs_task(Selection(str(folder), limit=1), "default"), tmp_path / "logs", spent)
    import_inspect_log(log, tmp_path / "run")
    assert tokens(tmp_path / "run") == [counted, counted]


def test_another_solver_asks_in_another_template(folder: Path, tmp_path: Path) -> None:
    task = pairs_task(Selection(str(folder)), "default")
    log = logged(task, tmp_path / "logs", solver=[system_message("Be brief."), *[task.solver]], temperature=0.5)
    info = import_inspect_log(log, tmp_path / "run").info
    assert info.template == "default by system_message, generate"
    assert info.judge == "inspect:mockllm/model?temperature=0.5"


def test_a_log_that_is_not_of_these_questions_is_refused(folder: Path, tmp_path: Path) -> None:
    path = logged(pairs_task(Selection(str(folder)), "default"), tmp_path / "logs")
    log = read_eval_log(str(path))
    log.samples[0].metadata["query_digest"] = "0" * 32
    write_eval_log(log, str(tmp_path / "changed.eval"))
    with pytest.raises(InputError, match="is not one of these pairs and this template"):
        import_inspect_log(tmp_path / "changed.eval", tmp_path / "run")
    other = logged(Task([Sample("Is it?", target="yes")]), tmp_path / "other")
    with pytest.raises(InputError, match="none of counterbench's"):
        import_inspect_log(other, tmp_path / "run")
    (tmp_path / "no.eval").write_text("no")
    with pytest.raises(InputError, match="no log of inspect"):
        import_inspect_log(tmp_path / "no.eval", tmp_path / "run")
    with pytest.raises(InputError, match="there is no such file"):
        import_inspect_log(tmp_path / "nowhere.eval", tmp_path / "run")
    cb.generate("smoke", tmp_path / "others", limit=7, workers=1)
    with pytest.raises(InputError, match="its pairs were others"):
        import_inspect_log(path, tmp_path / "run", tmp_path / "others")
    assert not (tmp_path / "run").exists()
