"""`list` and `import` on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call

from counterbench.certificate.chances import chances, in_words
from counterbench.certificate.policies import load_policy
from counterbench.cli.listing import LISTS
from counterbench.drawing.styles import NAMES as STYLES
from counterbench.interop import IMPORTS
from counterbench.interop.exports import EXPORTS
from counterbench.judges import KINDS
from counterbench.judges.planted import PLANTED
from counterbench.laws import all_laws
from counterbench.scoring.rules import SCORINGS
from counterbench.suites.cells import cells_of
from counterbench.suites.families import FAMILIES
from counterbench.suites.suite import load_suite
from counterbench.t2i.generators import KINDS as GENERATORS
from counterbench.t2i.generators.card import KIND as CARD
from counterbench.t2i.generators.planted import PLANTED as PLANTED_GENERATORS
from counterbench.t2i.prompts.imports import PROMPT_IMPORTS

NAMES = {
    "suites": ["certify", "controls", "counterbench-550", "laws", "rules", "smoke"],
    "families": [family.name for family in FAMILIES],
    "laws": list(all_laws()),
    "prompts": [
        "attributes",
        "laws",
        "laws-described",
        "laws-few",
        "laws-photo",
        "laws-short",
        "picworld-own",
        "rules",
    ],
    "generators": [*GENERATORS, *(f"planted:{name}" for name in (*PLANTED_GENERATORS, CARD))],
    "protocols": ["cf-eval", "checklist", "r2i-score", "pw-agent", "direct"],
    "judges": [*KINDS, *(f"planted:{name}" for name in sorted(PLANTED))],
    "wordings": ["answer-line", "bare", "default", "shown-prompt", "strict"],
    "styles": list(STYLES),
    "policies": ["exploratory", "standard", "strict"],
    "scorings": list(SCORINGS),
    "imports": [*IMPORTS, *PROMPT_IMPORTS],
    "exports": [*EXPORTS],
}


def test_what_can_be_listed_is_pinned() -> None:
    assert list(LISTS) == list(NAMES)


def test_a_list_has_a_line_for_each_name() -> None:
    lines = call("list", "families").stdout.splitlines()
    assert [line.split()[0] for line in lines] == NAMES["families"]
    assert next(line for line in lines if line.startswith("counting ")).endswith("distractors = [1, 3])")


def test_a_prompt_set_of_one_level_has_prompts_and_checks() -> None:
    lines = dict(line.split(maxsplit=1) for line in call("list", "prompts").stdout.splitlines())
    assert lines["rules"] == "210 prompts, 1428 checks"
    assert lines["laws-few"] == "40 groups, 120 prompts at l1, l2, l3"


def test_protocols_say_what_they_ask_cost_and_need() -> None:
    lines = call("list", "protocols").stdout.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == NAMES["protocols"]
    for start in ("asks: ", "calls a picture: ", "needs: "):
        assert sum(line.strip().startswith(start) for line in lines) == len(NAMES["protocols"])
    assert any(line.endswith("calls a picture: one a check: 5.8 on R2I-Bench") for line in lines)


def test_policies_say_how_likely_a_judge_is_admitted_and_in_how_many_calls() -> None:
    """By true CCS, to all laws and to 90 % of them, of the suite `laws`."""
    lines = [line.split() for line in call("list", "policies").stdout.splitlines()]
    cells = [name for name, cell in cells_of(load_suite("laws")).items() if not cell.control]
    expected = chances(load_policy("standard"), cells)["0.95"]
    shown = [*in_words(expected.all_laws).split(), *in_words(expected.most_laws).split(), f"{expected.calls:,}"]
    assert ["0.95", *shown] in lines
    assert [line[0] for line in lines if len(line) > 2 and line[1] == "0.90"] == NAMES["policies"]


@pytest.mark.parametrize("what", NAMES)
def test_lists_as_json(what: str) -> None:
    found = json.loads(call("list", what, "--json").stdout)
    assert list(found) == [what]
    assert [entry["name"] for entry in found[what]] == NAMES[what]
    assert all(len(entry["summary"]) > 10 for entry in found[what])


def test_an_unknown_list_names_the_known_ones() -> None:
    result = call("list", "suits")
    assert result.exit_code == 2
    assert "unknown list 'suits' (did you mean 'suites'?); choose from:" in result.stderr
    assert all(what in result.stderr for what in NAMES)


def test_an_unknown_import_format_names_the_known_ones(tmp_path: Path) -> None:
    result = call("import", "counterbanch", str(tmp_path), "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "unknown import format 'counterbanch' (did you mean 'counterbench'?)" in result.stderr
    assert not (tmp_path / "out").exists()


def test_importing_what_is_no_release_writes_nothing(tmp_path: Path) -> None:
    result = call("import", "counterbench", str(tmp_path), "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert "not a CounterBench release, it has no data/benchmark.json" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_import_needs_an_out(tmp_path: Path) -> None:
    result = call("import", "counterbench", str(tmp_path))
    assert result.exit_code == 2
    assert "--out" in result.stderr
