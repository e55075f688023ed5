"""A command that was given another thing than it takes says what that is, and which command takes it."""

from pathlib import Path

import pytest
from sweeping import swept

from counterbench.files.formats import instead


@pytest.fixture(autouse=True)
def folders(here: Path) -> None:
    kinds = ("pairs/suite.json", "run/run.json", "run/keys.jsonl", "t2i/run.json", "t2i/t2i.json")
    for file in (*kinds, "my images/images.json"):
        path = Path(file)
        path.parent.mkdir(exist_ok=True)
        path.touch()
    Path("other").mkdir()


@swept(
    ("given", "description"),
    [
        ("pairs", "; it is a folder of pairs: counterbench probe pairs --judge JUDGE"),
        ("run", "; it is a run about pairs: counterbench score run"),
        ("t2i", "; it is a run about generated pictures: counterbench score t2i"),
        ("my images", "; it is a folder of generated pictures: counterbench t2i judge 'my images' --judge JUDGE"),
        ("run/keys.jsonl", "; it is a file of a run about pairs: name the folder run"),
        (".", "; name one that it holds: 'my images', pairs, run and 1 more"),
        ("other", ""),
        ("nothing", ""),
    ],
)
def test_a_path_is_described_with_the_command_that_takes_it(given: str, description: str) -> None:
    assert instead(Path(given)) == description
