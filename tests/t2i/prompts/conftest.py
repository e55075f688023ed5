"""The shipped prompt sets, read once."""

import pytest

from counterbench.t2i.prompts.files import load_prompts, names
from counterbench.t2i.prompts.prompt_set import PromptSet


@pytest.fixture(scope="session")
def shipped() -> dict[str, PromptSet]:
    return {name: load_prompts(name) for name in names()}
