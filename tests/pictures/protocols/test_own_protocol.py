"""The protocol of docs/extending/protocol.md, as its reader adds it: it conforms, and every command takes it."""

import json
from pathlib import Path
from typing import Any, cast

import pytest
from commands import done
from docs_files import ROOT, shown_files

from counterbench.pictures.generators.card import CardGenerator
from counterbench.pictures.protocols import PROTOCOLS
from counterbench.pictures.protocols.base import Protocol
from counterbench.prompts.files import load_prompts

TABLE = """prompt,question,category
A red cube on a blue box.,Is there a red cube?,things
A red cube on a blue box.,Is the box blue?,things
Two cats.,Are there two cats?,animals
A dog.,Is there a dog?,animals
A dog.,Is it awake?,animals
"""

SHOWN = shown_files(ROOT / "docs" / "extending" / "protocol.md")
FILES = ("counterbench/pictures/protocols/all_right.py", "tests/pictures/protocols/test_all_right.py")


@pytest.fixture
def all_right(monkeypatch: pytest.MonkeyPatch) -> Protocol:
    namespace: dict[str, Any] = {}
    for name in FILES:
        exec(SHOWN[name], namespace)
    monkeypatch.setitem(PROTOCOLS, "all-right", found := namespace["AllRight"]())
    namespace["test_it_conforms"]()
    return cast("Protocol", found)


def test_own_protocols_judge_and_score(all_right: Protocol, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.csv").write_text(TABLE)
    prompts, spec = load_prompts("mine.csv"), "card?rate=0.6"
    card = CardGenerator(spec, prompts)
    known = {p.id: [set(card.answers(p, k).values()) == {"yes"} for k in range(2)] for p in prompts.prompts}
    right = [truth for truths in known.values() for truth in truths]
    assert 0 < sum(right) < len(right)
    done("t2i", "generate", "mine.csv", "--generator", f"planted:{spec}", "--out", "im", "--samples", 2, "--name", "c")
    judge = ("--judge", "planted:oracle", "--uncertified", "--protocol", "all-right", "--out", "run")
    done("t2i", "judge", "im/c", *judge)
    assert "all-right on mine, default scoring" in done("score", "run", "-v")
    found = json.loads(done("score", "run", "--json"))["runs"][0]
    assert found["protocol"] == "all-right"
    assert found["columns"]["score"]["value"] == pytest.approx(sum(right) / len(right))
    assert found["slices"]["category"].keys() == {"animals", "things"}
