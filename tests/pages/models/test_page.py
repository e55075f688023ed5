"""The page about models: the document's numbers, whatever the protocol, and nothing from data that acts."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from pictures.carded import judged
from pictures.lawful import of_laws
from pictures.pictured import FALLING, HOSTILE, judge
from planted_runs import edit_info

import counterbench as cb
from counterbench import text as signs
from counterbench.errors import InputError
from counterbench.pages import Written, write_report
from counterbench.pages.frame import MARK
from counterbench.pictures.answer import answer, sentences
from counterbench.pictures.comparing.models import compare_models
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.prompts.manifest import read_manifest
from counterbench.prompts.skills import skill_of
from counterbench.results.measures import plain


def page(tmp_path: Path, *runs: Path, **options: Any) -> tuple[str, Written]:
    """The page without the gallery's data, its white space as one blank."""
    written = write_report(runs, tmp_path / "r.html", **options)
    html = Path(written.page).read_text()
    return re.sub(
        r"\s+", " ", re.sub(r'<script type="application/json".*?</script>', "", html, flags=re.DOTALL)
    ), written


def section(html: str, id: str) -> str:
    return html.partition(f'id="{id}" aria-labelledby')[2].partition("</section>")[0]


def cells(row: str) -> list[str]:
    return [re.sub("<small>.*?</small>|<[^>]+>", "", cell).strip() for cell in re.findall(r"<t[hd].*?</t[hd]>", row)]


def rows_by_name(html: str) -> dict[str, list[str]]:
    found = [cells(row) for row in re.findall(r"<tr.*?</tr>", html)]
    return {row[0]: row[1:] for row in found}


def test_the_documents_numbers_stand_beside_those_of_planted_models(models: list[Path], tmp_path: Path) -> None:
    html, written = page(tmp_path, *models)
    documents = [cb.t2i_score(run) for run in models]
    table = rows_by_name(section(html, "numbers"))
    assert table["model"][:6] == ["S_L1", "S_L2", "S_L3", "PRR", "RRR", "gated away"]
    names = ("s_l1", "s_l2", "s_l3", "prr", "rrr", "share_gated")
    for label, document in zip(("planted:literal", "planted:noisy"), documents, strict=True):
        (row,) = [row for name, row in table.items() if name.startswith(label)]
        assert row[:6] == [plain(document.columns[name].value) for name in names]
    assert {"prior (planted)", "literal (planted)", "starter (planted)"} <= set(table)
    assert table["literal (planted)"][2] == plain(documents[0].references["literal"]["s_l3"])
    assert (written.runs, written.groups) == (2, len(FALLING.groups))


def test_a_page_without_intervals_promises_none_and_says_why(models: list[Path], tmp_path: Path) -> None:
    html, _ = page(tmp_path, models[1])
    shown = section(html, "numbers")
    assert [number for number in cb.t2i_score(models[1]).columns.values() if number.low is not None] == []
    assert "Every number; below" in shown
    assert "interval</caption>" not in shown
    assert "No interval: intervals need at least 12" in shown
    assert "Only 4 groups: too few for intervals and tests, which need 12." in section(html, "answer")


def test_the_page_opens_with_ranking_three_answers_and_word_meanings(models: list[Path], tmp_path: Path) -> None:
    other = judge(tmp_path, "reasoner")
    html, _ = page(tmp_path, models[0], other)
    top = section(html, "answer")
    numbers = {run: cb.t2i_score(run).columns["s_l3"].value or 0 for run in (models[0], other)}
    assert re.findall('<p class="number">(.*?)</p>', top) == [
        plain(number) for number in sorted(numbers.values(), reverse=True)
    ]
    assert top.count("<circle") == 2
    for words in ("S is the weighted share", "L2 for the altered law", "not tested: its numbers are unproven"):
        assert words in top
    assert re.findall("<h3>(.*?)</h3>", top) == ["The ranking", "A right answer", "A wrong answer"]
    assert top.count("<img") == 2
    assert 'id="people"' not in html
    assert html.index('id="gallery"') < html.index('<details class="folded">')


def test_the_skills_table_shows_means_of_credits(models: list[Path], tmp_path: Path) -> None:
    table = rows_by_name(section(page(tmp_path, *models)[0], "skills"))
    run = load_judged(models[1])
    credits: dict[str, list[float]] = {}
    for row in run.protocol.counted(run.rows):
        if row.credit is not None:
            check = next(c for c in run.prompts.by_id[f"{row.group}/{row.level}"].checks if c.id == row.check)
            credits.setdefault(skill_of(check), []).append(row.credit)
    assert table["model"] == sorted(credits)
    (shown,) = [row for name, row in table.items() if name.startswith("planted:noisy")]
    assert shown == [plain(sum(values) / len(values)) for _, values in sorted(credits.items())]


def test_a_run_of_evaluate_has_its_verdicts_sentences(models: list[Path], tmp_path: Path) -> None:
    html, _ = page(tmp_path, models[0])
    shown = section(html, "answer").replace("&#39;", "'")
    assert [line for line in sentences(answer(models[0])) if f"<p>{line}" not in shown] == []


def test_an_unknown_protocol_has_its_columns_and_parts(hostile_run: Path, tmp_path: Path) -> None:
    html, _ = page(tmp_path, hostile_run)
    assert rows_by_name(section(html, "numbers"))["model"][-1] == "score"
    assert {"worst", "left out", "best"} <= set(rows_by_name(section(html, "losses"))["number"])


def test_uncertified_numbers_are_shown_with_the_reason(models: list[Path], tmp_path: Path) -> None:
    html, _ = page(tmp_path, *models)
    assert "its numbers are unproven (there is no certificate)" in section(html, "answer")
    assert "certificate</dt><dd>none" in section(html, "provenance")


def test_several_judges_of_one_model_are_not_shown_as_several_models(models: list[Path], tmp_path: Path) -> None:
    other = Path(shutil.copytree(models[0], tmp_path / "other"))
    edit_info(other, name="another")
    html, _ = page(tmp_path, models[0], other)
    assert "<h1>One model by 2 judges on falling</h1>" in html
    assert "Pictures by 1 text-to-image model, for" in html


def test_two_protocols_on_the_same_pictures_stand_side_by_side(models: list[Path], tmp_path: Path) -> None:
    images = read_manifest(Path(load_judged(models[0]).kept.model.images))
    judged(images, tmp_path / "checklist", prompts=FALLING, by="checklist")
    html, _ = page(tmp_path, models[0], tmp_path / "checklist")
    assert "<h1>One model under 2 protocols on falling</h1>" in html
    table = rows_by_name(section(html, "differences"))
    checks = len(load_judged(models[0]).asked_rows)
    (row,) = [row for name, row in table.items() if name.endswith("(cf-eval)")]
    assert [row[0][-11:], *row[2:]] == ["(checklist)", "1", "–", "–", str(checks), "1.00", "1.00", "0, 0"]


def test_the_report_gives_the_verdict_that_compare_gives(models: list[Path], tmp_path: Path) -> None:
    other = judge(tmp_path, "reasoner")
    html, _ = page(tmp_path, models[0], other)
    (compared,) = compare_models([models[0], other]).comparisons
    table = [cells(row) for row in re.findall(r"<tr.*?</tr>", section(html, "differences"))]
    verdicts = [row[4] for row in table if len(row) == 7]
    assert verdicts == ["better", *(two.better or ("tied" if two.p else "–") for two in compared.contrasts)]
    assert compared.few in section(html, "differences").replace("Only", "only")
    assert section(html, "answer").count("rank 1-2") == 2


def test_nothing_from_data_is_markup_and_nothing_is_hidden(hostile_run: Path, tmp_path: Path) -> None:
    html, written = page(tmp_path, hostile_run)
    assert "<img src=x" not in html
    assert html.count("<script") == 1
    assert not re.findall(f"[{signs.HIDDEN}]", html)
    data = re.findall(r'id="gallery-data">(.*?)</script>', Path(written.page).read_text(), re.DOTALL)[0]
    assert not set(data) & set("<>&")
    assert json.loads(data)["groups"][0]["levels"][0]["checks"][0]["text"] == f"{HOSTILE} 1?"
    assert MARK in Path(written.page).read_bytes()[:4096]


def test_people_and_judge_are_compared_side_by_side(models: list[Path], tmp_path: Path) -> None:
    labels = tmp_path / "labels.csv"
    lines = [f"{p.id}/0,{check.id},{check.expected}" for p in FALLING.prompts[:6] for check in p.checks]
    labels.write_text("\n".join(["sample,check,label", *lines, ""]))
    html, _ = page(tmp_path, models[0], labels=labels)
    shown = section(html, "people")
    assert "<td>S_L1</td>" in shown
    assert "<td>2 of 4</td>" in shown  # one group is still, and counted apart
    assert "judge and person disagree" in html
    with pytest.raises(InputError, match="name the generator, or its folder, in a column `generator`"):
        page(tmp_path, *models, labels=labels)


def test_labels_of_several_models_stand_at_the_pictures_of_each(models: list[Path], tmp_path: Path) -> None:
    check = FALLING.prompts[0].checks[0]
    place = f"{FALLING.prompts[0].id}/0,{check.id}"
    generators = [load_judged(run).kept.model.generator for run in models]
    lines = [f"{place},{credit},{generator}" for credit, generator in zip("10", generators, strict=True)]
    (tmp_path / "labels.csv").write_text("\n".join(["sample,check,label,generator", *lines, ""]))
    html, written = page(tmp_path, *models, labels=tmp_path / "labels.csv")
    data = re.findall(r'id="gallery-data">(.*?)</script>', Path(written.page).read_text(), re.DOTALL)[0]
    samples = json.loads(data)["groups"][0]["levels"][0]["samples"]
    assert [sample["answers"][0].get("person") for sample in samples] == [1, 0, None]  # the second drew two
    assert "judge and person disagree" in html
    assert ": the judge beside people" in section(html, "people")


def test_pictures_that_moved_are_named_or_left_out(tmp_path: Path) -> None:
    run = judge(tmp_path / "here", "literal")
    shutil.move(tmp_path / "here" / "images", tmp_path / "there")
    _, written = page(tmp_path, run)
    assert written.notes[0].startswith("No pictures found in ")
    assert "--pictures" in written.notes[0]
    _, named = page(tmp_path, run, pictures=str(tmp_path / "there" / "planted-literal"))
    assert named.pictures > written.pictures > 0  # those that are known are drawn
    _, none = page(tmp_path, run, pictures="none")
    assert (none.pictures, none.notes) == (0, ["This report was made without pictures."])
    with pytest.raises(InputError, match="give the folder IMAGES/GENERATOR"):
        page(tmp_path, run, pictures=str(tmp_path))


def test_runs_of_other_prompts_or_named_twice_are_refused_on_one_page(models: list[Path], tmp_path: Path) -> None:
    other = judge(tmp_path / "other", "literal", prompts=of_laws("floating"))
    with pytest.raises(InputError, match=r"a report is on runs of the same prompts and checks \(--limit"):
        page(tmp_path, models[0], other)
    with pytest.raises(InputError, match="named twice"):
        page(tmp_path, models[0], models[0])
