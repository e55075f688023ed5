"""Asking, for speed: `probe` beside a plain script over the same SDK, on a loopback server with a fixed latency.

    python benchmarks/runner.py                  1,100 questions, 200 ms, 64 at once: plain asyncio.gather, then probe
    python benchmarks/runner.py --inspect-ai     … and the same work through inspect-ai, installed for it

Aim: probe takes at most 0.97 of the plain script's time, and no more CPU. Every measurement is a process of its own,
the contenders take turns, and medians are printed.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import importlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from measuring import TESTS, answer_as_child, child, measured, middle

MODEL = "loopback"


def prepare(folder: str, limit: str) -> dict[str, Any]:
    """Draw the suite, and write down its questions as a script would have them: texts and files."""
    from counterbench.runs.pair_queries import queries
    from counterbench.runs.queries import load_template
    from counterbench.scene.pairs import ROLES
    from counterbench.suites import generation
    from counterbench.suites.folder import Folder
    from counterbench.suites.sources import FolderSource
    from counterbench.suites.suite import load_suite

    pairs = Path(folder) / "pairs"
    generation.generate(load_suite("counterbench-550"), pairs, workers=2, limit=int(limit))
    source, template = FolderSource(Folder(pairs)), load_template()
    files = (source.folder.picture(pair, role) for pair in source for role in ROLES)
    count = 0
    with (Path(folder) / "questions.jsonl").open("w") as file:
        for query, picture in zip(queries(source), files, strict=True):
            dressed = template.dress(query)
            line = {"id": dressed.id, "text": dressed.text, "system": dressed.system, "picture": str(picture)}
            file.write(json.dumps(line) + "\n")
            count += 1
    return {"questions": count}


def read_questions(folder: str) -> list[dict[str, str]]:
    return [json.loads(line) for line in (Path(folder) / "questions.jsonl").read_text().splitlines()]


def plain(url: str, folder: str, concurrency: str) -> dict[str, Any]:
    """What one would write without counterbench: gather over the SDK behind a semaphore."""
    from openai import AsyncOpenAI

    async def texts() -> list[str | None]:
        gate = asyncio.Semaphore(int(concurrency))
        async with AsyncOpenAI(base_url=url) as client:

            async def ask(question: dict[str, str]) -> str | None:
                async with gate:
                    picture = base64.b64encode(Path(question["picture"]).read_bytes()).decode()
                    content: Any = [
                        {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}"}},
                        {"type": "text", "text": question["text"]},
                    ]
                    messages: list[Any] = [{"role": "user", "content": content}]
                    if question["system"]:
                        messages.insert(0, {"role": "system", "content": question["system"]})
                    reply = await client.chat.completions.create(model=MODEL, messages=messages, temperature=0, seed=0)
                    return reply.choices[0].message.content

            return await asyncio.gather(*(ask(question) for question in read_questions(folder)))

    return measured(lambda: sum(text is not None for text in asyncio.run(texts())))


def ours(url: str, folder: str, concurrency: str) -> dict[str, Any]:
    """`probe` with the judge openai:MODEL: everything that a run does, its journal included."""
    from counterbench.asking.asker import Limits
    from counterbench.asking.asking import Asking
    from counterbench.judges import open_judge
    from counterbench.runs.pair_queries import PairQuestions, keys
    from counterbench.suites.folder import Folder
    from counterbench.suites.sources import FolderSource

    source = FolderSource(Folder(Path(folder) / "pairs"))
    judge = open_judge(f"openai:{MODEL}", lambda: keys(source), base_url=url)
    with tempfile.TemporaryDirectory(dir=folder) as out:
        limits = Limits(concurrency=int(concurrency))
        return measured(
            lambda: Asking(PairQuestions(source), judge, Path(out) / "run", limits=limits).run()[0].end.done
        )


def inspect_ai(folder: str, concurrency: str) -> dict[str, Any]:
    """The same questions and pictures through inspect-ai; its own Python runs this."""
    inspect: Any = importlib.import_module("inspect_ai")
    dataset: Any = importlib.import_module("inspect_ai.dataset")
    model: Any = importlib.import_module("inspect_ai.model")
    solver: Any = importlib.import_module("inspect_ai.solver")

    samples = []
    for question in read_questions(folder):
        content = [model.ContentImage(image=question["picture"]), model.ContentText(text=question["text"])]
        messages = [model.ChatMessageSystem(content=question["system"])] if question["system"] else []
        samples.append(dataset.Sample(id=question["id"], input=[*messages, model.ChatMessageUser(content=content)]))
    task = inspect.Task(dataset=dataset.MemoryDataset(samples), solver=solver.generate())

    def work() -> int:
        with tempfile.TemporaryDirectory(dir=folder) as logs:
            (log,) = inspect.eval(
                task,
                model=f"openai-api/{MODEL}/{MODEL}",
                max_connections=int(concurrency),
                temperature=0.0,
                seed=0,
                display="none",
                log_dir=logs,
            )
            return sum(bool(sample.output.completion) for sample in log.samples)

    return measured(work)


@contextmanager
def server(latency: float) -> Iterator[tuple[str, list[str]]]:
    """The loopback server in a process of its own: its URL, and a list that holds its last words after the end."""
    command = [sys.executable, "-m", "loopback", "--latency", str(latency)]
    last_words: list[str] = []
    with subprocess.Popen(command, cwd=TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            yield process.stdout.readline().strip(), last_words
        finally:
            last_words.append(process.communicate()[0])


def install_inspect_ai(root: Path) -> str | None:
    """A Python that has inspect-ai, or None and a line that says why there is none."""
    python = str(root / "venv" / "bin" / "python")
    try:
        subprocess.run([sys.executable, "-m", "venv", str(root / "venv")], check=True, capture_output=True)
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "inspect-ai", "openai"]
        subprocess.run(pip, check=True, capture_output=True)
        find = "from importlib.metadata import version; print(version('inspect-ai'), 'with openai', version('openai'))"
        versions = subprocess.run([python, "-c", find], check=True, capture_output=True, text=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError) as error:
        print(f"inspect-ai is left out: it could not be installed ({error})")
        return None
    print(f"inspect-ai {versions}")
    return python


def against_the_server(rounds: int, questions: int, latency: float, concurrency: int, with_inspect_ai: bool) -> None:
    with tempfile.TemporaryDirectory() as folder, server(latency) as (url, last_words):
        python = install_inspect_ai(Path(folder)) if with_inspect_ai else None
        count = child("prepare", folder, questions // 2)["questions"]
        contenders: dict[str, Callable[[], dict[str, Any]]] = {
            "plain gather over the SDK": lambda: child("plain", url, folder, concurrency),
            "counterbench probe": lambda: child("ours", url, folder, concurrency),
        }
        if python is not None:
            env = {f"{MODEL.upper()}_BASE_URL": url}
            contenders["inspect-ai"] = lambda: child("inspect_ai", folder, concurrency, python=python, env=env)
        found: dict[str, list[dict[str, Any]]] = {name: [] for name in contenders}
        for _ in range(rounds):
            for name, measure in contenders.items():
                found[name].append(measure())
        ideal = count * latency / concurrency
        base = middle(next(iter(found.values())), "wall")
        print(
            f"{count:,} questions, {latency * 1000:.0f} ms, {concurrency} at once; median of {rounds} rounds "
            f"on {os.cpu_count()} cores; N × latency / concurrency is {ideal:.2f} s"
        )
        for name, runs in found.items():
            wall = middle(runs, "wall")
            low, high = min(run["wall"] for run in runs), max(run["wall"] for run in runs)
            print(
                f"  {name:<26} {wall:6.2f} s (from {low:.2f} to {high:.2f})   ratio {wall / base:.3f}"
                f"   of N × latency / concurrency {wall / ideal:.2f}"
                f"   CPU {middle(runs, 'cpu') / count * 1000:.2f} ms a question   peak {middle(runs, 'peak'):.0f} MB"
            )
            if any(run["questions"] != count for run in runs):
                print(f"  {name}: answered {[run['questions'] for run in runs]} of {count} questions")
    counts = json.loads(last_words[0])
    print(
        f"  the server saw {counts['requests']:,} requests about {counts['questions']:,} different questions, "
        f"at most {counts['peak_in_flight']} at once"
    )


def main() -> None:
    answer_as_child(prepare, plain, ours, inspect_ai)
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--questions", type=int, default=1_100)
    parser.add_argument("--latency", type=float, default=0.2, help="of the server, in seconds")
    parser.add_argument("--concurrency", type=int, default=64)
    parser.add_argument("--inspect-ai", action="store_true", help="also through inspect-ai, installed for it")
    chosen = parser.parse_args()
    against_the_server(chosen.rounds, chosen.questions, chosen.latency, chosen.concurrency, chosen.inspect_ai)


if __name__ == "__main__":
    main()
