"""Panels about pictures: Table 8 of T2I-CoReBench."""

from collections import defaultdict
from pathlib import Path

import pytest
from commands import fails
from pictures.carded import cards, checklist, judged, prompt

import counterbench as cb
from counterbench.judges.panel import PanelJudge
from counterbench.prompts.manifest import Images
from counterbench.prompts.prompt_set import Check
from counterbench.runs.folder import last_records

SEEDS = (1, 2, 3)


@pytest.fixture(scope="module")
def drawn(tmp_path_factory: pytest.TempPathFactory) -> Images:
    things = enumerate(("ball", "cup", "dog", "car"))
    checks = [Check(id=f"c{i}", text=f"Is there a {thing}?", dimension=f"d{i % 2}") for i, thing in things]
    return cards(
        checklist([prompt(f"g{i}", *checks) for i in range(25)]), tmp_path_factory.mktemp("cards"), "card?rate=0.7"
    )


@pytest.fixture(scope="module")
def members(drawn: Images, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("members")
    for seed in SEEDS:
        judged(drawn, folder / str(seed), f"noisy?p=0.2&seed={seed}")
    return [folder / str(seed) for seed in SEEDS]


def test_a_check_counts_as_yes_only_if_all_judges_say_yes(drawn: Images, members: list[Path], tmp_path: Path) -> None:
    """T2I-CoReBench, section C.3: so every model scores lower than by any of the judges alone."""
    judged(drawn, tmp_path / "all", PanelJudge(members, "all"))
    by_picture = defaultdict[str, list[bool]](list)
    replies = [{r.id: r.reply for r in last_records(path / "journal.jsonl").values()} for path in members]
    for id in replies[0]:
        by_picture[id.rpartition("/")[0]].append(all(reply[id] == "yes" for reply in replies))
    means = [sum(answers) / len(answers) for answers in by_picture.values()]
    found = cb.t2i_score(tmp_path / "all").columns["score"].value
    assert found == pytest.approx(sum(means) / len(means))
    assert found < min(cb.t2i_score(path).columns["score"].value or 0 for path in members)


def test_a_panel_about_pictures_is_nobody_to_ask_anything_new(
    drawn: Images, members: list[Path], tmp_path: Path
) -> None:
    judged(drawn, tmp_path / "panel", PanelJudge(members))
    message = " ".join(fails("t2i", "audit", tmp_path / "panel").split())
    assert "cannot be asked anything new: name the runs of its members" in message
