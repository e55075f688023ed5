"""The report in a real browser: filters, keys, links, themes, narrow windows, hostile replies, thousands of pairs."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import browser, opened, sound, wait_for

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def chromium(report: Path, crowded: Path, hostile: Path, many: Path) -> Iterator[Any]:
    with browser() as found:
        yield found


def ids(page: Any) -> list[str]:
    return [str(id) for id in page.locator("#pairs article h3").all_inner_texts()]


def focused(page: Any) -> str:
    """The pair that has the focus."""
    return str(page.evaluate("document.activeElement.getAttribute('aria-label') || ''")).removeprefix("Pair ")


def status(page: Any) -> str:
    return str(page.locator("#gallery-status").inner_text())


def test_filters_choose_pairs_and_say_how_many(chromium: Any, report: Path) -> None:
    with opened(chromium, report) as page:
        assert status(page) == "Pairs 1 to 20 of 96."
        page.get_by_label("Family", exact=True).select_option("counting")
        counting = ids(page)
        assert counting
        assert [id for id in counting if not id.startswith("counting-")] == []
        page.get_by_label("Outcome", exact=True).select_option("wrong")
        page.get_by_label("Judge with that outcome").select_option("planted:off-by-one")
        rows = page.locator("#pairs article tr", has_text="planted:off-by-one").all_inner_texts()
        assert rows
        assert [row for row in rows if "✗ wrong" not in row] == []
        page.get_by_label("Judge with that outcome").select_option("planted:oracle")
        assert status(page) == "No pair fits these filters; there are 96 in all."
        page.get_by_role("button", name="Clear filters").click()
        assert status(page) == "Filters were cleared. Pairs 1 to 20 of 96."
        page.get_by_label("Agreement").select_option("differ")
        for row in page.locator("#pairs article").all():
            headers = row.locator("tbody th").all_inner_texts()
            right = [text.endswith("right on both") for text in headers]
            assert any(right), right
            assert not all(right), right
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_label("Id or question contains").fill("ARROW-000003")
        assert ids(page) == ["arrow-000003"]
        assert page.locator("#pairs figcaption strong").count() == 2


def test_keys_move_between_pairs_without_trapping_focus(chromium: Any, report: Path) -> None:
    with opened(chromium, report) as page:
        order = ids(page)
        page.keyboard.press("j")
        assert focused(page) == order[0]
        page.keyboard.press("j")
        assert focused(page) == order[1]
        assert page.url.endswith(f"#pair-{order[1]}")
        page.keyboard.press("ArrowRight")
        assert focused(page) == order[2]
        page.keyboard.press("k")
        page.keyboard.press("ArrowLeft")
        assert focused(page) == order[0]
        page.keyboard.press("k")  # there is none before the first
        assert focused(page) == order[0]
        for _ in range(20):
            page.keyboard.press("j")
        assert focused(page) == ids(page)[0]
        assert status(page) == "Pairs 21 to 40 of 96."
        page.keyboard.press("k")
        assert focused(page) == order[19]
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        page.keyboard.press("Tab")  # on to the next thing, not round in the pair
        assert focused(page) != order[19]
        page.get_by_label("Id or question contains").press_sequentially("jjk")
        assert page.get_by_label("Id or question contains").input_value() == "jjk"
        page.get_by_role("button", name="Clear filters").click()
        page.get_by_label("Keys on this page").uncheck()
        page.keyboard.press("j")
        assert focused(page) == ""


def test_pages_turn_with_their_buttons(chromium: Any, report: Path) -> None:
    with opened(chromium, report) as page:
        above = page.get_by_role("group", name="Pages, above the pairs")
        above.get_by_role("button", name="Previous").click(force=True)  # it says that it is disabled
        assert status(page) == "Pairs 1 to 20 of 96."
        for _ in range(7):
            above.get_by_role("button", name="Next").click(force=True)
        assert status(page) == "Pairs 81 to 96 of 96."
        assert above.get_by_role("button", name="Next").get_attribute("aria-disabled") == "true"
        assert len(ids(page)) == 16


def test_a_link_opens_its_pair_even_when_it_is_filtered_out(chromium: Any, report: Path) -> None:
    with opened(chromium, report, "#pair-control-000002") as page:
        assert focused(page) == "control-000002"
        assert page.locator("article:focus").is_visible()
        page.get_by_label("Family", exact=True).select_option("spatial")
        page.evaluate("location.hash = '#pair-arrow-000001'")
        wait_for(page, "document.activeElement.getAttribute('aria-label') === 'Pair arrow-000001'")
        assert status(page).startswith("Filters were cleared to show arrow-000001.")
        page.evaluate("location.hash = '#pair-no-such-%zz'")
        wait_for(page, "document.getElementById('gallery-status').textContent.startsWith('There is no pair')")
        link = page.locator("#diagnosis a.mono").first
        name = link.inner_text()
        for _ in range(2):  # the second time it is the address already
            link.click()
            wait_for(page, f"document.activeElement.getAttribute('aria-label') === 'Pair {name}'")


def test_the_whole_page_works_by_keyboard(chromium: Any, report: Path) -> None:
    with opened(chromium, report) as page:
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.className") == "skip"
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "main"
        page.locator("details.folded summary", has_text="Scores").focus()
        page.keyboard.press("Enter")
        details = page.locator("#scores details").first
        details.locator("summary").focus()
        page.keyboard.press("Enter")
        assert details.locator("table").is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 390, 1280, 1920])
def test_the_report_is_legible_at_every_width(
    chromium: Any, report: Path, crowded: Path, width: int, scheme: str
) -> None:
    for path in (report, crowded):
        with opened(chromium, path, viewport={"width": width, "height": 900}, color_scheme=scheme) as page:
            paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
            assert paper == {"light": "rgb(253, 253, 251)", "dark": "rgb(17, 22, 28)"}[scheme]
            assert page.locator("caption:not(.unseen)").count() > 2
            assert page.locator(".dots circle").count() >= 4
            sound(page, width)
            assert path != report or page.locator("#pairs article img").first.bounding_box()["width"] > 100
            table = page.locator("#summary .scroll")  # it scrolls in its own box
            assert width > 390 or table.evaluate("(box) => box.scrollWidth > box.clientWidth")
            ink = page.locator(".dots text").first.evaluate("(text) => getComputedStyle(text).fill")
            assert ink == page.evaluate("getComputedStyle(document.body).color")


def test_hostile_replies_and_names_run_no_script(chromium: Any, hostile: Path) -> None:
    name = "<img src=x onerror=alert(6)>\"'{{7*7}}⟨U+202E⟩"
    with opened(chromium, hostile, viewport={"width": 320, "height": 640}) as page:
        page.mouse.wheel(0, 100000)
        assert page.evaluate("window.pwned") is None
        assert page.locator("script").count() == 2
        assert page.locator("iframe, base, #pairs svg, #pairs a[href^='javascript']").count() == 0
        assert page.locator("h1").inner_text() == f"{name[:16]}…{name[-22:]} on smoke"
        sound(page, 320)
        assert page.locator("#provenance code").first.inner_text() == name
        assert page.locator("#summary .tag.long").inner_text().endswith("of another judge than this run's")
        text = page.locator("#pairs").inner_text()
        for reply in (
            "</script><script>window.pwned = 1; alert(1)</script>",
            '<img src=x onerror="window.pwned = 1; alert(2)">',
            '"><svg onload=alert(3)>',
            "{{7*7}} {% raw %} ${7*7} <!-- -->",
            "w" * 3000,
            '<a href="javascript:alert(4)">yes</a>',
            "<style>*{display:none}</style><base href=//example.org>",
            "'; alert(5); '",
        ):
            assert reply in text
        assert "⟨U+001B⟩[31mred⟨U+001B⟩[0m ⟨U+0000⟩ ⟨U+0007⟩" in text
        assert "⟨U+202E⟩evil⟨U+202C⟩ ⟨U+200B⟩hidden⟨U+FEFF⟩ ⟨U+2067⟩abc⟨U+2069⟩" in text
        assert "&lt;b&gt; &amp; ⟨U+2028⟩ ⟨U+2029⟩" in text


def test_a_page_of_a_thousand_pairs_stays_light(chromium: Any, many: Path) -> None:
    with opened(chromium, many) as page:
        loaded = "document.querySelectorAll('#pairs img[src]').length"
        assert status(page) == "Pairs 1 to 20 of 1,000."
        assert page.locator("#pairs *").count() < 1500
        assert page.evaluate(loaded) == 0  # the gallery is far below the window
        page.locator("#pairs").scroll_into_view_if_needed()
        page.keyboard.press("j")
        wait_for(page, "document.querySelector('#pairs img').naturalWidth === 128")
        assert 0 < page.evaluate(loaded) < 40
        page.get_by_label("Outcome", exact=True).select_option("collapsed")
        assert "chosen, 1,000 in all" in status(page)
        assert page.locator("#pairs *").count() < 1500
        page.get_by_label("Id or question contains").fill("spatial-000999")
        assert len(ids(page)) <= 1
        page.evaluate("location.hash = '#pair-spatial-000950'")
        wait_for(page, "document.activeElement.getAttribute('aria-label') === 'Pair spatial-000950'")
        assert status(page).endswith("Pairs 941 to 960 of 1,000.")


def test_embedded_pictures_load_when_scrolled_near(chromium: Any, report: Path) -> None:
    with opened(chromium, report, "#pair-arrow-000000") as page:
        wait_for(page, "[...document.activeElement.querySelectorAll('img')].every((i) => i.naturalWidth === 256)")
        shown = page.evaluate("document.querySelectorAll('#pairs img[src]').length")
        assert 2 <= shown < 40
