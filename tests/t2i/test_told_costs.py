"""What the pages and the help say that a prompt set costs is what it costs."""

from __future__ import annotations

from pathlib import Path

import pytest
from commands import call

from counterbench.t2i.prompts.files import load_prompts

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["docs/pictures-made-elsewhere.md", "docs/t2i.md", "generate --help"])
def test_what_a_whole_set_costs_is_as_it_is_told(page: str) -> None:
    prompts = load_prompts("laws")
    pictures, calls = 4 * len(prompts.prompts), 4 * sum(len(prompt.checks) for prompt in prompts.prompts)
    assert sum(len(prompt.checks) for prompt in prompts.prompts[:3]) == 11
    assert "elsewhere" not in page or "eleven calls" in (ROOT / page).read_text()
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
