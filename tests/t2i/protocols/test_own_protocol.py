"""The protocol of docs/extending/protocol.md, as its reader adds it: it conforms, and every command takes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from commands import call, done
from docs_files import ROOT, shown_files

from counterbench.t2i.generators.card import CardGenerator
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols import PROTOCOLS
from counterbench.t2i.protocols.asks import Replies
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.protocols.checklist import Checklist
from counterbench.testing import check_protocol

TABLE = """prompt,question,category
A red cube on a blue box.,Is there a red cube?,things
A red cube on a blue box.,Is the box blue?,things
Two cats.,Are there two cats?,animals
A dog.,Is there a dog?,animals
A dog.,Is it awake?,animals
"""

SHOWN = shown_files(ROOT / "docs" / "extending" / "protocol.md")
FILES = ("counterbench/t2i/protocols/all_right.py", "tests/t2i/protocols/test_all_right.py")


@pytest.fixture
def all_right(monkeypatch: pytest.MonkeyPatch) -> Protocol:
    of: dict[str, Any] = {}
    for name in FILES:
        exec(SHOWN[name], of)
    monkeypatch.setitem(PROTOCOLS, "all-right", found := of["AllRight"]())
    of["test_it_conforms"]()
    return cast("Protocol", found)


def test_it_judges_and_scores(all_right: Protocol, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text(TABLE)
    prompts, spec = load_prompts("mine.csv"), "card?rate=0.6"
    card = CardGenerator(spec, prompts)
    known = {of.id: [set(card.answers(of, k).values()) == {"yes"} for k in range(2)] for of in prompts.prompts}
    right = [truth for of in known.values() for truth in of]
    assert 0 < sum(right) < len(right)
    done("t2i", "generate", "mine.csv", "--generator", f"planted:{spec}", "--out", "im", "--samples", 2, "--name", "c")
    judge = ("--judge", "planted:oracle", "--uncertified", "--protocol", "all-right", "--out", "run")
    done("t2i", "judge", "im/c", *judge)
    assert "all-right on mine, default scoring" in done("t2i", "score", "run", "-v")
    found = json.loads(done("t2i", "score", "run", "--json"))["runs"][0]
    assert found["protocol"] == "all-right"
    assert found["columns"]["score"]["value"] == pytest.approx(sum(right) / len(right))
    assert found["slices"]["category"].keys() == {"animals", "things"}


class Rated(Checklist):
    """A protocol with one question of its own, whatever the prompts ask."""

    name = "rated"

    def fits(self, prompts: PromptSet) -> None: ...

    def checks(self, prompt: Prompt, said: Replies) -> Sequence[Check]:
        text = f'How well does the picture show "{prompt.text}"?'
        return (Check(id="shown", text=text, answer_type="rating:0-10", expected="10"),)


def test_a_protocol_that_makes_its_checks_itself_needs_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(PROTOCOLS, "rated", Rated())
    check_protocol(Rated())
    Path("mine.csv").write_text("prompt\nA red cube.\nTwo cats.\nA dog.\nA fish.\n")
    done("t2i", "generate", "mine.csv", "--generator", "planted:card?rate=0.75", "--out", "im", "--name", "c")
    judge = ("--judge", "planted:oracle", "--uncertified", "--protocol", "rated", "--out", "run")
    done("t2i", "judge", "im/c", *judge)
    assert len(Path("run/keys.jsonl").read_text().splitlines()) == 16  # one question a picture
    found = json.loads(done("t2i", "score", "run", "--json"))["runs"][0]
    assert found["columns"]["score"]["value"] == 0.75
    refused = call("t2i", "judge", "im/c", "--judge", "planted:oracle", "--uncertified", "--out", "other")
    assert (refused.exit_code, "'mine' has no questions" in refused.output) == (2, True)
