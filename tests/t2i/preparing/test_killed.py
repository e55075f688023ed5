"""Killed before and after each of its writes, also within one: the same command again ends in the same file."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from loopback import Asked, LoopbackServer, Say
from t2i.preparing.authors import LIST
from t2i.pw_worlds import QUESTIONS, WRITTEN

ROOT = Path(__file__).parents[3]
KILLED = 9

# Imports once, then forks a run for each line on its standard input: a folder, and at which of its writes it dies, half
# of a record written (0: at none). Prints how it ended.
ZYGOTE = """
import os, sys
from pathlib import Path
import openai
import counterbench.judges.openai.failures
from counterbench.asking.asker import Limits
from counterbench.files import formats
from counterbench.judges import open_judge
from counterbench.runs.journal import Journal
from counterbench.t2i.preparing.prepare import prepare
from counterbench.t2i.preparing.writing import QuestionsOf
from counterbench.t2i.protocols import protocol
from t2i.preparing.authors import bare
from t2i.pw_worlds import bare as worlds

url, name = sys.argv[1:]
prompts = {"cf-eval": bare, "pw-agent": worlds}[name](1)
count = [0]

def moment(last):
    count[0] += 1
    if count[0] == last:
        os._exit(9)

def dying(last):
    replace, append = Path.replace, Journal.append

    def dying_replace(path, target):
        moment(last)
        found = replace(path, target)
        moment(last)
        return found

    def dying_append(journal, records):
        moment(last)
        count[0] += 1
        if count[0] == last:
            os.write(journal._file.fileno(), formats.encode(records[0])[:40])
            os._exit(9)
        append(journal, records)
        moment(last)

    Path.replace, Journal.append = dying_replace, dying_append

for line in sys.stdin:
    folder, last = line.split()
    child = os.fork()
    if not child:
        end = 1
        try:
            dying(int(last))
            author = open_judge("openai:writer", list, base_url=url)
            made = prepare(prompts, QuestionsOf(protocol(name)), author, Path(folder) / "asked.jsonl",
                           limits=Limits(concurrency=1))
            end = not made.progress.complete
        finally:
            os._exit(end)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
"""


def said(asked: Asked) -> str:
    """Of no use about one of the prompts, the first time."""
    if "cannot be used" in asked.text:
        return QUESTIONS if "The things are" in asked.text else LIST
    if "by l2" in asked.text or "pin" in asked.text:
        return "Hm."
    if "The things are" in asked.text:
        return QUESTIONS
    return WRITTEN if "picture of g0." in asked.text else LIST


@pytest.mark.parametrize(("name", "calls"), [("cf-eval", 4), ("pw-agent", 5)])
@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="fork is POSIX")
def test_killed_at_any_write_it_ends_in_the_same_file_and_asks_nothing_twice(
    tmp_path: Path, name: str, calls: int
) -> None:
    environment = os.environ | {"PYTHONPATH": f"{ROOT}{os.pathsep}{ROOT / 'tests'}"}
    with LoopbackServer(Say(said)) as server:
        zygote = subprocess.Popen(
            [sys.executable, "-c", ZYGOTE, server.url, name],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )
        assert zygote.stdin is not None
        assert zygote.stdout is not None

        def ends(folder: Path, write: int) -> int:
            assert zygote.stdin is not None
            assert zygote.stdout is not None
            folder.mkdir(exist_ok=True)
            zygote.stdin.write(f"{folder} {write}\n")
            return int(zygote.stdout.readline())

        try:
            assert ends(tmp_path / "whole", 0) == 0
            whole, write = (tmp_path / "whole" / "asked.jsonl").read_bytes(), 0
            while True:
                write += 1
                folder, before = tmp_path / str(write), len(server.log)
                if ends(folder, write) == 0:
                    break
                out = folder / "asked.jsonl"
                assert not out.exists() or out.read_bytes() == whole, "half a file"
                assert ends(folder, 0) == 0
                assert out.read_bytes() == whole
                asked = Counter(entry.asked.key for entry in server.log[before:])
                assert sum(asked.values()) <= calls + 1  # once more at most: what was on its way when it died
                journal = (folder / "asked.jsonl.author" / "journal.jsonl").read_bytes().splitlines()
                assert len({json.loads(line)["id"] for line in journal}) == len(journal) == calls
        finally:
            zygote.stdin.close()
            zygote.wait(timeout=20)
    assert write > 20
