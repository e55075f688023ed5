"""Money, calls and rates: by the server's own count, no line is crossed."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest
from judges.openai.dots import Dots, ask, assert_true, finals, records, said
from loopback import Asked, Edit, LoopbackServer, Respond, Say, Status, by_attempt, every

from counterbench.asking.probe import Limits
from counterbench.runs.usage import usage_of

SAY = Say(said, delay=0.01)
AT_ONCE = 16
# No price of these servers is known; what they say comes first.
SAID = "price_in=0"


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "run"


def charged(server: LoopbackServer) -> float:
    """What the server put into its replies."""
    total = 0.0
    for entry in server.questions:
        if isinstance(entry.respond, Say):
            total += entry.respond.cost or 0.0
        elif isinstance(entry.respond, Edit):
            total += entry.respond.of.cost or 0.0
    return total


# ---- money


@pytest.mark.parametrize(("line", "concurrency"), [(0.205, 1), (0.205, AT_ONCE), (0.01, AT_ONCE), (0.0149, AT_ONCE)])
def test_max_cost_is_never_crossed_and_is_made_use_of(line: float, concurrency: int, out: Path) -> None:
    with LoopbackServer(replace(SAY, cost=0.01)) as server:
        progress = ask(Dots(50), server, out, SAID, Limits(max_cost=line, concurrency=concurrency))
        assert charged(server) == pytest.approx(progress.cost)
        assert progress.cost <= line
        assert progress.cost > line - 0.01
    assert f"--max-cost {line} reached" in progress.stopped
    assert len(finals(out)) == progress.done == progress.calls


def test_max_cost_with_prices_that_the_user_gives(out: Path) -> None:
    """200 tokens in at 5, 2 out at 50 dollars a million: 0.0011 a call."""
    options = "price_in=5&price_out=50"
    with LoopbackServer(SAY) as server:
        progress = ask(Dots(50), server, out, options, Limits(max_cost=0.02, concurrency=AT_ONCE))
        assert len(server.questions) == 18
    assert progress.cost == pytest.approx(18 * 0.0011)
    assert {r.cost for r in records(out)} == {0.0011}
    assert usage_of(out).cost == pytest.approx(progress.cost)


def test_a_line_below_the_price_of_one_call_stops_after_that_call(out: Path) -> None:
    """What a call costs is known from the first: it is made alone."""
    with LoopbackServer(replace(SAY, cost=0.5)) as server:
        progress = ask(Dots(20), server, out, SAID, Limits(max_cost=0.1, concurrency=AT_ONCE))
        assert len(server.questions) == 1
    assert "0.5 spent" in progress.stopped


@pytest.mark.parametrize("options", ["price_in=0", "price_in=5"])
def test_a_line_that_cannot_be_kept_stops_the_run_and_says_so(options: str, out: Path) -> None:
    said_nothing = replace(SAY, usage=None)
    with LoopbackServer(said_nothing) as server:
        progress = ask(Dots(20), server, out, options, Limits(max_cost=1, concurrency=AT_ONCE))
        assert len(server.questions) == 1
    assert "--max-cost cannot be kept" in progress.stopped


def test_resuming_spends_anew_and_goes_on(out: Path) -> None:
    source = Dots(20)
    with LoopbackServer(replace(SAY, cost=0.01)) as server:
        limits = Limits(max_cost=0.155, concurrency=AT_ONCE)
        done = [ask(source, server, out, SAID, limits).done for _ in range(3)]
        assert max(server.asked_per_question().values()) == 1
    assert done == [15, 30, 40]
    assert_true(source, out)


def test_money_that_is_only_set_aside_ends_no_run(out: Path) -> None:
    """One call was dear, so much is set aside for each of those under way; there is plenty for all that is asked."""

    def script(asked: Asked) -> Respond:
        if asked.sequence == 1:
            return replace(SAY, cost=0.1)
        return Status(500) if asked.sequence == 5 else replace(SAY, cost=0.001, delay=0.1)

    with LoopbackServer(script) as server:
        progress = ask(Dots(10), server, out, SAID, Limits(max_cost=0.5, concurrency=AT_ONCE, backoff=0.01))
        assert charged(server) < 0.2
    assert progress.complete, progress


def test_what_a_malformed_reply_cost_is_counted(out: Path) -> None:
    """An upstream that fails after it was paid: choices are empty, usage.cost is there."""
    dear = Edit({"choices": []}, replace(SAY, cost=0.05))
    with LoopbackServer(by_attempt([dear, dear, replace(SAY, cost=0.05)])) as server:
        progress = ask(Dots(20), server, out, SAID, Limits(max_cost=0.4, concurrency=4, backoff=0.01))
        assert charged(server) <= 0.4 + 1e-9
    assert progress.cost == pytest.approx(charged(server))


# ---- calls


@pytest.mark.parametrize("concurrency", [1, AT_ONCE])
def test_max_calls_is_exact(concurrency: int, out: Path) -> None:
    with LoopbackServer(SAY) as server:
        progress = ask(Dots(50), server, out, limits=Limits(max_calls=37, concurrency=concurrency))
        assert len(server.questions) == progress.calls == 37
    assert progress.stopped == "--max-calls 37 reached"
    assert progress.done == 37


def test_max_calls_counts_every_attempt(out: Path) -> None:
    source = Dots(50)
    with LoopbackServer(every(3, Status(500), SAY)) as server:
        limits = Limits(max_calls=37, concurrency=AT_ONCE, backoff=0.005)
        progress = ask(source, server, out, SAID, limits)
        assert len(server.questions) == progress.calls == 37
        assert len(records(out)) == 37
        assert progress.stopped == "--max-calls 37 reached"
        assert progress.done == len(finals(out)) == 37 - sum(isinstance(e.respond, Status) for e in server.questions)
        # and again, to the end
        for _ in range(10):
            before = len(server.questions)
            progress = ask(source, server, out, SAID, limits)
            assert len(server.questions) - before <= 37
            if progress.complete:
                break
        assert progress.complete
    assert_true(source, out)


# ---- rates


def busiest(moments: list[float], window: float) -> int:
    """The most arrivals within any window."""
    return max(sum(start <= moment < start + window for moment in moments) for start in moments)


@pytest.mark.slow
def test_rpm_is_kept_retries_included(out: Path) -> None:
    """1,200 a minute are 20 a second, evenly."""
    with LoopbackServer(every(5, Status(500), SAY)) as server:
        began = time.monotonic()
        limits = Limits(rpm=1200, concurrency=AT_ONCE, backoff=0.005)
        assert ask(Dots(20), server, out, limits=limits).complete
        took = time.monotonic() - began
        moments = [e.asked.arrived for e in server.questions]
    calls = len(moments)
    assert calls > 40
    assert moments[-1] - moments[0] >= (calls - 1) / 20 - 0.15
    assert took < calls / 20 + 2  # and no slower than need be
    assert busiest(moments, 0.5) <= 10 + 3


@pytest.mark.slow
def test_tpm_is_kept(out: Path) -> None:
    """60,000 a minute are 1,000 a second: five calls of 202 tokens."""
    with LoopbackServer(replace(SAY, usage=(200, 2))) as server:
        assert ask(Dots(8), server, out, limits=Limits(tpm=60_000, concurrency=4)).complete
        moments = [e.asked.arrived for e in server.questions]
    used = [202 * (i + 1) for i in range(len(moments))]
    for moment, tokens in zip(moments[1:], used, strict=False):
        assert tokens <= (moment - moments[0]) * 1000 + 500, "faster than the limit"
    assert moments[-1] - moments[0] < 16 * 0.202 + 2  # the first four are taken to cost 500 each
