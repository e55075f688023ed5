"""Prompt files: what they give, one message for every fault with its file, place and choices; prompts as a table."""

import csv
import json
import re
from pathlib import Path

import pytest
from pictures.drawn import prompt_set
from sweeping import swept

from counterbench.errors import InputError
from counterbench.evidence.prompt_checks import needed_cells, undrawn_share
from counterbench.prompts.files import export_prompts, load_prompts
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.suites.sources import cells_of
from counterbench.suites.suite import load_suite

LAWS_FILE = """
format = "counterbench.prompts/1"
kind = "laws"
name = "mine"
seed = 7
laws = ["falling"]
"""
RULES_FILE = """
format = "counterbench.prompts/1"
kind = "rules"
name = "symbols"
seed = 3

[[rule]]
name = "falling"
discipline = "physics"
start = "{A_subject} and {a_companion} in a room."
finish = "Draw the end."

[[rule.variant]]
name = "up"
rule = "discs and tiles move up"

[[rule.variant]]
name = "down"
rule = "discs and tiles move down"
"""


def written(folder: Path, text: str, name: str = "mine.toml") -> Path:
    path = folder / name
    path.write_text(text, "utf-8")
    return path


def edited(text: str, old: str, new: str) -> str:
    assert text.count(old) >= 1, old
    return text.replace(old, new, 1)


# ---- what they give


def test_a_prompt_file_selects_laws_style_and_settings(tmp_path: Path) -> None:
    path = written(tmp_path, LAWS_FILE)
    prompts = load_prompts(str(path))
    assert (prompts.name, prompts.seed, prompts.levels) == ("mine", 7, ("l1", "l2", "l3"))
    assert {prompt.law for prompt in prompts.prompts} == {"falling"}
    photo = load_prompts(written(tmp_path, LAWS_FILE + 'style = "photo"\ndescribed = true\nsettings = 2\n', "p.toml"))
    assert {prompt.style for prompt in photo.prompts} == {"photo"}
    assert len(photo.groups) == 2 * len(prompts.groups)


def test_a_rules_file_uses_laws_in_symbols(tmp_path: Path) -> None:
    up, down = load_prompts(written(tmp_path, RULES_FILE)).prompts
    assert (up.id, up.level, up.law) == ("falling.up/rule", "rule", "falling-in-symbols")
    assert (up.variant, down.variant) == ("up", "factual")
    assert re.match(r"An? [a-z]+ disc and an? [a-z]+ tile in a room\. A tile is a square\. The rule is: ", up.text)
    named = ("presence", "assessment", "moved")
    expected = [(id, answer) for name in named for id, answer in ((name, "yes"), (f"{name}-not", "no"))]
    assert [(check.id, check.expected) for check in up.checks] == expected
    assert [check for check in up.checks if not check.program] == []


# ---- what is wrong with them

BAD: dict[str, tuple[str, str]] = {
    "newer format": (edited(LAWS_FILE, "prompts/1", "prompts/2"), "newer format 'counterbench.prompts/2'"),
    "unknown kind": (
        edited(LAWS_FILE, 'kind = "laws"', 'kind = "lawz"'),
        "unknown kind of prompts 'lawz' (did you mean 'laws'?); choose from: laws, rules",
    ),
    "unknown key": (
        LAWS_FILE + "setings = 2\n",
        "unknown key 'setings' (did you mean 'settings'?); choose from: described, description, format, laws",
    ),
    "unknown law": (
        edited(LAWS_FILE, '"falling"', '"faling"'),
        "laws: unknown law 'faling' (did you mean 'falling'?); choose from: ",
    ),
    "name with a path": (edited(LAWS_FILE, '"mine"', '"../mine"'), "at `$.name`"),
    "rules: none": ('format = "counterbench.prompts/1"\nkind = "rules"\nname = "r"\n', "missing required field `rule`"),
    "rules: unknown key of a variant": (
        edited(RULES_FILE, 'rule = "', 'rul = "'),
        "rule 'falling', variant 'up': unknown key 'rul' (did you mean 'rule'?); choose from: name, rule",
    ),
    "rules: unknown law": (edited(RULES_FILE, '"falling"', '"faling"'), "'faling': unknown law 'faling-in-symbols'"),
    "rules: unknown variant": (edited(RULES_FILE, '"up"', '"uq"'), "unknown variant of law 'falling-in-symbols' 'uq'"),
}  # fmt: skip


@swept("case", BAD)
def test_a_faulty_prompt_file_is_one_error_with_place_and_choices(case: str, tmp_path: Path) -> None:
    text, message = BAD[case]
    path = written(tmp_path, text)
    with pytest.raises(InputError) as error:
        load_prompts(path)
    assert str(error.value).startswith(f"{path}: ") or str(error.value).startswith(f"{path}, ")
    assert str(error.value).count(str(path)) == 1
    assert message in str(error.value)


@pytest.mark.parametrize("name", ["mine.xlsx", "mine.md"])
def test_a_file_of_another_format_is_refused_with_the_valid_formats(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    written(tmp_path, "prompt\nA cup.\n", name)
    for path in (name, f"./{name}", tmp_path / name):
        with pytest.raises(InputError, match=rf"{name}: prompts are read from \.csv, .*\.toml; write them as one"):
            load_prompts(path)


def test_an_unknown_set_is_refused_with_the_shipped_ones() -> None:
    with pytest.raises(InputError, match=r"unknown prompt set 'lawz' \(did you mean 'laws'\?\); choose from: .*laws"):
        load_prompts("lawz")
    with pytest.raises(InputError, match=r"nowhere/mine\.toml: there is no such prompt file"):
        load_prompts("nowhere/mine.toml")
    with pytest.raises(InputError, match=r"mine\.jsonl: there is no such prompt file"):
        load_prompts("mine.jsonl")


def test_shipped_sets_of_laws_need_cells_of_a_shipped_suite_and_the_others_none(shipped: dict[str, PromptSet]) -> None:
    known = cells_of(load_suite("laws")).keys() | cells_of(load_suite("rules")).keys()
    for name, prompts in shipped.items():
        assert prompts.name == name
        if name != "picworld-own":  # whose questions an author writes
            assert undrawn_share(prompts) == (prompts.seed is None)
        assert {cell for cells in needed_cells(prompts.prompts).values() for cell in cells} <= known


# ---- prompts as a table

ODD = ['com,ma "and" quotes', "Ω/β"]


@pytest.mark.parametrize("name", ["prompts.csv", "prompts.jsonl", "deep/PROMPTS.CSV"])
def test_an_exported_table_has_id_and_text_of_every_prompt(tmp_path: Path, name: str) -> None:
    prompts = prompt_set(ODD)
    assert export_prompts(prompts, tmp_path / name) == list(prompts.prompts)
    with (tmp_path / name).open(encoding="utf-8", newline="") as file:
        found = list(map(json.loads, file)) if name.endswith("jsonl") else list(csv.DictReader(file))
    assert found == [{"id": prompt.id, "text": prompt.text} for prompt in prompts.prompts]


def test_a_limit_takes_whole_groups_and_an_older_table_is_overwritten(tmp_path: Path) -> None:
    prompts = prompt_set(3)
    for kind in ("csv", "jsonl"):
        out = tmp_path / f"p.{kind}"
        export_prompts(prompts, out)
        assert [prompt.id for prompt in export_prompts(prompts, out, 1)] == ["g0/l1", "g0/l2", "g0/l3"]
        assert "g1" not in out.read_text()


@pytest.mark.parametrize(
    ("name", "content", "limit", "message"),
    [
        ("p.xlsx", None, None, r"--out must end in \.csv or \.jsonl"),
        ("p.csv", None, 0, "--limit must be at least 1, not 0"),
        ("p.csv", "prompt_id,text\nmine,1\n", None, "is there and is no list of prompts"),
        ("p.jsonl", '{"mine": 1}\n', None, "is there and is no list of prompts"),
    ],
)
def test_no_table_is_written(tmp_path: Path, name: str, content: str | None, limit: int | None, message: str) -> None:
    if content is not None:
        (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=message):
        export_prompts(prompt_set(1), tmp_path / name, limit)
    assert not (tmp_path / name).exists() or (tmp_path / name).read_text() == content


def test_a_prompt_like_a_formula_is_escaped_in_csv_only(tmp_path: Path) -> None:
    words = ["=1+1", "@ball", "\tball", "a ball"]
    prompts = PromptSet("odd", ["l1"], [Prompt.at(f"g{i}", "l1", word) for i, word in enumerate(words)])
    for name in ("p.csv", "p.jsonl"):
        export_prompts(prompts, tmp_path / name)
    with (tmp_path / "p.csv").open(newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)] == ["'=1+1", "'@ball", "'\tball", "a ball"]
    assert [json.loads(line)["text"] for line in (tmp_path / "p.jsonl").read_text().splitlines()] == words
