"""What is observed beside the answers: counted by hand, said in words, and the same while a run is scored."""

from pathlib import Path
from typing import Any

import pytest
from asked import probe
from asking.fakes import Scripted, record
from hypothesis import given
from hypothesis import strategies as st
from planted_runs import write_run
from typer.testing import CliRunner

import counterbench as cb
from counterbench.answers.outcomes import Failed
from counterbench.cli import app
from counterbench.cli.tables import cost_lines, observation_lines
from counterbench.judges.base import Reply
from counterbench.runs.folder import Record
from counterbench.runs.usage import Usage, UsageCounter, usage_of
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

NOWHERE = Path("/nowhere")


def counted_usage(*records: Record, path: Path = NOWHERE) -> Usage:
    observer = UsageCounter()
    assert list(observer.watch(records)) == list(records)
    return observer.observations(path)


NOTHING = counted_usage()


def test_each_kind_of_failure_shows_its_first_example_on_one_line(tmp_path: Path) -> None:
    found = counted_usage(
        record(failure=Failed("malformed", "no choices\nin  {}")),
        record(failure=Failed("malformed", "another")),
        record(failure="timeout"),
        record(reply="Well. " * 1000, outcome="unparsed"),
        record(reply="I can't help with that.", outcome="refused"),
        record(),
        path=write_run(tmp_path / "run", "planted:oracle", "smoke", 1),
    )
    assert list(found.examples) == ["malformed", "timeout", "unparsed", "refused"]
    assert found.examples["malformed"] == "no choices in {}"
    assert len(found.examples["unparsed"]) <= 160
    lines = observation_lines("m", found)
    assert lines[0] == "m: 3 of 6 tries failed: 2 malformed, 1 timeout"
    assert lines[1] == "m: malformed, such as: no choices in {}"
    assert lines[2].startswith("m: 1 of 3 replies could not be read as an answer (unparsed), such as: Well. Well. ")
    assert lines[3:] == ["m: 1 of 3 replies declined (refused), such as: I can't help with that. (q)"]


SAID = {"spatial-000000/original": "red", "spatial-000000/intervened": "I cannot view images."}


def test_an_unparsed_reply_is_shown_with_question_and_reason(tmp_path: Path) -> None:
    source = SuiteSource(load_suite("smoke"), 1)
    probe(source, Scripted(lambda id, times: Reply(text=SAID[id])), tmp_path / "run")
    found = usage_of(tmp_path / "run")
    assert found.examples == {
        "unparsed": "red (spatial-000000/original: no answer in the reply)",
        "refused": "I cannot view images. (spatial-000000/intervened: cannot view images)",
    }
    assert cb.score(tmp_path / "run").observed == found
    output = CliRunner().invoke(app, ["score", str(tmp_path / "run")]).stdout
    assert "1 of 2 replies could not be read as an answer (unparsed), such as: red (spatial-000000/original: " in output
    path = tmp_path / "run" / "journal.jsonl"
    path.write_text(path.read_text().replace('"reply":"red"', '"reply":"Yes"'))
    assert usage_of(tmp_path / "run").examples["unparsed"] == "Yes (spatial-000000/original: an answer by now)"


def test_usage_equals_counts_by_hand(tmp_path: Path) -> None:
    found = counted_usage(
        record(failure="http-429"),
        record(failure="http-429"),
        record(failure="timeout", tokens_in=3),
        record(model="a", finish="stop", tokens_in=10, tokens_out=2, cost=0.25, mode="generate"),
        record(model="b", finish="length", tokens_in=20, cost=0.5, outcome="unparsed", dropped=("seed",)),
        record(model="b", finish="stop", mode="choice", dropped=("seed", "logprobs")),
        record(outcome="refused"),
        path=write_run(tmp_path / "run", "planted:oracle", "smoke", 1),
    )
    assert found.attempts == 7
    assert found.outcomes == {"failed": 3, "answer": 2, "unparsed": 1, "refused": 1}
    assert found.failed_attempts == {"http-429": 2, "timeout": 1}
    assert found.models == {"b": 2, "a": 1}
    assert found.finishes == {"stop": 2, "length": 1}
    assert found.modes == {"generate": 1, "choice": 1}
    assert found.dropped == ["logprobs", "seed"]
    assert (found.tokens_in, found.tokens_out, found.cost) == (33, 2, 0.75)


RECORDS = st.builds(
    record,
    failure=st.sampled_from(["", "", "timeout", "http-500"]),
    model=st.sampled_from(["", "a", "b"]),
    finish=st.sampled_from(["", "stop", "length"]),
    tokens_in=st.none() | st.integers(0, 2**70),
    cost=st.none() | st.just(0.0) | st.floats(0, 10),
)


@given(st.lists(RECORDS, max_size=30))
def test_every_record_is_counted_once(records: list[Record]) -> None:
    found = counted_usage(*records)
    assert found.attempts == len(records) == sum(found.outcomes.values())
    assert sum(found.failed_attempts.values()) == sum(not r.final for r in records)
    assert sum(found.models.values()) == sum(r.final and bool(r.model) for r in records)
    for name in ("tokens_in", "cost"):  # what costs nothing is known to, and what is not known is not nothing
        known = [value for r in records if (value := getattr(r, name)) is not None]
        assert getattr(found, name) == (pytest.approx(sum(known)) if known else None)
    observation_lines("m", found)  # whatever was seen can be said


def line(**fields: Any) -> str:
    found = Usage(**({name: getattr(NOTHING, name) for name in NOTHING.__struct_fields__} | fields))
    (text,) = [*observation_lines("judge", found), *cost_lines("judge", found)]
    return text


def test_observations_that_affect_numbers_are_reported() -> None:
    assert line(models={"a-1": 7, "a-2": 3}) == (
        "judge: THE MODEL CHANGED within the run; the server answered as a-1 (7 replies), a-2 (3 replies)"
    )
    assert line(finishes={"length": 2}) == "judge: 2 replies were cut off at the length limit; raise max_tokens"
    assert (
        line(dropped=["seed", "temperature"]) == "judge: the server refused seed, temperature; requests leave them out"
    )
    assert line(cost=1.5, tokens_in=100, tokens_out=7) == "judge: cost 1.50 USD (100 tokens in, 7 out)"
    reasoned = line(cost=1.5, tokens_in=100, tokens_out=7, tokens_reasoning=5)
    assert reasoned.endswith("(100 tokens in, 7 out, 5 of them for reasoning)")
