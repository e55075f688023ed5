"""Asking until decided, over real HTTP, killed with kill -9 at any moment: the same questions and certificate."""

from __future__ import annotations

import base64
import contextlib
import io
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from e2e.test_kill import environment, settle
from judges.openai.dots import finals, records
from loopback import Asked, LoopbackServer, Respond, Say
from PIL import Image

from counterbench.certificate import Certificate, certify
from counterbench.certificate.policies import load_policy
from counterbench.files import catalog
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.runs.folder import read_keys, read_run_info

KILLS, CONCURRENCY = 10, 6

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals and fork are POSIX"),
]

# Forks a run for each line on its standard input, and prints its process id and how it ended.
ZYGOTE = """
import os, sys
from pathlib import Path
import openai
import counterbench.judges.openai.failures
from counterbench.asking.probe import Limits, probe
from counterbench.certificate import UntilDecided
from counterbench.certificate.policies import load_policy
from counterbench.judges import open_judge
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

url, policy, concurrency = sys.argv[1], load_policy(sys.argv[2]), int(sys.argv[3])
suite = load_suite("smoke")

def run(out):
    growing = UntilDecided(SuiteSource(suite), policy, out)
    judge = open_judge("openai:m", growing.keys, base_url=url)
    limits = Limits(backoff=0.01, concurrency=concurrency)
    return probe(growing.source, judge, out, growing=growing, limits=limits)

for line in sys.stdin:
    child = os.fork()
    if not child:
        end = 9
        try:
            end = not run(Path(line.strip())).complete
        finally:
            os._exit(end)
    print(child, flush=True)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def sees(asked: Asked) -> Respond:
    """What is to be seen; of every sixth question something else, always the same."""
    if int(asked.key, 16) % 6 == 0:
        return Say("no")
    picture = Image.open(io.BytesIO(base64.b64decode(asked.images[-1].partition(",")[2])))
    try:
        return Say(read_answer(picture, asked.texts[-1]), delay=0.002)
    except CannotRead as error:
        return Say(error.plain)


def told(run: Path, policy: str) -> Certificate:
    """Its certificate, but for when and in which order the replies came."""
    found = certify(run, load_policy(policy))
    return msgspec.structs.replace(found, journal_digest="", asked_from="", asked_until="", time="", digest="")


def test_kill_9_at_any_moment_asks_the_same_questions_and_none_twice(tmp_path: Path) -> None:
    chance = random.Random(5)
    shipped = catalog.find("probes/policies", "policy", "exploratory").read_text()
    policy = tmp_path / "quick.toml"
    quick = shipped.replace('"exploratory"', '"quick"').replace("= 0.70", "= 0.50").replace("most = 150", "most = 24")
    policy.write_text(quick.replace("alpha = 0.05", "alpha = 0.2"))
    whole, out = tmp_path / "whole", tmp_path / "killed"
    with LoopbackServer(sees) as server:
        command = [sys.executable, "-c", ZYGOTE, server.url, str(policy), str(CONCURRENCY)]
        zygote = subprocess.Popen(
            command, env=environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        assert zygote.stdin is not None
        assert zygote.stdout is not None

        def begin(run: Path) -> int:
            assert zygote.stdin is not None
            assert zygote.stdout is not None
            zygote.stdin.write(f"{run}\n")
            return int(zygote.stdout.readline())

        try:
            begin(whole)
            assert int(zygote.stdout.readline()) == 0
            once = server.asked_per_question()
            assert set(once.values()) == {1}
            grown = {0}  # how many keys there were at a kill
            answered: set[str] = set()
            for kill in range(KILLS):
                before = len(server.log)
                child = begin(out)
                # Some die as they begin or as the run grows, with nothing in flight; others after so many questions.
                if kill % 3:
                    server.wait_for(before + chance.randint(1, len(once) // 6))
                time.sleep(chance.uniform(0, 0.02 if kill % 3 else 0.4))
                with contextlib.suppress(ProcessLookupError):  # it may have come to its end
                    os.kill(child, signal.SIGKILL)
                assert int(zygote.stdout.readline()) in (-signal.SIGKILL, 0)
                settle(server)
                asked = Counter(entry.asked.key for entry in server.log[before:])
                assert max(asked.values(), default=1) == 1
                final = {record.asked for record in finals(out).values()} if (out / "journal.jsonl").exists() else set()
                assert answered <= final, "a reply was lost"
                answered = final
                grown.add(len(list(read_keys(out))) if (out / "keys.jsonl").exists() else 0)
            begin(out)
            assert int(zygote.stdout.readline()) == 0
        finally:
            zygote.stdin.close()
            zygote.wait(timeout=20)
    assert len(grown) > 2, "the kills do not cover how the run grows"
    assert (out / "keys.jsonl").read_bytes() == (whole / "keys.jsonl").read_bytes()
    assert read_run_info(out) == read_run_info(whole)
    assert set(finals(out)) == set(finals(whole)) == {key.id for key in read_keys(whole)}
    assert Counter(record.id for record in records(out) if record.final) == dict.fromkeys(finals(whole), 1)
    assert told(out, str(policy)) == told(whole, str(policy))
    # What was in flight when it was killed is asked once more, and nothing else is.
    twice = server.asked_per_question()
    assert twice.keys() == once.keys()
    assert sum(count - 2 for count in twice.values() if count > 2) <= KILLS * CONCURRENCY
