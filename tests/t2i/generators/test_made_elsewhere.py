"""The page on pictures made elsewhere, run as it is written: its trees and mapping are made, its commands work."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from commands import call
from docs_files import make_examples
from loopback import LoopbackServer, Say

from counterbench.t2i.images.manifest import read_manifest
from counterbench.t2i.prompts.files import load_prompts

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "pictures-made-elsewhere.md"


@pytest.mark.slow
def test_every_command_of_the_page_works_on_the_files_that_it_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_examples(PAGE, tmp_path)
    monkeypatch.chdir(tmp_path)
    with LoopbackServer(Say("yes")) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
        commands = re.findall(r"^    counterbench (.*)$", PAGE.read_text(), re.MULTILINE)
        assert len(commands) == 10
        for words in commands:
            result = call(*shlex.split(words.replace("$JUDGE", "openai:judge")))
            assert result.exit_code == 0, f"{words}\n{result.output}"
            assert "not used" not in result.output
            assert "ambiguous" not in result.output
        assert len(server.questions) == 11  # as the page says
    found = {folder.name: read_manifest(folder).counts for folder in Path("images").iterdir()}
    assert found == {
        "folder-drawn": {"ok": 3},
        "folder-by-path": {"ok": 3},
        "folder-cf-world-layout=cf-world": {"ok": 3},
        "folder-geneval-layout=geneval": {"ok": 4},
        "folder-corebench-layout=corebench": {"ok": 4},
    }


@pytest.mark.parametrize("page", ["docs/pictures-made-elsewhere.md", "docs/t2i.md", "generate --help"])
def test_what_a_whole_set_costs_is_as_it_is_told(page: str) -> None:
    prompts = load_prompts("laws")
    pictures, calls = 4 * len(prompts.prompts), 4 * sum(len(prompt.checks) for prompt in prompts.prompts)
    small = prompts.prompts[:15]
    assert len({prompt.group for prompt in small}) == 5
    assert sum(len(prompt.checks) for prompt in small) == 55
    text = call("t2i", "generate", "--help").stdout if "help" in page else (ROOT / page).read_text()
    said = " ".join(text.split())
    assert f"{pictures:,} pictures" in said
    assert f"{calls:,} calls" in said
    assert page.startswith("docs/p") or all(
        words in said for words in ("--limit 5 --samples 1", "15 pictures", "55 calls")
    )
