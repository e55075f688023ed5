"""`t2i judge` and `score` under protocols: side by side, each in its own shape, and refused in words."""

import csv
import re
from pathlib import Path

import msgspec
import pytest
from commands import document, done, fails
from pictures.carded import checklist, mixed, prompt
from pictures.fall import fall

from counterbench.cli import grid
from counterbench.pictures.protocols import PROTOCOLS
from counterbench.prompts.files import write_prompt_set
from counterbench.prompts.prompt_set import Check, PromptSet

CARDS = "images/planted-card"
ORACLE = ("--judge", "planted:oracle", "--uncertified")


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Cards of a checklist, and a planted model's pictures of a law."""
    folder = fall(tmp_path_factory.mktemp("work"), "literal")
    write_prompt_set(folder / "mine.jsonl", mixed())
    made = ("t2i", "generate", folder / "mine.jsonl", "--generator", "planted:card", "--samples", 1)
    done(*made, "--out", folder / "images")
    return folder


@pytest.fixture(autouse=True)
def here(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "images").symlink_to(template / "images")
    for name in ("mine.jsonl", "fall.toml"):
        (tmp_path / name).write_bytes((template / name).read_bytes())
    monkeypatch.chdir(tmp_path)


def test_two_protocols_and_negated_checks_on_the_same_pictures_stand_side_by_side() -> None:
    pictures = "images/planted-literal"
    more = ((), ("--protocol", "checklist"), ("--negated", 0.5))
    nexts = [done("t2i", "judge", pictures, *ORACLE, *how).splitlines()[-1] for how in more]
    runs = [f"runs/fall--planted-literal--planted-oracle{end}" for end in ("--cf-eval-1", "--checklist-1")]
    runs.append("runs/fall--planted-literal--planted-oracle--negated-0.5--cf-eval-1")
    assert nexts == [f"next: counterbench score {run}" for run in runs]
    before = {path: path.read_bytes() for path in Path("runs").rglob("*") if path.is_file()}
    for how in more:
        assert "0 asked now" in done("t2i", "judge", pictures, *ORACLE, *how)
    after = {path: path.read_bytes() for path in Path("runs").rglob("*") if path.is_file()}
    assert after == before
    shown = done("score", *runs)
    assert "cf-eval on fall: only 4 groups, so no intervals" in shown
    assert "\nchecklist on fall" in shown


def test_runs_that_share_no_number_are_compared_by_the_spread_of_their_scores() -> None:
    for protocol in ("cf-eval", "direct"):
        done("t2i", "judge", "images/planted-literal", *ORACLE, "--protocol", protocol, "--out", protocol)
    printed = done("compare", "cf-eval", "direct")
    title, *table = printed.splitlines()
    assert title == "Scores of the same pictures, as shares of each scale"
    assert len([row for row in table if row.startswith(" planted:oracle (cf-eval)")]) == 1
    assert "share no number" not in printed


@pytest.fixture
def narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(grid, "terminal_width", lambda: 80)


def test_a_checklist_is_shown_without_the_columns_of_laws(narrow: None) -> None:
    done("t2i", "judge", CARDS, *ORACLE, "--out", "run")
    shown = done("score", "run").splitlines()
    assert shown[:2] == [
        "Not supported: there is no certificate.",
        "checklist on mine: only 10 groups, so no intervals",
    ]
    assert next(line.split()[:2] for line in shown if "planted:card" in line) == ["planted:card", "0.70"]
    assert not re.search(r"\d laws?\b|gate|PRR \(|prior|ungated|S_L", "\n".join(shown))
    assert len(shown) <= 11
    assert shown[-1] == "next: counterbench score run -v"


def reasoning() -> PromptSet:
    """Like T2I-CoReBench: dimensions of one category each, each also a discipline; by no alphabet."""
    kinds = (("parts", "P-Z"), ("parts", "P-A"), ("thought", "T-Y"), ("thought", "T-B"))
    prompts = [
        msgspec.structs.replace(
            prompt(f"{name}-{i}", Check(id="q", text="Is it?", dimension=name, tags=("even", "odd")[i % 2 :][:1])),
            category=category,
            discipline=name.lower(),
        )
        for category, name in kinds
        for i in range(2)
    ]
    return checklist(prompts, name="reason")


def test_dimensions_appear_once_in_their_authors_order(narrow: None) -> None:
    write_prompt_set(Path("reason.jsonl"), reasoning())
    done("t2i", "generate", "./reason.jsonl", "--generator", "planted:card?P-A=0&rate=1", "--samples", 1,
         "--out", "own", "--name", "card")  # fmt: skip
    done("t2i", "judge", "own/card", *ORACLE, "--out", "run")
    shown = done("score", "run").splitlines()
    assert "card by category: lowest in parts (0.50), highest in thought (1.00)" in shown
    every = done("score", "run", "-v").splitlines()
    place = next(i for i, line in enumerate(every) if line == "checklist on reason by dimension")
    assert [line.split()[0] for line in every[place + 4 : place + 8]] == ["P-Z", "P-A", "T-Y", "T-B"]
    titles = [line for line in every if line.startswith("checklist on reason by ")]
    assert [title.split()[-1] for title in titles] == ["category", "dimension", "tag"]  # disciplines are dimensions
    assert "Kendall" not in "\n".join(shown)


def test_every_number_is_in_the_csv_and_the_json() -> None:
    done("t2i", "judge", CARDS, *ORACLE, "--out", "run")
    (found,) = document("score", "run")["runs"]
    assert (found["protocol"], found["headline"], found["rests_on"]) == ("checklist", ["score"], {"score": 20})
    assert "prr" not in found
    rows = list(csv.DictReader(done("score", "run", "--format", "csv").splitlines()))
    parts = {(row["part"], row["name"]): float(row["score"]) for row in rows}
    assert parts["overall", ""] == found["columns"]["score"]["value"]
    for what, names in found["slices"].items():
        for name, columns in names.items():
            assert parts[what, name] == columns["score"]["value"]


def test_unknown_and_unfitting_protocols_are_refused() -> None:
    unknown = f"unknown protocol 'nonsense'; choose from: {', '.join(sorted(PROTOCOLS))}"
    assert fails("t2i", "judge", CARDS, *ORACLE, "--protocol", "nonsense") == unknown
    message = fails("t2i", "judge", CARDS, *ORACLE, "--protocol", "cf-eval")
    assert message.startswith("'mine' has no check of the dimension 'assessment-point', which cf-eval asks for")
    assert message.endswith("(it has 'logic', 'looks'); --protocol checklist takes any")
    assert not Path("runs").exists()
