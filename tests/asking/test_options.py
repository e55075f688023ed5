"""Each option is declared once: as a field that is an option of the command line and a parameter in Python."""

import dataclasses
import inspect
from pathlib import Path
from typing import Any

import pytest
import typer
from sweeping import swept

import counterbench as cb
from counterbench.asking.options import Calls, ProbeOptions
from counterbench.cli import app
from counterbench.errors import InputError
from counterbench.evidence.options import SwapOptions, ValidateOptions, WatchCall
from counterbench.pictures.options import AuditOptions, EvaluateOptions, JudgingOptions

CALLS: dict[str, tuple[type, Any]] = {
    "probe": (ProbeOptions, cb.probe),
    "validate": (ValidateOptions, cb.validate),
    "evaluate": (EvaluateOptions, cb.evaluate),
    "swap": (SwapOptions, cb.swap),
    "watch": (WatchCall, cb.watch),
    "t2i judge": (JudgingOptions, cb.t2i_judge),
    "t2i audit": (AuditOptions, None),
}


def find_command(words: str) -> Any:
    found: Any = typer.main.get_command(app)
    for word in words.split():
        found = found.commands[word]
    return found


@swept("words", CALLS)
def test_each_declared_option_is_one_of_the_command_line_with_its_default(words: str) -> None:
    shown = {parameter.name: parameter for parameter in find_command(words).params}
    fields = [*dataclasses.fields(CALLS[words][0]), *dataclasses.fields(Calls)]
    for field in fields:
        if flag := field.metadata.get("flag"):
            parameter = shown[field.name]
            assert (parameter.help, parameter.opts[0]) == (flag.help, f"--{field.name.replace('_', '-')}")
            assert parameter.default == field.default, field.name


@swept("words", [words for words, (_, function) in CALLS.items() if function])
def test_each_field_is_a_parameter_of_the_python_function(words: str) -> None:
    options, function = CALLS[words]
    assert [*inspect.signature(function).parameters] == [*inspect.signature(options).parameters]


def test_a_job_runs_stops_and_goes_on(tmp_path: Path) -> None:
    job = cb.Probe("smoke", "planted:oracle", tmp_path / "run", limit=4, limits=cb.Limits(max_calls=3))
    assert job.plan().calls == 8
    assert not next(job.askings()).complete
    assert job.run() is None
    assert job.plan().calls == 5
    whole = dataclasses.replace(job, limits=None)
    whole.run()
    assert whole.plan().calls == 0


def test_a_shard_spends_its_part_of_the_limits(tmp_path: Path) -> None:
    limits = cb.Limits(max_calls=5)
    for k, calls in enumerate((3, 2)):
        job = cb.Probe("smoke", "planted:oracle", tmp_path / str(k), limit=8, shard=f"{k}/2", limits=limits)
        job.run()
        assert job.plan().calls == 8 - calls
    with pytest.raises(InputError, match="--max-calls 5: 6 shards share it; give at least 6"):
        dataclasses.replace(job, shard="0/6").run()


@pytest.mark.slow
def test_the_result_of_a_job_is_its_conclusion(tmp_path: Path) -> None:
    job = cb.Validation("planted:oracle", "smoke", out=tmp_path / "run")
    assert job.run().certificate.judge == "planted:oracle"


@swept("job", [cb.Probe, cb.Validation, cb.Judging, cb.Audit, cb.Evaluation])
def test_no_option_has_the_name_of_a_jobs_method(job: Any) -> None:
    fields = {field.name for field in dataclasses.fields(job)}
    assert not fields & {"plan", "askings", "run", "conclude", "spending", "path"}
    assert [name for name in ("plan", "askings", "run", "conclude") if not callable(getattr(job, name))] == []
