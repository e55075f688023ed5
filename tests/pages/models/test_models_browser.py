"""The report on models in a real browser: filters, known pictures, themes, narrow windows, hostile words."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, opened, sound, wait_for
from pictures.pictured import FALLING, HOSTILE

from counterbench.pages import pictures, write_report

pytestmark = pytest.mark.slow
IMAGES = "document.querySelectorAll('.card:first-child .level:nth-of-type(3) img')"


@pytest.fixture(scope="module")
def labelled_report(models: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The report of one model with a person's labels, of which one differs from what the judge said."""
    folder = tmp_path_factory.mktemp("labelled")
    prompt = FALLING.prompts[0]
    lines = [f"{prompt.id}/0,{check.id},{'no' if n == 0 else 'yes'}" for n, check in enumerate(prompt.checks[:2])]
    (folder / "labels.csv").write_text("\n".join(["sample,check,label", *lines, ""]))
    write_report(models[:1], folder / "report.html", labels=folder / "labels.csv")
    return folder / "report.html"


@pytest.fixture(scope="module")
def hostile(hostile_run: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = tmp_path_factory.mktemp("hostile") / "report.html"
    write_report([hostile_run], page)
    return page


@pytest.fixture(scope="module")
def beside(models: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A report whose pictures are too many for one file."""
    page = tmp_path_factory.mktemp("beside") / "many #1.html"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pictures, "MAX_BYTES", 1000)
        write_report(models, page)
    return page


@pytest.fixture(scope="module")
def chromium(both: Path, labelled_report: Path, hostile: Path, beside: Path) -> Iterator[Any]:
    with browser() as found:
        yield found


def status(page: Any) -> str:
    return str(page.locator("#gallery-status").inner_text())


def levels(page: Any) -> set[str]:
    return {text.lower() for text in page.locator("#groups .level h4").all_inner_texts()}


def test_filters_leave_the_levels_and_pictures_that_fit(chromium: Any, both: Path) -> None:
    groups = len(FALLING.groups)
    with opened(chromium, both) as page:
        assert page.get_by_label("Outcome", exact=True).input_value() == "failure"  # it opens on these
        assert page.locator("#groups .head.fits").count() > 0
        page.get_by_role("button", name="Clear filters").click()
        assert status(page) == f"Filters were cleared. Groups 1 to {groups} of {groups}."
        assert levels(page) == {"l1", "l2", "l3"}
        page.get_by_label("Level", exact=True).select_option("l2")
        assert levels(page) == {"l2"}
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_label("Model", exact=True).select_option(index=1)
        page.get_by_label("Shows").select_option("prior")
        assert levels(page) == {"l3"}  # literal is right at L2
        marked = page.locator("#groups .head.fits")
        assert marked.count() == page.locator("#groups .level").count() > 0
        assert [text for text in marked.all_inner_texts() if "reverted to prior" not in text] == []
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_label("Skill of the check").select_option(index=1)
        count = page.locator("#groups .asked").count()
        page.get_by_role("button", name="Clear filters").click()
        assert 0 < count < page.locator("#groups .asked").count()
        page.get_by_label("Outcome", exact=True).select_option("wrong")
        assert page.locator("#groups .head.fits").count() > 0
        page.get_by_label("Id, subject or prompt contains").fill("no such words")
        assert status(page) == f"No group fits these filters; there are {groups} in all."


def test_known_pictures_stand_beside_the_pictures(chromium: Any, both: Path) -> None:
    with opened(chromium, both) as page:
        page.get_by_role("button", name="Clear filters").click()
        page.locator("#groups").scroll_into_view_if_needed()
        third = page.locator("#groups .card").first.locator(".level").nth(2)
        third.scroll_into_view_if_needed()
        heads = third.locator(".head").all_inner_texts()
        assert heads[0] == "a right picture"
        assert heads[1] == "prior would draw"
        assert len(heads) == 2 + 1 + 2
        wait_for(page, f"[...{IMAGES}].every((image) => image.naturalWidth > 0)")
        last = third.locator(".row").last.locator(".answer").all_inner_texts()
        assert last[:2] == ["no", "yes"]  # the contrast check
        assert third.locator("img").first.bounding_box()["width"] >= 150
        first = page.locator(".three img").first
        first.scroll_into_view_if_needed()
        assert first.bounding_box()["width"] > 250


def test_answers_that_people_contradict_can_be_filtered(chromium: Any, labelled_report: Path) -> None:
    with opened(chromium, labelled_report) as page:
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_label("Judge and person").select_option("disagree")
        assert levels(page) == {"l1"}
        answers = page.locator("#groups .answer", has_text="person").all_inner_texts()
        assert answers[0].endswith("person: no, disagrees")
        assert answers[1].endswith("person: yes")


def test_a_link_and_the_keys_lead_to_a_group(chromium: Any, both: Path) -> None:
    name = list(FALLING.groups)[-1]
    with opened(chromium, both, f"#group-{name}") as page:
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") == f"Group {name}"
        page.keyboard.press("k")
        assert page.evaluate("document.activeElement.getAttribute('aria-label')") != f"Group {name}"
        page.locator("nav a", has_text="All numbers").click()
        wait_for(page, "document.querySelector('#numbers').getBoundingClientRect().height > 0")  # unfolded by its link


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 820, 1400])
def test_the_model_report_is_legible_at_every_width(
    chromium: Any, both: Path, labelled_report: Path, hostile: Path, width: int, scheme: str
) -> None:
    for path in (both, labelled_report, hostile):
        with opened(chromium, path, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
            sound(page, width)
            question = page.locator("#groups .asked").first.bounding_box()
            assert question["x"] + question["width"] <= width  # beside wide rows of pictures, too


def test_hostile_words_run_no_script(chromium: Any, hostile: Path) -> None:
    shown = HOSTILE.replace("\u202e", "⟨U+202E⟩")
    with opened(chromium, hostile) as page:
        sound(page, 1280)
        assert page.evaluate("window.pwned") is None
        assert page.locator("script").count() == 2
        assert page.locator("#groups img[src=x], iframe, base").count() == 0
        text = page.locator("#groups").inner_text()
        assert f"{shown} 1?" in text
        assert page.locator("#groups .asked details").first.inner_text().endswith(shown)
        assert shown in page.locator("#groups .answer details").first.inner_text()
        assert "w" * 3000 in text


def test_pictures_in_a_folder_beside_the_page_load(chromium: Any, beside: Path) -> None:
    with opened(chromium, beside) as page:
        page.locator("#groups img").first.scroll_into_view_if_needed()
        wait_for(page, "document.querySelector('#groups img').naturalWidth === 384")


def test_pw_agents_gallery_finds_right_pictures_and_shows_awards_as_they_are(
    chromium: Any, worlds_run: Path, tmp_path: Path
) -> None:
    write_report([worlds_run], tmp_path / "report.html")
    with opened(chromium, tmp_path / "report.html") as page:
        shown = page.locator("#filter-outcome option").all_inner_texts()
        assert [option for option in shown if option.startswith(("wrong", "in part"))] == []
        page.select_option("#filter-outcome", "right")
        rows = page.locator("#groups .row").all_inner_texts()
        assert "S1 10.00 · S2 " in page.locator("#groups .head").first.inner_text()
        checks_by_id = {row.split("\n")[1].split(" · ")[0]: row.split("\n")[2:] for row in rows[1:]}
        assert checks_by_id["e1-existence"] == ["yes", "✓ yes", "reply"]
        assert checks_by_id["e1-state-1"] == ["yes", "✓ yes", "confidence 0.9", "reply"]
        assert checks_by_id["e1-excellence"][-3:] == ["–", "0", "reply"]
