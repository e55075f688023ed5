"""A judge or a generator of the user's own, by its Python name; and what is said where there is none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from commands import call

from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.t2i.generators import open_generator
from counterbench.t2i.prompts.files import load_prompts

MODULE = """
from counterbench.judges import Reply
from counterbench.t2i.generators import Drawing

class Says:
    max_batch, max_in_flight = 4, 1
    def __init__(self, word="yes"):
        self.word, self.name = word, f"says?word={word}"
    async def answer(self, batch):
        return [Reply(text=self.word) for query in batch]
    async def close(self): ...

class Declines:
    name, max_batch, max_in_flight = "declines", 1, 1
    async def draw(self, batch):
        return [Drawing(refusal="no") for request in batch]
    async def close(self): ...

class Half:
    name, max_batch = "half", 1

def broken():
    raise OSError("no weights")
"""


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder with modules in it, in which the command is called."""
    monkeypatch.chdir(tmp_path)
    Path("made_here.py").write_text(MODULE)
    Path("wrong_here.py").write_text("import no_such_thing")


def test_a_judge_of_the_folder_is_asked_by_the_command_line() -> None:
    done = call("probe", "smoke", "--judge", "python:made_here:Says?word=no", "--out", "run", "--limit", 2)
    assert done.exit_code == 0, done.output
    assert json.loads(Path("run/run.json").read_text())["judge"] == "says?word=no"
    assert '"reply":"no"' in Path("run/journal.jsonl").read_text()


def test_a_generator_of_the_folder_draws() -> None:
    generator = open_generator("python:made_here:Declines", load_prompts("laws-few"))
    assert generator.name == "declines"
    with pytest.raises(InputError, match="python:made_here:Says is no generator: it has no draw"):
        open_generator("python:made_here:Says", load_prompts("laws-few"))


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("made_here", r"python:made_here is not python:MODULE:NAME, such as python:my_module:MyClass"),
        ("made_here:", r"python:made_here: is not python:MODULE:NAME"),
        (
            "absent_here:Says",
            r"absent_here cannot be imported: ModuleNotFoundError: .*call this from the folder of absent_here\.py",
        ),
        ("wrong_here:Says", r"wrong_here cannot be imported: ModuleNotFoundError: No module named 'no_such_thing'$"),
        ("made_here:Sais", r"unknown name 'Sais' \(did you mean 'Says'\?\); choose from: Declines, Half, Says, broken"),
        ("made_here:Says?wort=x", r"python:made_here:Says: it cannot be made: TypeError: .*'wort'"),
        ("made_here:broken", r"python:made_here:broken: it cannot be made: OSError: no weights"),
        ("made_here:Half", r"python:made_here:Half is no judge: it has no max_in_flight, answer, close"),
    ],
)
def test_what_cannot_be_made_is_said(rest: str, said: str) -> None:
    with pytest.raises(InputError, match=said):
        open_judge(f"python:{rest}", list)


def test_a_key_or_an_address_is_not_for_it() -> None:
    with pytest.raises(InputError, match="are for openai: judges, not for 'python:made_here:Says'"):
        open_judge("python:made_here:Says", list, key_env="KEY")
