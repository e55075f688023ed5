"""Two judges or protocols on the same pictures: counted by hand, in the ranking and check by check."""

from pathlib import Path

import pytest
from pictures.carded import cards, checklist, csv_file, judged, prompt

from counterbench.pages import write_report
from counterbench.pictures.comparing.judges import SideBySide
from counterbench.pictures.comparing.models import Comparisons, compare_models
from counterbench.pictures.comparing.people import align
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.prompts.prompt_set import Check
from counterbench.stats.agreement import cohen_kappa

MODELS = {"good": 0.9, "bad": 0.2}
BY = {"oracle": ("oracle", "checklist"), "contrary": ("noisy?p=1", "checklist"), "direct": ("oracle", "direct")}


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two models on 14 prompts under a right judge, one that says the contrary, and another protocol."""
    folder = tmp_path_factory.mktemp("judges")
    checks = tuple(Check(id=f"q{i}", text=f"Is part {i} right?", dimension="d") for i in range(3))
    prompts = checklist([prompt(f"g{i:02}", *checks) for i in range(14)])
    made = {}
    for name, rate in MODELS.items():
        images = cards(prompts, folder / name, f"card?rate={rate}")
        for by, (judge, protocol) in BY.items():
            path = folder / "runs" / f"{name}-{by}"
            judged(images, path, judge, by=protocol)
            made[f"{name}-{by}"] = path
    return made


@pytest.fixture(scope="module")
def compared(runs: dict[str, Path]) -> Comparisons:
    return compare_models(list(runs.values()))


def agreement_of(compared: Comparisons, first: str, second: str) -> SideBySide:
    (found,) = [pair for pair in compared.agreement if first in pair.first and second in pair.second]
    return found


def test_answers_are_counted_check_by_check(compared: Comparisons, runs: dict[str, Path]) -> None:
    found = agreement_of(compared, "oracle (checklist)", "noisy").answers
    rows = [{(name, row.sample_id, row.check): row.answer for name in MODELS for row in load_judged(
        runs[f"{name}-{by}"]).rows} for by in ("oracle", "contrary")]  # fmt: skip
    pairs = [(str(rows[0][place]), str(rows[1][place])) for place in rows[0]]
    assert (found.asked, found.answered, found.same) == (84, 84, sum(a == b for a, b in pairs))
    assert found.kappa == cohen_kappa(*zip(*pairs, strict=True))
    assert (found.only_first, found.only_second) == (pairs.count(("yes", "no")), pairs.count(("no", "yes")))


def test_a_contrary_judge_reverses_the_ranking(compared: Comparisons) -> None:
    (ranking,) = agreement_of(compared, "oracle (checklist)", "noisy").rankings
    good, bad = agreement_of(compared, "oracle (checklist)", "noisy").models
    assert (ranking.models, ranking.tau_b, ranking.turned) == (2, -1, [(good, bad)])


def test_two_protocols_are_compared_by_their_main_numbers(compared: Comparisons) -> None:
    found = agreement_of(compared, "(checklist)", "(direct)")
    assert [(ranking.first, ranking.second, ranking.tau_b) for ranking in found.rankings] == [("score", "score", 1)]
    assert (found.pictures, found.answers.asked, found.answers.kappa) == (28, 0, None)


def test_align_and_the_report_have_the_same_agreement(
    compared: Comparisons, runs: dict[str, Path], tmp_path: Path
) -> None:
    lines = [(f"g{i:02}", f"planted:card?rate={rate}", 4 * (rate > 0.5)) for i in range(14) for rate in MODELS.values()]
    aligned = align(csv_file(tmp_path / "ratings.csv", ("id", "model", "rating"), lines), list(runs.values()))
    assert [(agreement.answers, [r.tau_b for r in agreement.rankings]) for agreement in aligned.agreement] == [
        (agreement.answers, [r.tau_b for r in agreement.rankings]) for agreement in compared.agreement
    ]
    page = Path(write_report(list(runs.values()), tmp_path / "r.html").page).read_text()
    assert "<h1>2 models by 2 judges under 2 protocols on mine</h1>" in page
    assert page.count("Judges side by side on the same pictures</caption>") == 1
    assert "tells the two models apart" not in page
