"""Every reader of files against damaged ones: it reads them or says, in one CounterbenchError, what is wrong.

None may hang. `FUZZ_FILES=10000 pytest tests/fuzz/test_files.py` reads so many of each kind. A
failure names reader and number, from which alone the same file is made again.
"""

import itertools
import os
import shutil
import signal
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any

import pytest
from commands import call
from fuzz.mutants import mutant
from interop.conftest import Release
from pictures.foreign_releases import cf_world, corebench, r2i_bench
from pictures.foreign_releases import write_files as put_files
from pictures.lawful import draw, of_laws
from planted_runs import write_run
from prompts.test_files import LAWS_FILE, RULES_FILE

import counterbench as cb
from counterbench.errors import CounterbenchError
from counterbench.files import catalog
from counterbench.judges import open_judge
from counterbench.pictures.generators import open_generator
from counterbench.prompts.files import load_prompts
from counterbench.runs.folder import read_keys
from counterbench.runs.queries import load_template
from counterbench.suites.suite import load_suite

FILES = int(os.environ.get("FUZZ_FILES", "15"))
HUNG = 30.0  # seconds of the processor's time, for one file

# Given a new folder: the file, what it may hold rightly, and what reads it.
Reader = tuple[Path, list[bytes], Callable[[], object]]


def cli_call(*words: object) -> Callable[[], object]:
    """What a command prints of it is made, too."""

    def run() -> None:
        assert call(*words).exit_code in (0, 1, 2, 3)

    return run


def shipped_reader(folder: str, file: Path, read: Callable[[Path], object]) -> Reader:
    return file, [path.read_bytes() for path in catalog.shipped(folder).glob("*.toml")], lambda: read(file)


def a_suite(folder: Path) -> Reader:
    def read(path: Path) -> None:
        suite = load_suite(str(path))
        assert suite[0].id
        assert suite[len(suite) - 1].id

    return shipped_reader("scenes", folder / "x.toml", read)


def a_policy(folder: Path) -> Reader:
    run = write_run(folder / "run", "planted:sticky", "smoke")
    file, held, _ = shipped_reader("probes/policies", folder / "x.toml", lambda path: None)
    return file, held, cli_call("certify", run, "--policy", file, "--out", folder / "c.json")


def a_template(folder: Path) -> Reader:
    return shipped_reader("probes/templates", folder / "x.toml", lambda path: load_template(str(path)).digest)


def prompts_in_toml(folder: Path) -> Reader:
    held = [text.encode() for text in (LAWS_FILE, RULES_FILE)]
    return folder / "x.toml", held, lambda: load_prompts(str(folder / "x.toml")).digest


def prompts_in_lines(folder: Path) -> Reader:
    lines = (catalog.shipped("probes/t2i") / "attributes.jsonl").read_bytes().splitlines(keepends=True)
    return folder / "x.jsonl", [b"".join(lines[:6])], lambda: load_prompts(str(folder / "x.jsonl")).digest


def a_list_of_prompts(folder: Path) -> Reader:
    held = b"""id,check,prompt,question,expected,answer_type,weight,tags,call,after
a,seen,"A cup, red.",Describe it.,,description,,,,
a,x,"A cup, red.",How red?,5,rating:1-5,2,near;small,c,seen
b,,A box.,,,,,,,
"""
    return folder / "x.csv", [held], lambda: load_prompts(str(folder / "x.csv")).digest


def a_judge(folder: Path) -> Reader:
    held = b"""format = "counterbench.judge/1"
kind = "openai"
model = "m"

[options]
base_url = "http://127.0.0.1:9/v1"
temperature = 0.5
max_tokens = 100
logprobs = 5
body = { provider = { order = ["together"] } }
"""
    return folder / "x.toml", [held], lambda: open_judge(str(folder / "x.toml"), list).name


def a_generator(folder: Path) -> Reader:
    held = b"""format = "counterbench.generator/1"
kind = "openai"
model = "m"

[options]
base_url = "http://127.0.0.1:9/v1"
size = "1024x1024"
quality = "low"
price = 0.011
"""
    return folder / "x.toml", [held], lambda: open_generator(str(folder / "x.toml"), of_laws()).name


def in_pairs(name: str, folder: Path) -> Reader:
    cb.generate("smoke", folder / "pairs", limit=2, workers=1)
    file = folder / "pairs" / name
    return file, [file.read_bytes()], cli_call("verify", folder / "pairs")


def in_prompts(format: str, release: Callable[[], dict[str, Any]], name: str, folder: Path) -> Reader:
    file = put_files(folder / "release", release()) / name

    def read() -> None:
        shutil.rmtree(folder / "out", ignore_errors=True)
        cli_call("import", format, folder / "release", "--out", folder / "out")()
        for made in (folder / "out").glob("*"):  # whatever was written is whole
            assert load_prompts(made).prompts

    return file, [file.read_bytes()], read


def in_release(name: str, folder: Path) -> Reader:
    release = Release(folder / "CounterBench")
    file = release.path / name

    def read() -> None:
        shutil.rmtree(folder / "out", ignore_errors=True)
        cli_call("import", "counterbench", release.path, "--out", folder / "out")()

    return file, [file.read_bytes()], read


def in_run(name: str, folder: Path) -> Reader:
    run = write_run(folder / "run", "planted:sticky", "smoke")
    other = write_run(folder / "other", "planted:oracle", "smoke")
    file = run / name

    readers = itertools.cycle(
        (cli_call("score", run, "-v"), cli_call("diagnose", run, other, "-v"), cli_call("compare", run, other),
         cli_call("certify", run, "--out", folder / "c.json"))
    )  # fmt: skip
    return file, [file.read_bytes()], lambda: next(readers)()


def a_certificate(folder: Path) -> Reader:
    run = write_run(folder / "run", "planted:sticky", "smoke")
    file = folder / "c.json"
    cb.certify(run, out=file)
    return file, [file.read_bytes()], cli_call("verify", file, "--run", run)


def in_images(name: str, folder: Path) -> Reader:
    (folder / "x.toml").write_text(LAWS_FILE)
    prompts = load_prompts(folder / "x.toml")
    images = draw(prompts, "literal", folder / "images", limit=1).path
    file = images / name
    words = ("--prompts", folder / "x.toml", "--judge", "planted:oracle", "--uncertified", "--out", folder / "run")

    def read() -> None:
        shutil.rmtree(folder / "run", ignore_errors=True)
        cli_call("t2i", "judge", images, *words)()

    return file, [file.read_bytes()], read


def in_t2i_run(name: str, folder: Path) -> Reader:
    (folder / "x.toml").write_text(LAWS_FILE)
    cb.certify(write_run(folder / "pairs", "planted:oracle", "smoke"), out=folder / "c.json")
    images = draw(load_prompts(folder / "x.toml"), "literal", folder / "images", limit=1).path
    run = folder / "run"
    cli_call("t2i", "judge", images, "--prompts", folder / "x.toml", "--judge", "planted:oracle", "--certificate",
            folder / "c.json", "--uncertified", "--out", run)()  # fmt: skip
    return run / name, [(run / name).read_bytes()], cli_call("score", run, "-v")


def labels(folder: Path) -> Reader:
    in_t2i_run("journal.jsonl", folder)
    rows = [f"{key.id.rpartition('/')[0]},{key.id.rpartition('/')[2]},yes" for key in read_keys(folder / "run")]
    held = "\n".join(["sample,check,label", *rows]) + "\n"
    file = folder / "labels.csv"
    return file, [held.encode()], cli_call("score", folder / "run", "--labels", file)


READERS: dict[str, Callable[[Path], Reader]] = {
    "suite": a_suite,
    "policy": a_policy,
    "template": a_template,
    "prompts.toml": prompts_in_toml,
    "prompts.jsonl": prompts_in_lines,
    "prompts.csv": a_list_of_prompts,
    "judge": a_judge,
    "generator": a_generator,
    **{f"pairs: {name}": partial(in_pairs, name) for name in ("suite.json", "pairs.jsonl", "metadata.jsonl")},
    **{f"release: {name}": partial(in_release, name) for name in ("data/benchmark.json", "results/alpha_results.json")},
    **{f"run: {name}": partial(in_run, name) for name in ("run.json", "keys.jsonl", "journal.jsonl")},
    "certificate": a_certificate,
    **{f"images: {name}": partial(in_images, name) for name in ("images.json", "manifest.jsonl", "prompts.jsonl")},
    **{
        f"t2i run: {name}": partial(in_t2i_run, name)
        for name in ("t2i.json", "run.json", "keys.jsonl", "journal.jsonl", "prompts.jsonl", "samples.jsonl",
                     "certificate.json")
    },
    **{f"cf-world: {n}": partial(in_prompts, "cf-world", cf_world, n) for n in cf_world() if "Bent" not in n},
    **{f"r2i-bench: {n}": partial(in_prompts, "r2i-bench", r2i_bench, n) for n in r2i_bench() if "causal" in n},
    "t2i-corebench": partial(in_prompts, "t2i-corebench", corebench, "data/R-LR.json"),
    "labels": labels,
}  # fmt: skip


class Hung(BaseException):
    """A reader that does not come back."""


def hung(number: int, frame: FrameType | None) -> None:
    raise Hung


@pytest.mark.slow
@pytest.mark.parametrize("reader", READERS)
def test_a_damaged_file_is_read_or_refused(reader: str, here: Path) -> None:
    file, held, read = READERS[reader](here)
    file.write_bytes(held[0])
    read()  # whatever is right is read
    before = signal.signal(signal.SIGVTALRM, hung)
    try:
        for number in range(FILES):
            random = Random(f"{reader} {number}")
            data = mutant(random.choice(held), random)
            file.write_bytes(data)
            signal.setitimer(signal.ITIMER_VIRTUAL, HUNG)
            try:
                read()
            except CounterbenchError:
                pass
            except BaseException as error:
                if isinstance(error, KeyboardInterrupt):
                    raise
                raise AssertionError(f"{reader} {number}: {data[:400]!r}") from error
            finally:
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    finally:
        signal.signal(signal.SIGVTALRM, before)
