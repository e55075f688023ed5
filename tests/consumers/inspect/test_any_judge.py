"""Every command with a judge through inspect_ai: its cells of the table in docs/any-judge.md."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from every_command import COMMANDS, Tried
from stub_models import SEES, served


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    """A model that reads pixels, in the shape of OpenAI's API."""
    with served() as url:
        yield url


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_does_with_a_model_of_inspect_what_the_page_says(
    command: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LOOP_API_KEY", "sk-nobody-0123456789")
    COMMANDS[command](Tried(f"inspect:openai-api/loop/{SEES}", ("--base-url", address)))
