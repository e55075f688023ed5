"""The pictures and the table of `examples/` are what its script draws."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
from PIL import Image, ImageChops

EXAMPLES = Path(__file__).parents[1] / "examples"


@pytest.fixture
def example_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that the script writes."""
    spec = importlib.util.spec_from_file_location("drawn_examples", EXAMPLES / "draw.py")
    assert spec is not None
    assert spec.loader is not None
    script: ModuleType = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    monkeypatch.setattr(script, "HERE", tmp_path)
    script.main()
    return tmp_path


def test_the_stored_examples_are_what_the_script_draws(example_folder: Path) -> None:
    assert (example_folder / "pictures.csv").read_text() == (EXAMPLES / "pictures.csv").read_text()
    files = sorted(path.relative_to(example_folder) for path in (example_folder / "pictures").rglob("*.png"))
    assert files == sorted(path.relative_to(EXAMPLES) for path in (EXAMPLES / "pictures").rglob("*.png"))
    assert len(files) == 24
    for file in files:
        stored, anew = (Image.open(folder / file).convert("RGB") for folder in (EXAMPLES, example_folder))
        assert ImageChops.difference(stored, anew).getbbox() is None, file
