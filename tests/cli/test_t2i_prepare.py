"""`t2i prepare` on the command line: what it says, its exit codes, and that its file goes on to be judged."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from commands import call, document, done
from loopback import Asked, LoopbackServer, Respond, Say
from pictures.preparing.authors import LIST

PROMPTS = """id,level,prompt
ball,l1,A ball over the floor. Draw where it comes to lie.
ball,l2,Balls rise here. Draw this one touching the ceiling.
ball,l3,Balls rise here. Draw where this one comes to lie.
cup,l1,A cup of hot tea. Draw it.
"""


def author(request: Asked) -> Respond:
    """No list about the cup, ever; else a good list."""
    return Say("Tea." if "cup" in request.text else f"```json\n{LIST}\n```", usage=(600, 300))


@pytest.fixture
def url() -> Iterator[str]:
    Path("mine.csv").write_text(PROMPTS)
    with LoopbackServer(author) as server:
        yield server.url


def prepare(
    url: str, *more: object, prompts: str = "mine.csv", code: int = 0, out: str = "asked.jsonl", price: str = ""
) -> Any:
    author = f"openai:writer?base_url={url}{price}"
    return call("t2i", "prepare", prompts, "--author", author, "--out", out, *more, code=code)


def test_prepare_states_its_calls_first_and_names_prompts_without_questions(url: str) -> None:
    result = prepare(url, "--protocol", "cf-eval", price="&price_in=1&price_out=2")
    begin, *_ = result.stderr.splitlines()
    assert begin.startswith("calls to openai:writer")
    assert begin.endswith(" to write questions: 4, and one more for each unusable reply")
    first, lost, why, spent, then = result.stdout.splitlines()
    assert first.startswith("asked.jsonl: questions for 3 of 4 prompts; digest ")
    assert lost == "malformed, so no questions for: cup/l1"
    assert why == "such as cup/l1: it has no such JSON list"
    assert spent.startswith("spent: 0.00600 USD")
    assert then == "next: counterbench t2i generate asked.jsonl --generator planted:card --out images"


def test_a_prepared_file_can_be_drawn_judged_and_scored(url: str) -> None:
    prepare(url, "--protocol", "cf-eval")
    for line in (
        ("generate", "asked.jsonl", "--generator", "planted:card?l2=0", "--name", "cards", "--samples", 1,
         "--out", "images"),
        ("judge", "images/cards", "--prompts", "asked.jsonl", "--judge", "planted:oracle",
         "--uncertified", "--out", "run"),
    ):  # fmt: skip
        done("t2i", *line)
    (run,) = document("score", "run")["runs"]
    assert run["protocol"] == "cf-eval"
    assert [run["columns"][name]["value"] for name in ("s_l1", "s_l2", "s_l3")] == [1, 0, 1]


def test_prepare_json_has_the_same_counts(url: str) -> None:
    found = json.loads(prepare(url, "--protocol", "cf-eval", "--json").stdout)
    assert (found["file"], found["run"], found["complete"]) == ("asked.jsonl", "asked.jsonl.author", True)
    assert (found["prompts"], found["checks"], found["kept"]) == (4, 9, 0)
    assert found["without"] == {"malformed": ["cup/l1"]}
    assert found["progress"]["calls"] == 5
    assert len(found["digest"]) == 32


def test_prepare_stopped_by_a_limit_exits_with_3_and_resumes(url: str) -> None:
    stopped = prepare(url, "--protocol", "cf-eval", "--max-calls", 2, code=3)
    assert "asked.jsonl is not written yet" in stopped.stdout
    assert "next: run the same command again: it resumes, with up to 2 more calls" in stopped.stdout
    assert not Path("asked.jsonl").exists()
    assert json.loads(prepare(url, "--protocol", "cf-eval", "--json").stdout)["progress"]["calls"] == 3


def test_prompts_with_questions_are_not_asked_about(url: str) -> None:
    Path("mine.csv").write_text("\n".join([*PROMPTS.splitlines()[:4], ""]))
    prepare(url, "--protocol", "cf-eval")
    again = prepare(url, prompts="asked.jsonl", out="again.jsonl")
    assert again.stderr.startswith("nothing to ask openai:writer")
    assert ": each prompt has questions" in again.stderr.splitlines()[0]
    assert again.stdout.startswith("again.jsonl: 3 prompts kept as they were; digest ")
