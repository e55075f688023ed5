"""What a command prints where its --out is an address is printed once all of it is there."""

from __future__ import annotations

import io
import signal
import sys

import pytest
import typer

from counterbench.cli.printing import held_back, say


def test_what_is_printed_waits_for_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    with held_back():
        say("done")
        assert out.getvalue() == ""
    assert out.getvalue() == "done\n"


@pytest.mark.parametrize(("note", "printed"), [("", "3 left\n"), ("not all is there", "")])
def test_with_an_exit_code_too_unless_something_was_lost(
    note: str, printed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    out, end = io.StringIO(), typer.Exit(3)
    if note:
        end.add_note(note)
    monkeypatch.setattr(sys, "stdout", out)

    def left() -> None:
        with held_back():
            say("3 left")
            raise end

    with pytest.raises(typer.Exit):
        left()
    assert out.getvalue() == printed


def test_a_notice_of_a_scheduler_is_taken_as_ctrl_c_and_then_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    from contextlib import ExitStack

    from counterbench.cli.places import at_hand
    from counterbench.files import copies

    monkeypatch.setattr(copies, "SETTLED", 0.0)
    before = signal.getsignal(signal.SIGTERM)

    def stopped() -> None:
        with ExitStack() as stack:
            at_hand({"out": "memory://noticed/run"}, "kept", stack)
            signal.raise_signal(signal.SIGTERM)

    with pytest.raises(KeyboardInterrupt):
        stopped()
    assert signal.getsignal(signal.SIGTERM) == before
