"""The small models, built once."""

from pathlib import Path
from typing import Any

import pytest
from judges.local.asked_here import Build


@pytest.fixture(scope="session")
def build(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The folder of a small model: `build("llava", blind=True)`; each is built once."""
    import torch

    torch.set_num_threads(1)  # so small a model is only slowed down by more
    from small_vlm import build_small_vlm

    built: dict[str, Path] = {}

    def build(architecture: str = "llava", **options: Any) -> Path:
        name = "-".join([architecture, *(f"{key}{value}" for key, value in sorted(options.items()))])
        if name not in built:
            built[name] = build_small_vlm(tmp_path_factory.mktemp(name), architecture, **options)
        return built[name]

    return build
