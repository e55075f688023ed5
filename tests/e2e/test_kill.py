"""Killed, interrupted, out of disk: what was answered is kept, and is never asked again."""

import functools
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from commands import done
from judges.openai.dots import Dots, assert_true, echo, finals, keys_by_id, records
from loopback import LoopbackServer, Say, Stall, Status, after
from processes import started, until

GOOD = Say(echo)
KILLS, PAIRS, CONCURRENCY = 15, 200, 8

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="signals and fork are POSIX")]


# Imports and draws once, then forks a run for each line on its standard input, and prints its process id and its end.
ZYGOTE = """
import os, sys
from pathlib import Path
import openai
import counterbench.judges.openai.failures
from judges.openai.dots import Dots, ask
from counterbench.runs.pair_queries import queries
from counterbench.errors import InputError
from counterbench.runs.folder import Journal
from counterbench.asking.asker import Limits

url, out, pairs, concurrency = sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
source = Dots(pairs)
for query in queries(source):
    query.digest
for line in sys.stdin:
    child = os.fork()
    if not child:
        end = 9
        try:
            end = not ask(source, url, out, limits=Limits(backoff=0.01, concurrency=concurrency)).complete
        finally:
            os._exit(end)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def settle(server: LoopbackServer) -> None:
    """Wait until the server has read what the dead sent last, and has noticed the end of all that was in flight."""
    entries, since = -1, 0.0

    def settled() -> bool:
        nonlocal entries, since
        if len(server.log) != entries:
            entries, since = len(server.log), time.monotonic()
        return time.monotonic() - since > 0.1 and all(entry.ended for entry in server.log[-99:])

    until(settled, 10)


def test_a_run_killed_at_any_moment_loses_nothing_and_asks_nothing_twice(out: Path) -> None:
    chance = random.Random(20261121)
    source = Dots(PAIRS)
    keys = keys_by_id(source)
    everything = set(keys.values())
    assert len(everything) == 2 * PAIRS
    with LoopbackServer(replace(GOOD, delay=0.004)) as server:
        answered: set[str] = set()  # by a final record at the last kill
        twice_allowed: Counter[str] = Counter()
        working = 0
        with started("-c", ZYGOTE, server.url, out, PAIRS, CONCURRENCY, stderr=None, bufsize=1) as zygote:
            for kill in range(KILLS):
                before = len(server.log)
                zygote.stdin.write("run\n")
                child = int(zygote.stdout.readline())
                # One in five dies somewhere in its first quarter of a second, before, in or after its first questions;
                # the others after so many questions.
                if kill % 5 == 0:
                    time.sleep(chance.uniform(0, 0.25))
                else:
                    server.wait_for(before + chance.randint(1, 30))
                    time.sleep(chance.uniform(0, 0.008))
                os.kill(child, signal.SIGKILL)
                assert int(zygote.stdout.readline()) == -signal.SIGKILL, "the run ended before it was killed"
                settle(server)
                times_asked = Counter(entry.asked.key for entry in server.log[before:])
                assert not answered & times_asked.keys(), "a question with a final record was asked again"
                assert max(times_asked.values(), default=1) == 1
                final = {keys[id] for id in finals(out)} if (out / "journal.jsonl").exists() else set()
                assert answered <= final, "a final record was lost"
                answered = final
                in_flight = times_asked.keys() - final
                assert len(in_flight) <= CONCURRENCY
                twice_allowed.update(in_flight)
                working += bool(times_asked)
            before = len(server.log)
            zygote.stdin.write("run\n")
            zygote.stdout.readline()
            assert int(zygote.stdout.readline()) == 0
        last = Counter(entry.asked.key for entry in server.log[before:])
        assert last == dict.fromkeys(everything - answered, 1)
        for key, count in server.asked_per_question().items():
            assert count <= 1 + twice_allowed[key]
        assert working >= 12, "most of the runs died before they asked anything"
        assert 60 < len(answered) < 2 * PAIRS, f"the kills do not cover the run: {len(answered)} were answered by then"
    assert set(finals(out)) == set(keys)
    assert len(records(out)) == 2 * PAIRS
    assert_true(source, out)


def probe_words(server: LoopbackServer, out: Path, *more: str) -> list[object]:
    return ["probe", "smoke", "--judge", "openai:m", "--base-url", server.url, "--out", out, *more]


def resume(server: LoopbackServer, out: Path, *more: str) -> None:
    """The same command again, to its end; in this process, which costs less."""
    done(*probe_words(server, out, *more))


YES = Say("The answer is yes, 2, red circle.")
INTERRUPTED = {
    "while the server stalls": after(6, Stall(), YES),
    "while the server wants to be left alone": after(6, Status(429, headers={"retry-after": "120"}), YES),
}


@pytest.mark.parametrize("when", INTERRUPTED)
def test_ctrl_c_ends_a_run_soon_and_says_how_to_resume(when: str, out: Path) -> None:
    with LoopbackServer(INTERRUPTED[when]) as server:
        with started("-m", "counterbench", *probe_words(server, out, "--concurrency", "4")) as process:
            server.wait_for(7 if "left alone" in when else 10)
            time.sleep(0.2)
            assert process.poll() is None
            process.send_signal(signal.SIGINT)
            stdout, stderr = process.communicate(timeout=20)
        assert process.returncode == 130, stderr
        assert "Traceback" not in stderr
        assert stderr.splitlines()[-1] == "stopped; nothing is lost: run the same command again to resume"
        assert "complete" not in stdout
        settle(server)
        kept = finals(out)
        assert len(kept) >= 6
        # What was journalled is not asked again; what the same command asks is the rest.
        before = len(server.log)
        server.script = lambda request: YES
        resume(server, out, "--concurrency", "4")
        answered = len({record.id for record in records(out)})
        assert len(finals(out)) == answered
        assert len(server.log) - before == answered - len(kept)
        assert [(id, record) for id, record in kept.items() if finals(out)[id].time != record.time] == []


def test_a_full_disk_is_one_clear_error_and_the_run_resumes(out: Path) -> None:
    """Full in the middle of the journal."""
    wordy = Say("The answer is yes, 2, red circle." + " So it is, I think." * 200)
    with LoopbackServer(wordy) as server:
        limit = functools.partial(resource.setrlimit, resource.RLIMIT_FSIZE, (40_000, 40_000))
        with started("-m", "counterbench", *probe_words(server, out), preexec_fn=limit) as full:
            _, stderr = full.communicate(timeout=60)
        assert full.returncode == 2, stderr
        assert "Traceback" not in stderr
        errors = [line for line in stderr.splitlines() if line.startswith("error: ")]
        assert len(errors) == 1
        assert str(out) in errors[0]
        assert "File too large" in errors[0]
        kept = finals(out)
        assert kept
        before = len(server.log)
        resume(server, out)
        assert len(finals(out)) == len(server.log) - before + len(kept)
        assert [(id, record) for id, record in kept.items() if finals(out)[id].time != record.time] == []
