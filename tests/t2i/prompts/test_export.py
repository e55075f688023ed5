"""Prompts as a table for people who draw elsewhere, and the file is nobody else's."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import msgspec
import pytest
from t2i.drawn import prompt_set

from counterbench.errors import InputError
from counterbench.t2i.prompts.files import export_prompts
from counterbench.t2i.prompts.prompt_set import PromptSet

ODD = ['com,ma "and" quotes', "Ω/β"]


@pytest.mark.parametrize("name", ["prompts.csv", "prompts.jsonl", "deep/PROMPTS.CSV"])
def test_id_and_text_of_every_prompt(tmp_path: Path, name: str) -> None:
    prompts = prompt_set(ODD)
    assert export_prompts(prompts, tmp_path / name) == list(prompts.prompts)
    with (tmp_path / name).open(encoding="utf-8", newline="") as file:
        found = list(map(json.loads, file)) if name.endswith("jsonl") else list(csv.DictReader(file))
    assert found == [{"id": prompt.id, "text": prompt.text} for prompt in prompts.prompts]


def test_a_limit_takes_whole_groups_and_an_older_list_is_written_over(tmp_path: Path) -> None:
    prompts = prompt_set(3)
    for kind in ("csv", "jsonl"):
        out = tmp_path / f"p.{kind}"
        export_prompts(prompts, out)
        assert [prompt.id for prompt in export_prompts(prompts, out, 1)] == ["g0/l1", "g0/l2", "g0/l3"]
        assert "g1" not in out.read_text()


@pytest.mark.parametrize(
    ("name", "there", "limit", "message"),
    [
        ("p.xlsx", None, None, r"--out must end in \.csv or \.jsonl"),
        ("p.csv", None, 0, "--limit must be at least 1, not 0"),
        ("p.csv", "prompt_id,text\nmine,1\n", None, "is there and is no list of prompts"),
        ("p.jsonl", '{"mine": 1}\n', None, "is there and is no list of prompts"),
    ],
)
def test_what_is_refused(tmp_path: Path, name: str, there: str | None, limit: int | None, message: str) -> None:
    if there is not None:
        (tmp_path / name).write_text(there)
    with pytest.raises(InputError, match=message):
        export_prompts(prompt_set(1), tmp_path / name, limit)
    assert not (tmp_path / name).exists() or (tmp_path / name).read_text() == there


def test_a_prompt_that_a_spreadsheet_would_run_is_a_text_in_csv_and_itself_in_json_lines(tmp_path: Path) -> None:
    words = ["=1+1", "@ball", "\tball", "a ball"]
    asked = PromptSet(
        "odd",
        ["l1"],
        [msgspec.structs.replace(p, text=word) for p, word in zip(prompt_set(4, ["l1"]).prompts, words, strict=True)],
    )
    for name in ("p.csv", "p.jsonl"):
        export_prompts(asked, tmp_path / name)
    with (tmp_path / "p.csv").open(newline="") as file:
        assert [row["text"] for row in csv.DictReader(file)] == ["'=1+1", "'@ball", "'\tball", "a ball"]
    assert [json.loads(line)["text"] for line in (tmp_path / "p.jsonl").read_text().splitlines()] == words
