"""The page in a real browser: by keys and by touch, on a phone and a desk, two raters at once, the server killed."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browsing import CONTRAST, browser, wait_for
from commands import done
from pages.labelling.served import CHECKS, rater_lines, serving

pytestmark = pytest.mark.slow
READY = """[...document.querySelectorAll('#answers button')].some((each) => !each.disabled)
  || document.querySelector('#end')?.hidden === false"""
DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}}
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SEEN = """() => [...document.querySelectorAll('#question, #answers button, #undo, #pictures img')]
  .filter((each) => !each.hidden).map((each) => each.getBoundingClientRect())
  .every((box) => box.width > 0 && Math.min(box.top, box.left) >= 0 && box.bottom <= innerHeight
    && box.right <= innerWidth)"""


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as found:
        yield found


class Rater:
    """A rater at a page of the browser; nothing may be said on its console but that the server is away."""

    def __init__(self, chromium: Any, address: str, name: str, **options: Any) -> None:
        self.page = chromium.new_context(**options).new_page()
        self.faults: list[str] = []
        self.page.on("console", lambda message: self.faults.append(message.text))
        self.page.on("pageerror", lambda error: self.faults.append(str(error)))
        self.page.on("request", lambda request: request.url.startswith(address) or self.faults.append(request.url))
        self.page.goto(address)
        self.page.fill("#rater", name)
        self.page.get_by_role("button", name="Start").click()
        wait_for(self.page, READY)

    @property
    def count(self) -> str:
        return str(self.page.locator("#count").inner_text())

    def by_key(self, key: str) -> None:
        self._act(lambda: self.page.keyboard.press(key))

    def by_touch(self, name: str) -> None:
        self._act(lambda: self.page.get_by_role("button", name=name, exact=True).tap())

    def _act(self, act: Any) -> None:
        before = self.count
        act()
        wait_for(self.page, f"document.querySelector('#count').textContent !== '{before}'")
        wait_for(self.page, READY)

    def picture(self) -> str:
        return str(self.page.locator("#pictures img").first.get_attribute("src"))


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["desk", "phone"])
def test_labelling_works_by_keys_and_by_touch(chromium: Any, law_run: Path, options: dict[str, Any]) -> None:
    with serving(law_run) as (address, _):
        ann = Rater(chromium, address, "ann", **options)
        act = ann.by_touch if options is PHONE else ann.by_key
        words = {"y": "Yes", "n": "No", " ": "Cannot tell", "u": "Undo"} if options is PHONE else {}
        size = ann.page.locator("#pictures img").bounding_box()
        assert max(size["width"] / options["viewport"]["width"], size["height"] / options["viewport"]["height"]) > 0.9
        pictures = []
        for key, label in (("y", "yes"), ("n", "no"), (" ", "?")):
            assert ann.page.evaluate(SEEN)
            pictures.append(ann.picture())
            act(words.get(key, key))
            assert rater_lines(law_run)[-1]["label"] == label
        assert len(set(pictures)) == 3
        act(words.get("u", "u"))
        assert ann.picture() == pictures[-1]
        assert ann.page.locator("#note").inner_text() == "Your answer was: Cannot tell"
        assert ann.count == "2 of 192 answered"
        act(words.get("y", "y"))
        assert [line["label"] for line in rater_lines(law_run)] == ["yes", "no", "?", "", "yes"]
        assert ann.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert ann.faults == []


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["desk", "phone"])
def test_every_kind_of_answer_can_be_given_to_the_end(chromium: Any, card_run: Path, options: dict[str, Any]) -> None:
    answers = {"red": "y", "scene": "5", "well": "4", "hue": "2", "place": "1"}
    fields = {"many": "3", "share": "62.5", "sign": "no entry"}
    texts = {check.text: check.id for check in CHECKS}
    with serving(card_run) as (address, _):
        ann = Rater(chromium, address, "ann", **options)
        while ann.page.locator("#task").is_visible():
            assert ann.page.evaluate(SEEN)
            check = texts[ann.page.locator("#question").inner_text()]
            if check in answers:
                ann.by_key(answers[check])
                continue
            ann.page.locator("#answers input").fill("" if check == "sign" else "some")
            ann.page.keyboard.press("Enter")
            if check != "sign":
                wait_for(ann.page, "!document.querySelector('#trouble').hidden")
                assert "'some' is no answer: give a " in ann.page.locator("#trouble").inner_text()
                assert ann.page.evaluate(SEEN)
            ann.page.locator("#answers input").fill(fields[check])
            ann.by_key("Enter")
        assert ann.page.locator("#trouble").is_hidden()
        assert "All done. Thank you, ann." in ann.page.locator("#end").inner_text()
        assert "counterbench score RUN" in ann.page.locator("#end").inner_text()
        labels = sorted(line["label"] for line in rater_lines(card_run))
        assert labels == sorted(["yes", "0.5", "4", "orange", "a beach", "3", "62.5", "no entry"] * 4)
        ann.by_key("u")
        assert ann.page.locator("#task").is_visible()
        assert [fault for fault in ann.faults if "400 (Bad Request)" not in fault] == []


def test_two_raters_lose_nothing_when_the_server_is_killed(chromium: Any, law_run: Path) -> None:
    with serving(law_run) as (address, process):
        ann, bob = Rater(chromium, address, "ann", **DESK), Rater(chromium, address, "bob", **PHONE)
        for _ in range(5):
            ann.by_key("y")
            bob.by_touch("No")
        process.kill()
        process.wait()
        ann.page.keyboard.press("n")  # while there is no server
        wait_for(ann.page, "!document.querySelector('#trouble').hidden")
        assert "Your answer is kept here and sent again" in ann.page.locator("#trouble").inner_text()
        kept = len(rater_lines(law_run))
        port = int(address.rstrip("/").rpartition(":")[2])
        with serving(law_run, port=port):
            wait_for(ann.page, "document.querySelector('#count').textContent.startsWith('6 of')")
            assert ann.page.locator("#trouble").is_hidden()
            wait_for(ann.page, READY)
            for _ in range(4):
                ann.by_key("y")
                bob.by_touch("No")
            bob.page.reload()
            wait_for(bob.page, READY)
            assert bob.count == "9 of 192 answered"
    assert kept == 5
    for rater, labels in (("ann", ["yes"] * 5 + ["no"] + ["yes"] * 4), ("bob", ["no"] * 9)):
        written = rater_lines(law_run, rater)
        assert [line["label"] for line in written] == labels
        assert len({line["id"] for line in written}) == len(written)
    assert [fault for fault in (*ann.faults, *bob.faults) if "ERR_CONNECTION" not in fault] == []


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["desk", "phone"])
def test_pairs_stand_side_by_side_or_above_each_other(chromium: Any, law_run: Path, options: dict[str, Any]) -> None:
    with serving(law_run, "--pairs") as (address, _):
        ann = Rater(chromium, address, "ann", **options)
        assert ann.page.evaluate(SEEN)
        first, second = (ann.page.locator("#pictures img").nth(n).bounding_box() for n in (0, 1))
        assert (first["y"] == second["y"]) == (options is DESK)
        assert (first["x"] == second["x"]) == (options is PHONE)
        if options is PHONE:
            for name in ("A is better", "B is better", "Equal"):
                ann.by_touch(name)
        else:
            for key in ("ArrowLeft", "ArrowRight", "e"):
                ann.by_key(key)
        assert [line["label"] for line in rater_lines(law_run, begins="pairs")] == ["first", "second", "equal"]
        assert ann.faults == []


@pytest.mark.parametrize("options", [DESK, PHONE], ids=["desk", "phone"])
def test_a_drawn_comparison_can_be_answered_equal_and_cannot_tell(
    chromium: Any, tmp_path: Path, options: dict[str, Any]
) -> None:
    done("probe", "pairwise", "--limit", 12, "--judge", "planted:oracle", "--out", tmp_path / "run")
    with serving(tmp_path / "run") as (address, _):
        ann = Rater(chromium, address, "ann", **options)
        assert ann.page.locator("#pictures figcaption").all_inner_texts() == ["First", "Second"]
        for key in ("1", "2", "3", " "):
            assert ann.page.evaluate(SEEN)
            ann.by_key(key)
        journal = (tmp_path / "run" / "people" / "ann" / "journal.jsonl").read_text().splitlines()
        assert [json.loads(line)["reply"] for line in journal] == ["first", "second", "equal", "?"]
        assert ann.faults == []


def test_an_unreadable_picture_can_only_be_answered_cannot_tell(chromium: Any, law_run: Path) -> None:
    with serving(law_run) as (address, _):
        context = chromium.new_context(**DESK)
        context.route("**/picture/*", lambda route: route.fulfill(status=410, body="this picture cannot be read"))
        page = context.new_page()
        page.goto(f"{address}by/ann")
        wait_for(page, "document.querySelector('.broken') !== null")
        assert "cannot be read" in page.locator(".broken").inner_text()
        page.keyboard.press("y")
        assert page.locator("#answers button:enabled").all_inner_texts() == ["Cannot tell space"]
        page.keyboard.press(" ")
        wait_for(page, "document.querySelector('#count').textContent.startsWith('1 of')")
        assert [line["label"] for line in rater_lines(law_run)] == ["?"]


def test_a_token_opens_the_page_and_is_gone_from_the_address(chromium: Any, law_run: Path) -> None:
    with serving(law_run, "--host", "0.0.0.0") as (address, _):
        page = chromium.new_context(**DESK).new_page()
        port = address.partition("?")[0].rstrip("/").rpartition(":")[2]
        own = f"http://127.0.0.1:{port}/"
        assert page.goto(own).status == 403
        page.goto(f"{own}?{address.partition('?')[2]}")
        assert page.url == own
        page.fill("#rater", "ann")
        page.get_by_role("button", name="Start").click()
        wait_for(page, READY)
        assert page.evaluate("document.cookie") == ""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_labelling_page_is_legible(chromium: Any, card_run: Path, scheme: str) -> None:
    with serving(card_run) as (address, _):
        ann = Rater(chromium, address, "ann", color_scheme=scheme, **DESK)
        assert ann.page.evaluate(CONTRAST) == []
