"""What others wrote, in all that commands print: no control reaches the terminal, nothing is markup, rows line up."""

import io
import json
import re
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call
from loopback import LoopbackServer, Say, Status, error
from planted_runs import edit_info, keys_of, read_journal, rewrite, write_run
from rich.cells import cell_len
from sweeping import swept
from typer.testing import Result

from counterbench.cli import grid, main, printing
from counterbench.files import formats

# What a terminal, a table or a reader of lines could take for something else; and what must stay as it is.
ACTS = "\x1b]0;pwned\x07\x1b[31m\x9b2J[/x][bold]:smile:\u202e\u200b\u2028\rhttp://[::1]:8000"
HOSTILE = f"né図👍{ACTS}\nnext: rm -rf ~"
SHOWN = r"né図👍\x1b]0;pwned\x07\x1b[31m\u009b2J[/x][bold]:smile:\u202e\u200b\u2028\rhttp://[::1]:8000\nnext: rm -rf ~"
HIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u2028-\u202e\ud800-\udfff]")


def harmless(result: Result) -> str:
    """The output, in which nothing acts and no line is forged."""
    assert not HIDDEN.search(result.output), ascii(result.output)
    assert [line for line in result.output.split("\n") if line.startswith("next: rm")] == []
    return result.output


def lines_up(output: str, title: str) -> None:
    """The first columns of a table end where its heading says, whatever stands in them."""
    table = output[output.index(title) :].split("\n")
    rule = next(line for line in table if line and set(line) <= {"─", " "})
    assert len({cell_len(line) for line in table[1 : table.index(rule) + 3]}) == 1


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two runs in which every free text is hostile."""
    found = []
    for name, judge in (("one", "planted:oracle"), ("two", "planted:sticky")):
        run = write_run(tmp_path_factory.mktemp("hostile") / f"{name}{ACTS.replace('/', '')}", judge, "smoke")
        edit_info(run, judge=judge + HOSTILE, suite=HOSTILE, template=HOSTILE, versions={HOSTILE: HOSTILE})
        known = [
            msgspec.structs.replace(k, id=k.id + HOSTILE, group=k.group + HOSTILE, family=k.family + ACTS,
                                    category=ACTS, skill=HOSTILE)
            for k in keys_of("smoke")
        ]  # fmt: skip
        formats.write_lines(run / "keys.jsonl", known)
        records = [
            msgspec.structs.replace(r, id=r.id + HOSTILE, model=f"{i % 2}{HOSTILE}", dropped=(HOSTILE,), finish=HOSTILE)
            for i, r in enumerate(read_journal(run))
        ]
        rewrite(run, records)
        edit_info(run)
        found.append(run)
    return found


@pytest.mark.parametrize("command", ["score", "compare", "diagnose", "certify", "verify", "probe"])
def test_commands_about_runs_print_hostile_names_harmlessly(runs: list[Path], command: str, tmp_path: Path) -> None:
    more = () if command in ("verify", "probe") else ("-v",)
    arguments = {"certify": [runs[0], "--out", tmp_path / "c.json"], "probe": [runs[0], "--judge", f"openai:{HOSTILE}"]}
    shown = harmless(call(*command.split(), *arguments.get(command, runs[:1] if command == "verify" else runs), *more))
    if command in ("score", "compare", "diagnose", "certify"):
        assert f"planted:oracle{SHOWN}" in shown
        assert re.search(r"^next: [a-z ,]*:? ?counterbench \w+ .*\$'(/|planted)", shown, re.MULTILINE)
    if command in ("score", "compare"):
        lines_up(shown, "CCS")


@pytest.mark.parametrize("command", ["score", "compare", "diagnose", "certify"])
def test_json_escapes_hostile_names_without_losing_them(runs: list[Path], command: str, tmp_path: Path) -> None:
    words = [runs[0], "--out", tmp_path / "c.json"] if command == "certify" else runs
    result = call(command, *words, "--json")
    harmless(result)
    assert f"planted:oracle{HOSTILE}" in texts(json.loads(result.stdout))
    assert "né図👍" in result.stdout


def texts(value: Any) -> set[str]:
    """Every text in a document."""
    if isinstance(value, dict):
        value = [*value, *value.values()]
    return set().union(*map(texts, value)) if isinstance(value, list) else {value} if isinstance(value, str) else set()


def test_a_server_cannot_write_to_the_terminal() -> None:
    with LoopbackServer(Say(model=HOSTILE)) as server:
        shown = harmless(call("probe", "smoke", "--judge", f"openai:{HOSTILE}", "--base-url", server.url, "--limit", 2))
        assert f"asking openai:{SHOWN}" in shown
        harmless(call("doctor", "--judge", "openai:m", "--base-url", server.url))
    with LoopbackServer(Status(401, error(HOSTILE, "x"))) as server:
        refused = call("probe", "smoke", "--judge", "openai:m", "--base-url", server.url, "--out", "again", code=2)
        assert "[/x][bold]:smile:" in harmless(refused)
        assert "what was answered before" not in refused.stderr


@pytest.fixture
def misused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., str]:
    """What is said of wrong usage, which ends with 2."""
    monkeypatch.setattr(warnings, "showwarning", None)

    def usage_error(*words: str) -> str:
        monkeypatch.setattr(sys, "argv", ["counterbench", *words])
        with pytest.raises(SystemExit) as left:
            main()
        assert left.value.code == 2
        return capsys.readouterr().err

    return usage_error


def test_usage_errors_and_warnings_do_no_harm(misused: Callable[..., str], capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["score", f"--{HOSTILE}"], ["generate", "smoke", HOSTILE, "--out", "x"], [HOSTILE]):
        message = misused(*words)
        assert "rm -rf" in message
        assert not HIDDEN.search(message)
        assert "\nnext:" not in message
    warnings.warn(HOSTILE, stacklevel=1)
    assert capsys.readouterr().err == f"warning: {SHOWN}\n"


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("scroe", "error: No such command 'scroe'. Did you mean 'score', 'probe'?\nhelp: counterbench --help\n"),
        ("score", "error: Missing argument 'RUN…'.\nhelp: counterbench score --help\n"),
        ("t2i judge x", "error: Missing option '--judge'.\nhelp: counterbench t2i judge --help\n"),
    ],
)
def test_a_usage_error_is_one_line_with_a_pointer_to_help(words: str, error: str, misused: Callable[..., str]) -> None:
    assert misused(*words.split()) == error


def test_progress_bars_and_tables_interpret_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    page = Terminal()
    monkeypatch.setattr(sys, "stderr", page)
    with printing.progress(f"asking {HOSTILE}") as report:
        report(1, 1, HOSTILE)
    assert SHOWN.split("[bold]")[0] in page.getvalue()
    monkeypatch.setattr(sys, "stdout", out := io.StringIO())
    rows = [(HOSTILE, grid.cell(HOSTILE, "red")), ("図", "x")]
    grid.show(grid.Table(f"title {HOSTILE}", [HOSTILE], [HOSTILE], rows=rows))
    title, heading, rule, *rows = out.getvalue().rstrip("\n").split("\n")
    assert title.strip() == f"title {SHOWN}"
    assert len({cell_len(line) for line in (heading, rule, *rows)}) == 1


def test_a_printed_command_can_be_pasted_into_a_shell() -> None:
    assert printing.command("score", Path("-v"), Path("my runs/$x"), "", 3) == "counterbench score ./-v 'my runs/$x' 3"


@swept(
    ("called", "found", "shown"),
    [
        ("bin/counterbench", "bin/counterbench", "counterbench"),
        ("bin/counterbench", "other/counterbench", f"{sys.executable} -m counterbench"),
        ("counterbench/__main__.py", sys.executable, f"{Path(sys.executable).name} -m counterbench"),
        ("counterbench/__main__.py", None, f"{sys.executable} -m counterbench"),
        ("bin/pytest", None, "counterbench"),
    ],
)
def test_a_printed_command_begins_with_an_executable_that_the_shell_finds(
    called: str, found: str | None, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/counterbench").touch()
    monkeypatch.setattr(sys, "argv", [str(tmp_path / called)])
    monkeypatch.setattr(printing.shutil, "which", lambda name: str(tmp_path / found) if found else None)
    assert printing._program.__wrapped__() == shown


@pytest.mark.parametrize("is_terminal", [True, False])
def test_lines_break_between_words_and_commands_do_not(is_terminal: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = io.StringIO()
    monkeypatch.setattr(terminal, "isatty", lambda: is_terminal)
    monkeypatch.setattr(sys, "stdout", terminal)
    monkeypatch.setenv("COLUMNS", "40")
    printing.say(f"counterbench 0.1 {'word ' * 20}end")
    printing.say_next(f"counterbench score {'x' * 60}")
    printing.say(f"(counterbench label RUN) {'word ' * 10}(counterbench label RUN)")
    printing.say("for a new bank, delete runs/mine and run: counterbench watch runs/mine --start")
    printing.say("all of it again: `counterbench score runs/mine` after that, if it is to be seen")
    lines = terminal.getvalue().splitlines()
    assert lines.pop(4) == f"next: counterbench score {'x' * 60}"
    assert max(map(len, lines)) <= 40
    text = "\n".join(lines)
    assert text.count("(counterbench label RUN)") == 2
    assert "\n  counterbench watch runs/mine --start\n" in text
    assert "`counterbench score runs/mine`" in text


def test_long_work_prints_its_duration(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """And revises it."""
    now = 0.0
    monkeypatch.setattr(printing.time, "monotonic", lambda: now)
    with printing.progress("asking") as report:
        report(20, 100)
        for now, done in ((30.0, 40), (400.0, 60), (401.0, 99), (402.0, 100)):  # noqa: B007
            report(done, 100)
    progress_lines = capsys.readouterr().err.splitlines()
    assert progress_lines == [
        "asking: 20/100",
        "asking: 40/100 (2 min left)",
        "asking: 60/100 (7 min left)",
        "asking: 99/100",
        "asking: 100/100",
    ]
