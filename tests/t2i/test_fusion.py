"""Several judges as one: what all say, most, or any; each one's own numbers stay."""

from pathlib import Path

import msgspec
import pytest
from planted_runs import read_journal, rewrite
from t2i.carded import cards, checklist, judged, prompt

from counterbench.errors import InputError
from counterbench.t2i.fusion import fused
from counterbench.t2i.images.manifest import Images
from counterbench.t2i.judging.results import JudgedRun, load_judged
from counterbench.t2i.prompts.prompt_set import Check
from counterbench.t2i.run_scores import score
from counterbench.t2i.scores.document import Document

PROMPTS = checklist([prompt(f"g{i}", *(Check(id=id, text=f"Is it {id}?") for id in "abcde")) for i in range(12)])
JUDGES = ("noisy?p=0.3&seed=1", "noisy?p=0.3&seed=2", "noisy?p=0.3&seed=3")


@pytest.fixture(scope="module")
def images(tmp_path_factory: pytest.TempPathFactory) -> Images:
    return cards(PROMPTS, tmp_path_factory.mktemp("cards"))


@pytest.fixture(scope="module")
def runs(images: Images, tmp_path_factory: pytest.TempPathFactory) -> list[JudgedRun]:
    folder = tmp_path_factory.mktemp("runs")
    for i, judge in enumerate(JUDGES):
        judged(images, folder / str(i), judge)
    return [load_judged(folder / str(i)) for i in range(len(JUDGES))]


def together(runs: list[JudgedRun], way: str) -> list[Document]:
    return fused(runs, [score(run) for run in runs], way, "default", None)


def yes(run: JudgedRun) -> dict[tuple[str, str], bool]:
    return {(row.sample_id, row.check): row.credit == 1 for row in run.rows}


@pytest.mark.parametrize(("way", "least"), [("all", 3), ("majority", 2), ("any", 1)])
def test_a_check_is_passed_where_so_many_judges_pass_it(way: str, least: int, runs: list[JudgedRun]) -> None:
    votes = [yes(run) for run in runs]
    passed = [sum(each[place] for each in votes) >= least for place in votes[0]]
    assert 0 < sum(passed) < len(passed)
    (found,) = together(runs, way)
    assert found.columns["score"].value == pytest.approx(sum(passed) / len(passed))
    assert found.judge == f"{way} of: " + ", ".join(f"planted:{judge}" for judge in JUDGES)
    assert (found.provenance.name, found.leaning, found.provenance.certificate) == (f"{way} of 3 judges", None, "")


def test_a_check_that_one_judge_lost_is_lost(images: Images, tmp_path: Path) -> None:
    for name in ("whole", "lossy"):
        judged(images, tmp_path / name)
    said = read_journal(tmp_path / "lossy")
    said[0] = msgspec.structs.replace(said[0], reply="Hard to say.", outcome="unparsed")
    rewrite(tmp_path / "lossy", said)
    (found,) = together([load_judged(tmp_path / name) for name in ("whole", "lossy")], "any")
    assert found.counts["image"].outcomes["unparsed"] == 1
    assert found.scored == found.pictures - 1


def test_runs_on_other_pictures_or_by_another_protocol_are_not_fused(runs: list[JudgedRun], tmp_path: Path) -> None:
    other = cards(PROMPTS, tmp_path / "other", "card?seed=1", samples=2)
    judged(other, tmp_path / "run")
    (found,) = together([*runs, load_judged(tmp_path / "run")], "all")
    assert found.judge.count("planted:") == 3
    with pytest.raises(
        InputError, match="--fuse: no two of these runs are about the same pictures and checks under one"
    ):
        together([runs[0], load_judged(tmp_path / "run")], "all")


def test_an_unknown_way_names_the_known_ones(runs: list[JudgedRun]) -> None:
    with pytest.raises(InputError, match="unknown way to fuse 'most'; choose from: all, any, majority"):
        together(runs, "most")
