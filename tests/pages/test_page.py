"""The page as a document: complete without a network, in order, labelled, and with everything from data escaped."""

import base64
import hashlib
import itertools
import json
import re
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted_runs import edit_info, write_run

from counterbench import text as signs
from counterbench.evidence.document import write_certificate
from counterbench.evidence.issue import certify
from counterbench.evidence.policies import load_policy
from counterbench.files import formats
from counterbench.pages import write_report
from counterbench.pages.frame import script_data
from counterbench.runs.queries import Key

VOID = {"meta", "input", "br", "img", "link", "hr"}


class Reader(HTMLParser):
    """The elements of a page, in order, with their attributes; fails where they are not well nested."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self._open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self._open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def close(self) -> None:
        super().close()
        assert self._open == []


@pytest.fixture(scope="module")
def html(report: Path) -> str:
    return report.read_text()


@pytest.fixture(scope="module")
def elements(html: str) -> list[tuple[str, dict[str, str | None]]]:
    reader = Reader()
    reader.feed(html)
    reader.close()
    return reader.elements


@pytest.mark.slow
def test_headings_go_down_by_one(elements: list[tuple[str, dict[str, str | None]]]) -> None:
    levels = [int(tag[1]) for tag, _ in elements if re.fullmatch(r"h[1-6]", tag)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert [(before, after) for before, after in itertools.pairwise(levels) if after - before > 1] == []


def test_ids_are_unique_and_every_reference_has_its_target(elements: list[tuple[str, dict[str, str | None]]]) -> None:
    ids = [attributes["id"] for _, attributes in elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    links = {attributes["href"] for tag, attributes in elements if tag == "a"}
    assert [link for link in links if not (link and link.startswith("#"))] == []
    assert {link[1:] for link in links if link and not link.startswith("#pair-")} <= set(ids)
    for name in ("aria-labelledby", "for"):
        assert {a[name] for _, a in elements if name in a} <= set(ids)


def test_the_page_is_labelled_for_screen_readers(elements: list[tuple[str, dict[str, str | None]]]) -> None:
    assert ("html", {"lang": "en"}) in elements
    assert {"header", "nav", "main", "footer"} <= {tag for tag, _ in elements}
    assert elements[[tag for tag, _ in elements].index("body") + 1] == ("a", {"class": "skip", "href": "#main"})
    labelled = {attributes.get("for") for tag, attributes in elements if tag == "label"}
    controls = [a for tag, a in elements if tag in ("select", "input")]
    assert {a["id"] for a in controls} - labelled == {"keys-on"}  # which stands within its label
    assert [(tag, a) for tag, a in elements if tag == "th" and a.get("scope") not in ("row", "col")] == []
    dots = [a for _, a in elements if a.get("class") == "dots"]
    assert [a for a in dots if a.get("role") != "img" or not a.get("aria-label")] == []
    scrolling = [a for _, a in elements if a.get("class") == "scroll"]
    assert scrolling
    assert {(a.get("tabindex"), a.get("role"), bool(a.get("aria-label"))) for a in scrolling} == {("0", "region", True)}


def test_nothing_is_loaded_from_outside(html: str, elements: list[tuple[str, dict[str, str | None]]]) -> None:
    assert "http://" not in html
    assert "https://" not in html
    assert [a for _, a in elements if {"src", "srcset", "onload", "onerror", "onclick", "style"} & set(a)] == []
    policy = next(a["content"] for tag, a in elements if a.get("http-equiv") == "Content-Security-Policy")
    assert policy
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    assert rules["img-src"] == "data:"
    for name, tag in (("script-src", "script"), ("style-src", "style")):
        (text,) = re.findall(rf"<{tag}>(.*?)</{tag}>", html, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert rules[name] == f"'sha256-{digest}'"


def test_the_script_makes_no_markup_from_text(html: str) -> None:
    (script,) = re.findall(r"<script>(.*?)</script>", html, re.DOTALL)
    for name in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "Function("):
        assert name not in script


def test_the_first_screen_has_the_measure_and_the_verdict(html: str) -> None:
    text = re.sub(r"<[^>]+>", " ", html[: html.index('id="diagnosis"')])
    words = " ".join(text[text.index("counterbench report") :].split())
    assert "4 judges on counterbench-550 96 pairs of pictures" in words
    assert "template default" in words
    assert re.search(r"planted:oracle Shows no known fault\. No certificate\.", words)
    assert re.search(r"planted:sticky Shows sticky \(−\d+\.\d points of CCS\)", words)


def test_the_gallerys_data_is_complete(html: str) -> None:
    (text,) = re.findall(r'<script type="application/json" id="gallery-data">(.*?)</script>', html, re.DOTALL)
    data = json.loads(text)
    assert data["judges"] == [
        "planted:oracle",
        "planted:arrow-blind",
        "planted:off-by-one",
        "planted:sticky",
    ]  # by score
    assert len(data["pairs"]) == 96
    assert {(len(pair["judges"]), len(pair["pictures"])) for pair in data["pairs"]} == {(4, 2)}
    assert "" not in [pair["question"] for pair in data["pairs"]]
    assert base64.b64decode(data["pairs"][0]["pictures"][0].partition(",")[2]).startswith(b"\x89PNG")


@given(st.text(), st.sampled_from(["</script>", "<!--", "]]>", "&lt;", "\u2028", "{{7*7}}"]))
def test_embedded_data_cannot_close_its_element_and_is_unchanged(text: str, more: str) -> None:
    value = {"text": text + more + text}
    try:
        msgspec.json.encode(value)
    except UnicodeEncodeError:  # half of a surrogate pair: no journal can hold one
        return
    written = script_data(value)
    assert not set(written) & set("<>&\u2028\u2029")
    assert json.loads(written) == value


HIDDEN = "\u202e\u2066\u200b\u00ad"


def test_text_from_data_shows_hidden_and_direction_characters(tmp_path: Path) -> None:
    runs = [write_run(tmp_path / name, f"planted:{name}", "counterbench-550", 96) for name in ("sticky", "off-by-one")]
    for run in runs:
        keys = list(formats.read_lines(run / "keys.jsonl", Key))
        marked = [
            msgspec.structs.replace(
                key,
                family=f"{key.family}{HIDDEN}/..",
                category=f"{key.category}{HIDDEN}",
                skill=f"{key.skill}{HIDDEN}",
                difficulty={f"{name}{HIDDEN}": value for name, value in key.difficulty.items()},
            )
            for key in keys
        ]
        formats.write_lines(run / "keys.jsonl", marked)
        edit_info(run, judge=f"{run.name}{HIDDEN}", suite=f"s{HIDDEN}", template=f"w{HIDDEN}", source=f"o{HIDDEN}")
        write_certificate(run / "certificate.json", certify(run, load_policy("exploratory")))
    written = write_report(runs, tmp_path / "a.html", pictures="none")
    html = re.sub(r'<script type="application/json".*?</script>', "", Path(written.page).read_text(), flags=re.DOTALL)
    assert not re.findall(f"[{signs.HIDDEN}]", html)
    assert "sticky⟨U+202E⟩⟨U+2066⟩⟨U+200B⟩⟨U+00AD⟩" in html


def test_judges_have_short_names_and_their_full_names_in_the_provenance(tmp_path: Path) -> None:
    models = [f"openai:org/model-{size}?base_url=http%3A//127.0.0.1/v1" for size in ("7b", "72b")]
    runs = [write_run(tmp_path / str(n), "planted:oracle", "smoke") for n in range(2)]
    for run, model in zip(runs, models, strict=True):
        edit_info(run, judge=model)
    write_report(runs, tmp_path / "r.html", pictures="none")
    page = (tmp_path / "r.html").read_text()
    above, _, signed = page.partition('id="provenance"')
    assert "127.0.0.1" not in above
    assert [model for model in models if f"<code>{model}</code>" not in signed] == []
    assert '<p class="judge">model-7b</p>' in above
