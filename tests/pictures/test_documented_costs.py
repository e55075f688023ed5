"""The costs of prompt sets that docs and help state are right."""

import subprocess
import sys
from pathlib import Path

import pytest
from commands import call
from pictures.carded import cards, judged
from pictures.pw_worlds import worlds

from counterbench.cli.work import say_state
from counterbench.prompts.files import load_prompts

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("page", ["docs/t2i.md", "generate --help"])
def test_the_documented_cost_of_a_whole_set_is_right(page: str) -> None:
    prompts = load_prompts("laws")
    drawn = {prompt.drawn_as: prompt for prompt in prompts.prompts}.values()  # the same words are drawn once
    pictures, calls = 4 * len(drawn), 4 * sum(len(prompt.checks) for prompt in drawn)
    small = prompts.prompts[:15]
    assert len({prompt.group for prompt in small}) == 5
    assert len({prompt.drawn_as for prompt in small}) == 15
    assert sum(len(prompt.checks) for prompt in small) == 105
    text = call("t2i", "generate", "--help").stdout if "help" in page else (ROOT / page).read_text()
    one_line = " ".join(text.split())
    for cost in (f"{pictures:,} pictures", f"{calls:,} calls"):
        assert cost in one_line, f"{page} says another cost of all laws (was one added?): write {cost}"
    assert [words for words in ("--limit 5 --samples 1", "15 pictures", "105 calls") if words not in one_line] == []


@pytest.mark.slow
def test_the_documented_scores_of_planted_models_are_right() -> None:
    printed = subprocess.run(
        [sys.executable, "benchmarks/planted_models.py"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert printed.stdout in (ROOT / "docs/t2i.md").read_text()


def test_remaining_questions_are_reported_with_follow_ups(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = cards(worlds(), tmp_path / "images")
    say_state(tmp_path / "run", "questions", judged(made, tmp_path / "run", max_calls=5))
    # Of each of three pictures: three states, two calls for awards, and contradictions.
    assert "run: 5 of 9 questions answered, 4 still to ask and, once they are answered, 18, 5 asked now" in (
        capsys.readouterr().out
    )
    say_state(tmp_path / "run", "questions", judged(made, tmp_path / "run"))
    assert "once they are answered" not in capsys.readouterr().out
