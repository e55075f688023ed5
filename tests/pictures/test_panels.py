"""`evaluate` with several judges: each is evaluated as if alone, then all as a panel with evidence of its own."""

import hashlib
from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest
from commands import document, done, fails
from drawn_reader import KnowingReader
from pictures.own_pictures import Eyes, table

import counterbench as cb
from counterbench.errors import InputError, JudgeError
from counterbench.judges.base import Reply
from counterbench.judges.panel import PanelJudge
from counterbench.pictures.evaluation import EvaluationPlan
from counterbench.pictures.panels import PanelEvaluated, PanelEvaluation, PanelGain
from counterbench.runs.queries import Query
from counterbench.stats.intervals import Estimate


class Blinking(Eyes):
    """Eyes that give the other answer to a share of the yes/no questions, by a hash."""

    def __init__(self, seed: str = "1", share: str = "0.01") -> None:
        super().__init__()
        self.name, self._share = f"blinking-{seed}", float(share)

    async def _reply(self, query: Query) -> Reply:
        reply, drawn = await super()._reply(query), hashlib.blake2b(f"{self.name}{query.id}".encode()).digest()
        is_open = reply.text not in ('{"answer": "yes"}', '{"answer": "no"}')
        if is_open or int.from_bytes(drawn[:4]) / 2**32 >= self._share:
            return reply
        return Reply(text='{"answer": "%s"}' % ("no" if "yes" in reply.text else "yes"))


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return table(tmp_path_factory.mktemp("own"))


@pytest.fixture(scope="module")
def ended(own: Path) -> PanelEvaluated:
    found = cb.evaluate(own, [Eyes(), Blinking("1"), Blinking("2")], own.parent / "run")
    assert isinstance(found, PanelEvaluated)
    return found


@pytest.mark.slow
def test_each_judge_and_the_panel_of_them_rank_the_models(own: Path, ended: PanelEvaluated) -> None:
    assert [*ended.judges] == ["eyes", "blinking-1", "blinking-2"]
    folder = "panel--majority-eyes-blinking-1-blinking-2"
    assert {path.name for path in (own.parent / "run").iterdir()} == {*ended.judges, folder}
    alone = cb.evaluate(own, Eyes(), own.parent / "alone")
    assert msgspec.structs.replace(ended.judges["eyes"], run="", report="", documents=[]) == msgspec.structs.replace(
        alone,
        run="",
        report="",
        documents=[],  # type: ignore[type-var]
    )
    assert [model.model for model in ended.panel.models] == ["good", "poor"]
    assert ended.panel.judge == "majority of 3 judges"


@pytest.mark.slow
def test_the_panels_certificate_admits_its_run_about_the_pictures(ended: PanelEvaluated) -> None:
    """The judge has one name in both, that of its members and its rule."""
    assert ended.panel.admitted
    assert (ended.panel.verdict, ended.panel.evidence.stickers) == ("in part", {})
    assert "on drawn pictures alone" in ended.panel.because
    assert {document.provenance.judge for document in ended.panel.documents} == {
        "panel:majority(blinking-1, blinking-2, eyes)"
    }
    assert "cannot be asked anything new" in ended.panel.no_audit


@pytest.mark.slow
def test_what_the_panel_buys_is_told_on_the_pairs_that_all_were_asked(ended: PanelEvaluated) -> None:
    gain = ended.panel_gain
    assert (gain.how, gain.best, gain.better) == ("majority", "eyes", False)
    assert gain.difference.value is not None
    assert gain.difference.value <= 0
    assert str(gain).startswith("The panel is not shown to be better than its best member, eyes: ")


@pytest.mark.slow
def test_a_panel_is_evaluated_again_at_no_call(own: Path, ended: PanelEvaluated) -> None:
    judges = [Eyes(), Blinking("1"), Blinking("2")]
    assert cb.evaluate(own, judges, own.parent / "run") == ended
    assert [judge.question_ids for judge in judges] == [[], [], []]


@pytest.mark.slow
def test_the_command_prints_each_answer_the_panels_and_what_it_buys(own: Path, ended: PanelEvaluated) -> None:
    names = ("own_pictures:Eyes", "test_panels:Blinking", "test_panels:Blinking?seed=2")
    judges = [word for name in names for word in ("--judge", f"python:pictures.{name}")]
    lines = done("evaluate", own, *judges, "--how", "majority", "--out", own.parent / "run").splitlines()
    assert [line for line in lines if line.startswith("By ")] == [
        "By eyes:",
        "By blinking-1:",
        "By blinking-2:",
        "By the panel, majority of 3 judges:",
    ]
    assert any(line.startswith("The panel is not shown to be better than its best member, eyes:") for line in lines)
    shown = document("evaluate", own, *judges, "--out", own.parent / "run")
    assert [*shown] == ["judges", "turned_away", "panel", "panel_gain"]
    assert shown["judges"]["eyes"]["models"][0]["model"] == "good"


class Blind(Eyes):
    """Says yes to everything."""

    name = "blind"

    async def _reply(self, query: Query) -> Reply:
        return Reply(text='{"answer": "yes"}')


@pytest.mark.slow
def test_a_judge_that_is_turned_away_is_named_and_the_others_go_on(own: Path, tmp_path: Path) -> None:
    found = cb.evaluate(own, [Blind(), Eyes(), Blinking("1")], tmp_path / "run")
    assert isinstance(found, PanelEvaluated)
    assert ([*found.judges], [*found.turned_away]) == (["eyes", "blinking-1"], ["blind"])
    assert found.panel is not None
    assert found.panel.judge == "majority of blinking-1, eyes"
    alone = cb.evaluate(own, [Blind(), Eyes()], tmp_path / "run")
    assert isinstance(alone, PanelEvaluated)
    assert ([*alone.judges], alone.panel, alone.panel_gain) == (["eyes"], None, None)
    names = ("test_panels:Blind", "own_pictures:Eyes")
    judges = [word for name in names for word in ("--judge", f"python:pictures.{name}")]
    lines = done("evaluate", own, *judges, "--out", tmp_path / "run", code=1).splitlines()
    assert lines[0].startswith("Not supported: blind is turned away: ")
    assert "No panel: 1 judge of 2 may score" in lines
    with pytest.raises(JudgeError, match="blind: "):
        cb.evaluate(own, [Blind(), Blind2()], tmp_path / "other")


class Blind2(Blind):
    name = "blind-2"


@pytest.mark.slow
def test_two_judges_rank_the_models_of_the_example(tmp_path: Path) -> None:
    example = Path(__file__).parents[2] / "examples" / "pictures.csv"
    reader = KnowingReader()
    reader.name = "reader"
    found = cb.evaluate(example, ["pixels", reader], tmp_path / "run", how="all")
    assert isinstance(found, PanelEvaluated)
    ranks = [[(model.model, model.rank) for model in by.models] for by in (*found.judges.values(), found.panel)]
    assert ranks == [[("careful", 1), ("hasty", 2)]] * 3
    assert found.panel.verdict == "in part"


def test_a_plan_is_of_each_judge_and_leaves_no_folder(own: Path, tmp_path: Path) -> None:
    judges: Sequence[Eyes] = [Eyes(), Blinking()]
    planned = cb.evaluate(own, judges, tmp_path / "run", plan=True)
    assert isinstance(planned, dict)
    assert [*planned] == ["eyes", "blinking-1"]
    assert all(isinstance(plan, EvaluationPlan) and plan.calls > 30 for plan in planned.values())
    assert not (tmp_path / "run").exists()


def test_judges_of_one_name_are_refused(own: Path, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="two judges are called 'eyes'"):
        cb.evaluate(own, [Eyes(), Eyes()], tmp_path / "run")
    with pytest.raises(InputError, match="names one judge, and there are several"):
        cb.evaluate(own, [Eyes(), Blinking()], tmp_path / "run", name="mine")
    judges = ("--judge", "pixels", "--judge", "planted:noisy")
    assert "names one judge" in fails("evaluate", own, *judges, "--name", "mine")
    assert not (tmp_path / "run").exists()


def test_a_panel_of_runs_is_no_judge_of_evaluate(own: Path, tmp_path: Path) -> None:
    for name in "ab":
        cb.probe("smoke", "planted:oracle", tmp_path / name, limit=1)
    panel = f"panel:{tmp_path / 'a'},{tmp_path / 'b'}"
    with pytest.raises(InputError, match="or give all its judges here, as several `judge`"):
        cb.evaluate(own, panel, tmp_path / "run")


@pytest.mark.parametrize(("third", "better"), [("planted:noisy?p=0.1&seed=3", True), ("planted:oracle", False)])
def test_a_panel_is_better_only_if_it_beats_every_member(
    third: str, better: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of three members with errors of their own the majority is right more often; not more than one without any."""
    judges = [*(f"planted:noisy?p=0.1&seed={seed}" for seed in (1, 2)), third]
    members = {judge: cb.probe("certify", judge, tmp_path / str(place), limit=150).path
               for place, judge in enumerate(judges)}  # fmt: skip
    panel = cb.probe("certify", PanelJudge([*members.values()]), tmp_path / "panel", limit=150).path
    work = object.__new__(PanelEvaluation)
    work.how, work.evaluations, work.turned_away = "majority", members, {}  # type: ignore[assignment]
    monkeypatch.setattr(PanelEvaluation, "drawn_tests", [*members.values(), panel])
    assert work.gain.better == better
    assert (work.gain.p <= 0.05) == better
    assert better or work.gain.best == third


@pytest.mark.parametrize(("better", "words"), [(True, "better"), (False, "not shown to be better")])
def test_a_gain_in_words(better: bool, words: str) -> None:
    difference, p = Estimate(0.1, 0.02, 0.18), 0.01 if better else 0.2
    gain = PanelGain(how="majority", best="b", pairs=90, difference=difference, p=p, better=better)
    sentence = f"The panel is {words} than its best member, b: +10.0 points of CCS [+2.0, +18.0] on the 90 drawn pairs "
    assert str(gain) == f"{sentence}that all were asked."
