"""The shipped prompt sets, read once."""

import pytest

from counterbench.prompts.files import load_prompts, names
from counterbench.prompts.prompt_set import PromptSet


@pytest.fixture(scope="session")
def shipped() -> dict[str, PromptSet]:
    return {name: load_prompts(name) for name in names()}
