"""`evaluate`: a table and a judge in, one answer out; planned, resumed, stopped, and never of a judge that failed."""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import msgspec
import pytest
from commands import call, done
from golden.trace import calls_answered
from pictures.auditing.balls import BallEyes, ball_table
from pictures.carded import csv_file
from pictures.own_pictures import Eyes, table
from planted_runs import read_journal

import counterbench as cb
from counterbench.errors import InputError, JudgeError
from counterbench.judges.base import Reply
from counterbench.pictures.answer import Evaluated, answer, sentences
from counterbench.pictures.auditing.audit import Audit
from counterbench.pictures.evaluation import Evaluation, EvaluationPlan
from counterbench.pictures.judging.judged_run import load_models
from counterbench.runs.queries import Query
from counterbench.suites.sources import SuiteSource, cells_of


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return table(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def ended(own: Path) -> tuple[Eyes, Evaluated]:
    eyes = Eyes()
    found = cb.evaluate(own, eyes, own.parent / "run")
    assert isinstance(found, Evaluated)
    return eyes, found


@pytest.mark.slow
def test_a_table_becomes_a_ranking_with_its_evidence(ended: tuple[Eyes, Evaluated]) -> None:
    eyes, found = ended
    assert [(model.model, model.rank, model.pictures, model.answered) for model in found.models] == [
        ("good", 1, 15, 15),
        ("poor", 2, 15, 15),
    ]
    good, poor = (model.score.value for model in found.models)
    assert good == pytest.approx(14 / 15, abs=0.07)
    assert poor < 0.6  # type: ignore[operator]
    assert [(difference.model, difference.than) for difference in found.better] == [("good", "poor")]
    assert found.better[0].p < 0.05
    assert {name for name, evidence in found.evidence.drawn.items() if evidence.admitted} == {"presence"}
    assert (found.verdict, found.tried, found.not_tested) == ("in part", 1, {})
    assert found.because == "the judge was shown to see 100 % of what the questions ask, on drawn pictures alone"
    assert found.calls == sum(id.startswith(("good/", "poor/")) for id in eyes.question_ids)
    assert found.labels.skills == {}  # 52 labels would be needed, 26 a side, and there are 15 answers of a model


def test_repeating_an_evaluation_asks_nothing(own: Path, ended: tuple[Eyes, Evaluated]) -> None:
    eyes = Eyes()
    assert cb.evaluate(own, eyes, own.parent / "run") == ended[1]
    assert eyes.question_ids == []


def test_the_answer_is_computed_from_the_run_and_every_reply_is_in_its_frame(ended: tuple[Eyes, Evaluated]) -> None:
    _, found = ended
    assert msgspec.structs.replace(answer(Path(found.run)), report=found.report) == found
    frame = found.frame()
    assert len(frame) == 30
    assert set(frame.generator) == {"good", "poor"}
    assert msgspec.json.decode(msgspec.json.encode(found))["models"][0]["model"] == "good"


@pytest.mark.parametrize(("side", "tested", "named"), [(96, 256, 4), (300, 300, 0), (600, None, 0)])
def test_the_drawn_test_has_the_smallest_pictures_size_within_limits(
    side: int, tested: int | None, named: int, tmp_path: Path
) -> None:
    evaluation = Evaluation(table(tmp_path, prompts=2, side=side), Eyes(), tmp_path / "run")
    source = evaluation.validation.source
    assert isinstance(source, SuiteSource)
    assert source.suite.smallest == tested
    assert ("treated/small" in cells_of(source.suite)) == (tested is not None)
    words = f"smaller than the 256 pixels of the smallest drawn picture: {side}x{side}"
    assert len([line for line in evaluation.unread if line.startswith(words)]) == len(evaluation.unread) == named


def test_models_are_asked_about_in_random_order(own: Path, ended: tuple[Eyes, Evaluated]) -> None:
    order = [record.id.partition("/")[0] for record in read_journal(own.parent / "run")]
    changes = sum(model != next_model for model, next_model in pairwise(order))
    assert changes > 8


def test_the_plan_of_a_finished_run_has_no_calls_left(own: Path, ended: tuple[Eyes, Evaluated]) -> None:
    planned = cb.evaluate(own, ended[0], own.parent / "run", plan=True)
    assert isinstance(planned, EvaluationPlan)
    assert (planned.calls, planned.most) == (0, 0)


def test_a_plan_asks_nothing_about_the_pictures_and_leaves_no_folder(own: Path, tmp_path: Path) -> None:
    eyes = Eyes()
    planned = cb.evaluate(own, eyes, tmp_path / "run", plan=True)
    assert isinstance(planned, EvaluationPlan)
    assert planned.models == {"good": 15, "poor": 15}
    assert planned.families == ["presence"]
    assert planned.most > planned.calls >= planned.questions >= 30
    assert eyes.question_ids == []
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
def test_an_evaluation_stopped_anywhere_resumes_and_asks_nothing_twice(own: Path, tmp_path: Path) -> None:
    eyes = Eyes()
    for calls in (30, 60, 200):
        with pytest.raises(InputError, match="the same call again goes on"):
            cb.evaluate(own, eyes, tmp_path / "run", limits=cb.Limits(max_calls=calls, concurrency=1))
    found = cb.evaluate(own, eyes, tmp_path / "run")
    assert isinstance(found, Evaluated)
    assert found.complete
    assert len(eyes.question_ids) == len(set(eyes.question_ids))


def test_a_plan_deletes_nothing_of_another_command(own: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another command may write beside it, or into the same place, while it is planned."""
    monkeypatch.chdir(tmp_path)
    evaluation = Evaluation(own, Eyes())
    with evaluation.planning(only=True) as work:
        (evaluation.path / "mine").mkdir(parents=True)
        work.plan()
    assert [path.name for path in evaluation.path.iterdir()] == ["mine"]


class FailingEyes(Eyes):
    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        raise RuntimeError("out of memory")


def test_a_judges_exception_is_a_judge_error(own: Path, tmp_path: Path) -> None:
    with pytest.raises(JudgeError, match=r"failed.*RuntimeError \(out of memory\)"):
        cb.evaluate(own, FailingEyes(), tmp_path / "run", limits=cb.Limits(retries=0))


@pytest.mark.slow
def test_a_run_of_another_judge_is_refused_before_anything_is_asked(own: Path, tmp_path: Path) -> None:
    evaluation = Evaluation(own, Eyes(), tmp_path / "run")
    evaluation.plan()
    next(iter(evaluation.askings())).run(lambda progress: None)
    other = Eyes()
    other.name = "other"
    with pytest.raises(InputError, match=r"is a run of the judge 'eyes', not of 'other'; name another `out`"):
        cb.evaluate(own, other, tmp_path / "run")
    assert other.question_ids == []


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (
            lambda text: re.sub(",(good|poor),", lambda m: f",{'poor' if m[1] == 'good' else 'good'},", text),
            "has other pictures than",
        ),
        (lambda text: text.replace(",poor,", ",new,"), "has pictures of new and has none of poor, unlike the table"),
        (
            lambda text: text.replace("Is there a", "Is there any"),
            "its questions, pictures or true answers were others",
        ),
    ],
    ids=["models exchanged", "another model", "other questions"],
)
def test_a_changed_table_is_refused_before_anything_is_asked_or_written(
    own: Path, ended: tuple[Eyes, Evaluated], change: Callable[[str], str], reason: str
) -> None:
    eyes, run, changed = Eyes(), own.parent / "run", own.parent / "changed.csv"
    changed.write_text(change(own.read_text()))
    before = {file: file.read_bytes() for file in run.rglob("*") if file.is_file()}
    with pytest.raises(InputError, match=f"{reason}.*choose another `out`"):
        cb.evaluate(changed, eyes, run)
    assert eyes.question_ids == []
    assert {file: file.read_bytes() for file in run.rglob("*") if file.is_file()} == before


def test_a_comparison_knows_the_labels_that_revoke_its_judge(ended: tuple[Eyes, Evaluated], tmp_path: Path) -> None:
    run = shutil.copytree(ended[1].run, tmp_path / "run")
    assert done("compare", run).startswith("In part: the judge was shown to see 100 %")
    labels = [
        (row.sample_id, row.check, "no" if row.answer == "yes" else "yes", of_model.kept.model.name)
        for of_model in load_models(run)
        for row in of_model.rows
    ]
    file = csv_file(tmp_path / "labels.csv", ("sample", "check", "label", "model"), labels)
    done("label", run, "--import", file)
    revoked = "nothing is left that it may score: presence (people's labels show that it is wrong too often)"
    assert done("compare", run).startswith(f"Not supported: {revoked}.")
    assert done("score", run).startswith("Supported: the scores rest on people's labels of these pictures.")


def test_another_template_is_refused_before_anything_is_asked(own: Path, ended: tuple[Eyes, Evaluated]) -> None:
    eyes = Eyes()
    with pytest.raises(InputError, match="was asked with template 'structured', not 'default' as it is now"):
        cb.evaluate(own, eyes, own.parent / "run", template="default")
    assert eyes.question_ids == []


def test_a_judge_that_does_not_see_may_not_score(own: Path, tmp_path: Path) -> None:
    eyes = Eyes(blind=True)
    with pytest.raises(JudgeError, match=r"questions unparsed.*errs on pictures saved as JPEG: 2 of 10 right"):
        cb.evaluate(own, eyes, tmp_path / "run")
    assert [id for id in eyes.question_ids if id.startswith(("good/", "poor/"))] == []


@pytest.mark.slow
def test_stickers_on_the_pictures_stand_in_the_evidence_and_in_the_report(tmp_path: Path) -> None:
    own = table(tmp_path, side=288)
    planned = cb.evaluate(own, Eyes(), tmp_path / "run", plan=True)
    assert planned.stickers.calls > 120
    found = cb.evaluate(own, Eyes(), tmp_path / "run")
    assert found.evidence.stickers["all"].admitted
    assert found.verdict == "supported"
    assert found.because.endswith("what the questions ask, on drawings and on stickers on these pictures")
    assert "stickers on these pictures: " in " ".join(sentences(found))
    again = Eyes()
    assert cb.evaluate(own, again, tmp_path / "run") == found
    assert again.question_ids == []
    assert "Evidence on these pictures" in Path(found.report).read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_judge_that_sees_only_drawings_gives_no_ranking(tmp_path: Path) -> None:
    eyes = Eyes(on_plain_alone=True)
    with pytest.raises(JudgeError, match=r"stickers on these pictures: \d+ of \d+ pairs right, shown to be no more"):
        cb.evaluate(table(tmp_path, side=288), eyes, tmp_path / "run")
    assert [id for id in eyes.question_ids if id.startswith(("good/", "poor/"))] == []


@pytest.mark.slow
@pytest.mark.parametrize("yes", [False, True])
def test_answers_that_contradict_each_other_revoke_the_judge(tmp_path: Path, yes: bool) -> None:
    own = ball_table(tmp_path, 230)
    planned = cb.evaluate(own, BallEyes(yes), tmp_path / "run", plan=True)
    assert 0 < planned.audit.calls <= planned.questions
    found = cb.evaluate(own, BallEyes(yes), tmp_path / "run")
    assert found.audited
    assert found.revoked == (["all"] if yes else [])
    assert found.admitted is not yes
    assert ("at least" in found.audited) == yes
    assert ("admission is revoked" in " ".join(sentences(found))) == yes
    assert found.no_audit == planned.no_audit == ""
    page = Path(found.report).read_text(encoding="utf-8")
    assert ("Answers that contradict each other" in page) == yes
    again = BallEyes(yes)
    assert cb.evaluate(own, again, tmp_path / "run") == found
    assert again.question_ids == []
    shutil.rmtree(tmp_path / "run" / "audit")
    smaller = Audit(tmp_path / "run", BallEyes(yes), pictures=5, relations=["parts"], template="structured")
    for asking in smaller.askings():
        asking.run()
    assert smaller.conclude().revoked == []
    assert cb.evaluate(own, again, tmp_path / "run") == found  # a smaller audit does not stand for its own
    assert again.question_ids
    named = f"python:pictures.auditing.balls:BallEyes{'?yes=1' if yes else ''}"
    assert call("evaluate", own, "--judge", named, "--out", tmp_path / "run").exit_code == yes


@pytest.mark.slow
def test_denials_revoke_an_always_yes_judge_without_an_audit(tmp_path: Path) -> None:
    own, named = ball_table(tmp_path, 30), "python:pictures.auditing.balls:BallEyes?yes=1"
    shown = call("evaluate", own, "--judge", named, "--out", tmp_path / "run", "-v")
    output = " ".join(shown.stdout.split())
    assert shown.exit_code == 1
    assert re.match(r"Not supported: the judge contradicted itself on (\d+) of \1 questions", output)
    assert "Audit skipped: needs 60 auditable pictures, found 30." in output
    audited = call("t2i", "audit", tmp_path / "run", "--judge", named)
    assert "the judge's admission is revoked" in audited.stdout


@pytest.mark.slow
def test_an_earlier_test_of_the_same_judge_is_reused(
    own: Path, ended: tuple[Eyes, Evaluated], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    cb.evaluate(own, Eyes(), tmp_path / "runs" / "first")
    eyes = Eyes()
    again = cb.evaluate(table(tmp_path, 12), eyes, tmp_path / "runs" / "second")
    assert isinstance(again, Evaluated)
    assert {id.partition("/")[0] for id in eyes.question_ids} == {"good", "poor"}


@pytest.mark.slow
def test_a_judge_whose_replies_cannot_be_read_stops_early_and_says_so(tmp_path: Path) -> None:
    eyes = Eyes(mumbles=True)
    with pytest.raises(JudgeError, match=r"replies unparsed, at most 2 % are allowed: more replies cannot mend that"):
        cb.evaluate(table(tmp_path, 60), eyes, tmp_path / "run")
    count = sum(id.startswith(("good/", "poor/")) for id in eyes.question_ids)
    assert 20 <= count < 60


@pytest.mark.slow
def test_few_prompts_have_no_test_of_differences_and_nothing_is_computed_twice(tmp_path: Path) -> None:
    found = cb.evaluate(table(tmp_path, 3), Eyes(), tmp_path / "run")
    assert isinstance(found, Evaluated)
    assert (found.clusters, found.unit, found.better) == (3, "prompt", [])
    assert found.models[0].score.low is None
    calls = calls_answered(tmp_path / "run")
    assert calls.total() <= 3_000, f"more is computed twice now: {calls.most_common(20)}"


def test_models_are_ranked_on_the_prompts_for_which_all_have_a_picture(tmp_path: Path) -> None:
    own = table(tmp_path, 18)
    rows = own.read_text().splitlines()
    # Named in the table, and not there: nothing is known of what the model drew.
    (tmp_path / "pictures" / "poor-3.png").unlink()
    own.write_text("\n".join(row for row in rows if not re.search(r"poor-1[2-7]\.png", row)) + "\n")
    evaluation = Evaluation(own, Eyes(), tmp_path / "run")
    images = [imported.path for imported in evaluation.import_pictures()]
    options = {"prompts": evaluation.prompts, "template": "structured", "uncertified": True}
    found = answer(cb.t2i_judge(images, Eyes(), tmp_path / "judged", **options).path)
    good, poor = sorted(found.documents, key=lambda document: document.generator)
    assert (good.prompts, poor.prompts, poor.scored, poor.complete) == (11, 11, 11, True)
    assert good.not_shared is not None
    assert (good.not_shared.shared, set(map(tuple, good.not_shared.lacking.values()))) == (11, {("poor",)})
    assert [(part.model, part.pictures, part.answered) for part in found.models] == [("good", 11, 11), ("poor", 11, 11)]
    shared = "Scored on the 11 prompts that all models have; not compared: 7 prompts that poor"
    assert sentences(found)[0].startswith(shared)


@pytest.mark.slow
def test_an_author_writes_questions_once(tmp_path: Path) -> None:
    class Writer:
        name, max_batch, max_in_flight = "writer", 1, 4

        def __init__(self) -> None:
            self.calls = 0

        async def answer(self, batch):  # type: ignore[no-untyped-def]
            self.calls += len(batch)
            colour = [query.text.split(" ball")[0].rpartition(" ")[2] for query in batch]
            lists = [json.dumps([{"question": f"Is there a {word} ball?", "skill": "colour"}]) for word in colour]
            return [cb.Reply(text=f"Here they are:\n{text}") for text in lists]

        async def close(self) -> None: ...

    writer, own = Writer(), table(tmp_path, 12, whole=True)
    found = cb.evaluate(own, Eyes(), tmp_path / "run", author=writer)
    assert isinstance(found, Evaluated)
    assert (writer.calls, found.not_tested) == (12, {})
    cb.evaluate(own, Eyes(), tmp_path / "run", author=writer)
    assert writer.calls == 12


def test_an_impossible_source_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    (tmp_path / "t.csv").write_text("image,prompt\nnowhere.png,a red ball\n")
    missing = Evaluation(tmp_path / "t.csv", Eyes(), tmp_path / "run")
    (images,) = missing.import_pictures()
    assert images.counts == {"missing": 1}
    (tmp_path / "t.csv").write_text("image,promt\na.png,x\n")
    with pytest.raises(InputError, match="did you mean 'prompt'"):
        cb.evaluate(tmp_path / "t.csv", Eyes(), tmp_path / "other")


@pytest.mark.slow
def test_models_drawn_by_our_generators_keep_their_ranks(tmp_path: Path) -> None:
    """The answer is also of a run of `t2i judge`, whose models are not called as their folders are."""
    models = ("planted:literal", "planted:reasoner")
    drawn = [cb.t2i_generate("laws", model, tmp_path / "images", samples=1, limit=70) for model in models]
    run = cb.t2i_judge([made.images.path for made in drawn], "planted:oracle", tmp_path / "run", uncertified=True)
    found = answer(run.path)
    assert [(model.model, model.rank) for model in found.models] == [("planted:reasoner", 1), ("planted:literal", 1)]
    assert (found.verdict, found.because, found.better) == ("not supported", "there is no certificate", [])
