"""Generating: the same bytes whatever the workers and however often it was killed; nothing foreign is touched."""

from __future__ import annotations

import contextlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PIL import Image

from counterbench.drawing import png, reading
from counterbench.drawing.render import render
from counterbench.errors import InputError, NoRoomError
from counterbench.scene.pairs import ROLES
from counterbench.suites import generation, workers
from counterbench.suites.folder import Folder, FolderInfo, is_partial, metadata, versions
from counterbench.suites.generation import generate
from counterbench.suites.sources import selection_digest
from counterbench.suites.suite import Suite, load_suite, parse_suite

ROOT = Path(__file__).parents[2]
SIDE, PAIRS = 200, 24  # more than are written at a time
LIMIT = 160
posix = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")


def snapshot(folder: Path) -> dict[str, bytes | None]:
    """Every file's bytes (a picture's pixels: how they are compressed is nobody's promise), and every folder."""
    return {str(path.relative_to(folder)): _content(path) for path in folder.rglob("*")}


def _content(path: Path) -> bytes | None:
    if path.suffix == ".png":
        with contextlib.suppress(InputError):  # torn ones are compared as they are
            return reading.read(path).tobytes()
    return path.read_bytes() if path.is_file() else None


def times(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]}


def command(*args: object) -> list[str]:
    return [sys.executable, "-m", "counterbench", *map(str, args)]


def environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(ROOT)}


def run(*args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*args), capture_output=True, text=True, env=environment(), timeout=120)


@pytest.fixture(scope="session")
def small() -> Suite:
    families = [{"name": name, "count": 6} for name in ("spatial", "counting", "arrow", "control")]
    families[1]["forms"] = ["open", "yes-no"]
    size = {"width": SIDE, "height": SIDE, "seed": 4}
    return parse_suite({"format": "counterbench.suite/1", "name": "small", "family": families, **size}, "small.toml")


@pytest.fixture(scope="session")
def whole(small: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small suite, drawn without interruption. Not to be changed."""
    out = tmp_path_factory.mktemp("whole") / "small"
    generate(small, out, workers=1)
    return out


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    shutil.copytree(whole, tmp_path / "copy")
    return tmp_path / "copy"


def part_of(copy: Path, suite: Suite, lines: int, digest: str | None = None) -> Path:
    """The folder as a killed process leaves it after so many lines."""
    (copy / "suite.json").unlink()
    for name in ("pairs.jsonl", "metadata.jsonl"):
        kept = (copy / name).read_bytes().splitlines(keepends=True)[:lines]
        (copy / name).write_bytes(b"".join(kept))
    begun = generation.Begun(digest or suite.digest, suite.name, versions())
    generation.formats.write_json(copy / ".generating.json", begun)
    return copy


# the folder


def test_what_a_folder_holds(whole: Path, small: Suite) -> None:
    folder = Folder(whole)
    info = folder.info
    assert (info.name, info.digest, info.seed, info.pairs, info.limit) == ("small", small.digest, 4, PAIRS, None)
    assert info.counts == dict.fromkeys(("spatial", "counting", "arrow", "control"), 6)
    assert json.dumps(info.definition) == json.dumps(small.definition)
    assert info.versions == versions()
    assert {"counterbench", "pillow", "renderer"} <= set(info.versions)
    assert sorted(p.name for p in whole.iterdir()) == [
        "README.md", "images", "metadata.jsonl", "pairs.jsonl", "suite.json",
    ]  # fmt: skip
    assert len(list(whole.glob("images/*/*.png"))) == 2 * PAIRS
    for drawn, pair in zip(folder, small, strict=True):
        assert drawn.digests is not None
        assert drawn.scenes == pair.scenes
        for role, scene, digest in zip(
            ROLES, pair.scenes, (drawn.digests.original_pixels, drawn.digests.intervened_pixels), strict=True
        ):
            image = reading.read(folder.picture(drawn, role))
            assert image.tobytes() == render(scene).tobytes()
            assert png.pixel_digest(image) == digest


def test_metadata_is_what_imagefolder_wants(whole: Path) -> None:
    """Hugging Face: each `*_file_name` is a picture's path relative to the file, in every line the same columns."""
    lines = [json.loads(line) for line in (whole / "metadata.jsonl").read_text().splitlines()]
    assert lines == [metadata(pair) for pair in Folder(whole)]
    assert len({tuple(line) for line in lines}) == 1
    assert {"original_file_name", "intervened_file_name", "question", "original_answer"} <= set(lines[0])
    named = [line[key] for line in lines for key in line if key.endswith("_file_name")]
    assert len(set(named)) == len(named) == 2 * PAIRS
    for name in named:
        assert not Path(name).is_absolute()
        assert ".." not in Path(name).parts
        with Image.open(whole / name) as image:
            assert (image.format, image.mode, image.size) == ("PNG", "RGB", (SIDE, SIDE))
    assert {str(p.relative_to(whole)) for p in whole.rglob("*.png")} == set(named)
    for line in lines:
        assert all(isinstance(value, str | bool) for value in line.values())


def test_the_result_does_not_depend_on_the_workers(whole: Path, small: Suite, tmp_path: Path) -> None:
    generate(small, tmp_path / "out", workers=2)
    assert snapshot(tmp_path / "out") == snapshot(whole)


@pytest.mark.parametrize("limit", [1, 6, PAIRS, 1000])
def test_limit(small: Suite, tmp_path: Path, limit: int) -> None:
    info = generate(small, tmp_path / "out", workers=1, limit=limit)
    positions = list(small.positions(limit))
    assert [pair.id for pair in Folder(tmp_path / "out")] == [small[p].id for p in positions]
    assert info.counts == Counter(small[p].family for p in positions)
    assert info.limit == (limit if limit < PAIRS else None)
    assert info.digest == selection_digest(small, limit)
    assert (info.digest == small.digest) == (limit >= PAIRS)


def test_a_limit_below_one_writes_nothing(small: Suite, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="--limit"):
        generate(small, tmp_path / "out", workers=1, limit=0)
    with pytest.raises(InputError, match="--workers"):
        generate(small, tmp_path / "out", workers=0)
    assert list(tmp_path.iterdir()) == []


def test_progress_counts_to_the_end(small: Suite, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    generate(small, tmp_path / "out", workers=2, on_progress=lambda done, total: seen.append((done, total)))
    assert seen == [(n, PAIRS) for n in range(1, PAIRS + 1)]
    seen.clear()
    generate(small, tmp_path / "out", on_progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (PAIRS, PAIRS)


# stopping and going on


@pytest.mark.parametrize("lines", [0, 1, 20, PAIRS])
def test_it_goes_on_after_any_line(whole: Path, small: Suite, copy: Path, lines: int) -> None:
    part_of(copy, small, lines)
    assert is_partial(copy)
    drawn: list[int] = []
    generate(small, copy, workers=1, on_progress=lambda done, total: drawn.append(done))
    assert snapshot(copy) == snapshot(whole)
    assert drawn == list(range(lines + 1, PAIRS + 1))  # what was done is not done again


@pytest.mark.parametrize(
    "tear",
    [
        lambda a, b: (a[:-1], b),
        lambda a, b: (a, b[:-200]),
        lambda a, b: (a, b""),
        lambda a, b: (a[: len(a) // 2], b[: len(b) // 3]),
        lambda a, b: (a + b'{"format":"counter', b + b'{"orig'),
    ],
    ids=["pairs", "metadata", "no-metadata", "both", "ends"],
)
def test_torn_last_lines_are_written_again(
    whole: Path, small: Suite, copy: Path, tear: Callable[[bytes, bytes], tuple[bytes, bytes]]
) -> None:
    part_of(copy, small, 17)
    files = [copy / "pairs.jsonl", copy / "metadata.jsonl"]
    for file, data in zip(files, tear(*(f.read_bytes() for f in files)), strict=True):
        file.write_bytes(data)
    generate(small, copy, workers=1)
    assert snapshot(copy) == snapshot(whole)


def test_torn_pictures_beyond_the_last_line_are_drawn_again(whole: Path, small: Suite, copy: Path) -> None:
    part_of(copy, small, 12)
    done = {m for line in (copy / "metadata.jsonl").read_text().splitlines() for m in json.loads(line).values()}
    for path in copy.rglob("*.png"):
        if str(path.relative_to(copy)) not in done:
            path.write_bytes(path.read_bytes()[:40])
    generate(small, copy, workers=1)
    assert snapshot(copy) == snapshot(whole)


def test_a_torn_suite_json_does_not_count(whole: Path, small: Suite, copy: Path) -> None:
    part_of(copy, small, PAIRS)
    (copy / ".suite.json.partial").write_text('{"format": "counterb')
    generate(small, copy, workers=1)
    assert snapshot(copy) == snapshot(whole)


def test_killed_before_the_very_first_file_was_whole(whole: Path, small: Suite, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / ".lock").touch()
    (out / "..generating.json.partial").write_text('{"dig')
    generate(small, out, workers=1)
    assert snapshot(out) == snapshot(whole)


def test_killed_after_the_very_last_file_was_written(whole: Path, small: Suite, copy: Path) -> None:
    generation.formats.write_json(copy / ".generating.json", generation.Begun(small.digest, small.name, versions()))
    generate(small, copy, workers=1)
    assert snapshot(copy) == snapshot(whole)


def test_an_exception_in_the_middle_loses_nothing(whole: Path, small: Suite, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for stop in (3, 21):

        def report(done: int, total: int, stop: int = stop) -> None:
            assert not (out / "suite.json").exists()
            if done == stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            generate(small, out, workers=1, on_progress=report)
        assert is_partial(out)
        with pytest.raises(InputError, match="run the same `generate` again"):
            Folder(out)
    generate(small, out, workers=1)
    assert snapshot(out) == snapshot(whole)


def living(group: int) -> int:
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return sum(int(row[0]) == group and not row[1].startswith("Z") for row in rows)


def started(*args: object) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command(*args), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, env=environment(), start_new_session=True
    )


def wait_for(condition: Callable[[], bool], process: subprocess.Popen[bytes], seconds: float = 20) -> None:
    until = time.monotonic() + seconds
    while not condition() and process.poll() is None and time.monotonic() < until:
        time.sleep(0.002)


@pytest.fixture(scope="session")
def certify_part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("certify") / "part"
    generate(load_suite("certify"), out, workers=2, limit=LIMIT)
    return out


@posix
@pytest.mark.slow
@pytest.mark.parametrize("whom", ["main", "group"])
def test_kill_9_at_any_moment_then_the_same_command(certify_part: Path, tmp_path: Path, whom: str) -> None:
    out = tmp_path / "out"
    args = ("generate", "certify", "--out", out, "--workers", 2, "--limit", LIMIT)
    moments = random.Random(whom)
    kills = 0
    for least in (1, 150):
        process = started(*args)
        pictures = least + moments.randrange(30)
        wait_for(lambda pictures=pictures: len(list(out.glob("images/*/*.png"))) >= pictures, process)
        time.sleep(moments.random() * 0.1)
        before = process.poll() is None and not (out / "suite.json").exists()
        if whom == "main":
            process.kill()
        else:
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stderr is not None:
            process.stderr.close()
        until = time.monotonic() + 5
        while living(process.pid) and time.monotonic() < until:
            time.sleep(0.01)
        assert living(process.pid) == 0, "workers outlive the main process"
        if process.returncode == 0:
            break
        kills += 1
        if before and not (out / "suite.json").exists():
            with pytest.raises(InputError, match="not a suite folder"):
                Folder(out)
    assert kills >= 1
    result = run(*args)
    assert result.returncode == 0, result.stderr
    assert snapshot(out) == snapshot(certify_part)


@posix
@pytest.mark.slow
def test_ctrl_c_is_130_with_one_message_and_goes_on(certify_part: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    args = ("generate", "certify", "--out", out, "--workers", 2, "--limit", LIMIT)
    process = started(*args)
    wait_for(lambda: len(list(out.glob("images/*/*.png"))) >= 30, process)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in errors
    assert errors.decode().splitlines()[-1].startswith("stopped; nothing is lost")
    assert not (out / "suite.json").exists()
    assert run(*args).returncode == 0
    assert snapshot(out) == snapshot(certify_part)


@posix
@pytest.mark.slow
def test_a_killed_worker_is_one_message(tmp_path: Path) -> None:
    out = tmp_path / "out"
    process = started("generate", "certify", "--out", out, "--workers", 2)
    wait_for(lambda: len(list(out.glob("images/*/*.png"))) >= 10, process)
    listed = subprocess.run(["ps", "-A", "-o", "pid=,ppid="], capture_output=True, text=True, check=True).stdout
    children = [
        int(pid) for pid, parent in (line.split() for line in listed.splitlines()) if int(parent) == process.pid
    ]
    os.kill(children[-1], signal.SIGKILL)
    _, errors = process.communicate(timeout=30)
    assert not (out / "suite.json").exists()
    assert b"Traceback" not in errors
    assert process.returncode in (2, 3)


# what is there already


def test_a_complete_folder_is_accepted_untouched(whole: Path, small: Suite) -> None:
    before, seen = snapshot(whole), times(whole)
    info = generate(small, whole)
    assert isinstance(info, FolderInfo)
    assert info == Folder(whole).info
    generate(small, whole, limit=PAIRS)
    assert (snapshot(whole), times(whole)) == (before, seen)


@pytest.mark.parametrize("partial", [False, True])
def test_a_folder_of_another_suite_or_version_is_left_alone(copy: Path, small: Suite, partial: bool) -> None:
    if partial:
        part_of(copy, small, 10)
    state = copy / (".generating.json" if partial else "suite.json")
    before, seen = snapshot(copy), times(copy)
    for other, limit in ((small.reseeded(5), None), (small, 20)):
        with pytest.raises(InputError, match=r"copy: .*'small' with digest .*choose another --out, or delete"):
            generate(other, copy, workers=1, limit=limit)
    assert (snapshot(copy), times(copy)) == (before, seen)
    state.write_text(state.read_text().replace(versions()["pillow"], "0.0.1"))
    before = snapshot(copy)
    with pytest.raises(InputError, match=r"copy: .*0\.0\.1.*choose another --out, or delete the folder"):
        generate(small, copy, workers=1)
    state.write_text("{")
    with pytest.raises(InputError, match=state.name):
        generate(small, copy, workers=1)
    state.write_bytes(before[state.name] or b"")
    assert snapshot(copy) == before


def test_a_foreign_folder_is_left_alone(tmp_path: Path, small: Suite) -> None:
    (tmp_path / "pairs.jsonl").write_text("mine")
    with pytest.raises(InputError, match="is not empty and not a suite folder"):
        generate(small, tmp_path, workers=1)
    assert snapshot(tmp_path) == {"pairs.jsonl": b"mine"}


# what cannot be


def test_what_cannot_be_placed_fails_before_anything_is_written_and_names_the_parameters(tmp_path: Path) -> None:
    params = {"count": [30, 30], "shape_size": [20, 20], "gap": 4}
    families = [{"name": "arrow", "count": 6}, {"name": "counting", "count": 6, "params": params}]
    suite = parse_suite({"format": "counterbench.suite/1", "name": "impossible", "family": families}, "x.toml")
    with pytest.raises(NoRoomError) as caught:
        generate(suite, tmp_path / "out", workers=1)
    for words in ("'counting'", "item 0", "512×512", "count = [30, 30]", "shape_size = [20, 20]", "gap = 4"):
        assert words in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("processes", [1, 2])
def test_pairs_are_not_all_in_memory(
    small: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processes: int
) -> None:
    """Lines reach the disk while later pairs are not even begun: drawing never runs far ahead of writing."""
    read = 0
    original = workers.in_chunks

    def counted(task: object, items: object, **options: object) -> Iterator[object]:
        def source() -> Iterator[object]:
            nonlocal read
            for thing in items:  # type: ignore[attr-defined]
                read += 1
                yield thing

        return original(task, source(), **options)  # type: ignore[arg-type,return-value]

    monkeypatch.setattr(generation, "in_chunks", counted)
    monkeypatch.setattr(generation, "_CHUNK", 2)
    most = 2 * (processes * 4 + 2)

    def report(done: int, total: int) -> None:
        assert read - done <= most

    generate(small, tmp_path / "out", workers=processes, on_progress=report)
    assert read == PAIRS
