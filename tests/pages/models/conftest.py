"""Runs about generated pictures that several tests look at."""

import json
from pathlib import Path

import msgspec
import pytest
from pictures.carded import cards, checklist, prompt
from pictures.carded import judged as judged_cards
from pictures.pictured import HOSTILE, judge
from pictures.preparing.authors import Author
from pictures.pw_worlds import worlds
from planted_runs import edit_info, read_journal, rewrite
from sharing import Shared

from counterbench.pages import write_report
from counterbench.prompts.prompt_set import Check
from counterbench.runs.queries import Query


@pytest.fixture(scope="session")
def models(shared: Shared) -> list[Path]:
    """Runs over the pictures of a model that is right at L1 and L2, and of one that is right by chance."""
    literal = shared("literal", lambda path: judge(path, "literal"))
    noisy = shared("noisy", lambda path: judge(path, "noisy?l1=0.9&l2=0.5&l3=0.5", "noisy?p=0.1", samples=2))
    return [literal / "run", noisy / "run"]


@pytest.fixture(scope="session")
def hostile_run(shared: Shared) -> Path:
    """A checklist whose prompts, checks, judge and replies try to run something; every second reply is cut short."""

    def make(path: Path) -> None:
        hostile_fields = {"dimension": HOSTILE, "skill": HOSTILE, "criteria": HOSTILE}
        checks = [Check(id=f"c{n}", text=f"{HOSTILE} {n}?", weight=n, **hostile_fields) for n in (1, 2)]
        prompts = checklist([prompt(group, *checks, category=HOSTILE) for group in ("a", "b")], name="odd")
        judged_cards(cards(prompts, path / "images"), path / "run")
        replies = (HOSTILE, "w" * 3000, "Yes", "no")
        records = read_journal(path / "run")
        rewrite(path / "run", [msgspec.structs.replace(r, reply=replies[n % 4]) for n, r in enumerate(records)])
        edit_info(path / "run", name=HOSTILE)

    return shared("hostile-models", make) / "run"


@pytest.fixture(scope="session")
def worlds_run(shared: Shared) -> Path:
    """PW-Agent's run over one picture that has all that it must, at a confidence of 0.9, and nothing beyond that."""

    def says(query: Query) -> str:
        if query.answer_type == "finding":
            return '{"answer": "yes", "evidence": "It is there.", "confidence": 0.9}'
        award = "foundation" if "foundation" in query.role else "excellence" if "excellence" in query.role else ""
        awards = {f"e{n}-{award}": int(award == "foundation") for n in (1, 2, 3)}
        sums = {"adherence_score": 10, "realism_score": 9, "nuance_score": 3}
        return "0" if query.answer_type == "integer" else json.dumps(awards if award else sums)

    def make(path: Path) -> None:
        judged_cards(cards(worlds(1), path / "images"), path / "run", Author(says, "judge"))

    return shared("worlds", make) / "run"


@pytest.fixture(scope="session")
def both(models: list[Path], shared: Shared) -> Path:
    """The report of both models."""

    def make(path: Path) -> None:
        path.mkdir(exist_ok=True)
        write_report(models, path / "report.html")

    return shared("both-models", make) / "report.html"
