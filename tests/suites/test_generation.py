"""Generating: the same bytes whatever the workers and however often it was killed; nothing foreign is touched."""

import contextlib
import json
import os
import shutil
import signal
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from processes import command_started, until
from scenery import suite_of

from counterbench.drawing import png, reading
from counterbench.drawing.render import render
from counterbench.errors import InputError, NoRoomError
from counterbench.scene.pairs import ROLES
from counterbench.suites.folder import Folder, versions
from counterbench.suites.generation import generate
from counterbench.suites.shards import Shard
from counterbench.suites.sources import selection_digest
from counterbench.suites.suite import Suite, load_suite

SIDE, PAIRS = 200, 24  # more than are written at a time
LIMIT = 160
posix = pytest.mark.skipif(os.name != "posix", reason="signals are POSIX")


def contents_of(folder: Path) -> dict[str, bytes | None]:
    """Every file's bytes (a picture's pixels: how they are compressed is nobody's promise), and every folder."""
    return {str(path.relative_to(folder)): _content(path) for path in folder.rglob("*")}


def _content(path: Path) -> bytes | None:
    if path.suffix == ".png":
        with contextlib.suppress(InputError):  # torn ones are compared as they are
            return reading.read(path).tobytes()
    return path.read_bytes() if path.is_file() else None


def times(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_mtime_ns for path in [folder, *folder.rglob("*")]}


@pytest.fixture(scope="session")
def small() -> Suite:
    families = [{"name": name, "count": 6} for name in ("spatial", "counting", "arrow", "control")]
    families[1]["forms"] = ["open", "yes-no"]
    return suite_of(*families, name="small", width=SIDE, height=SIDE, seed=4)


@pytest.fixture(scope="session")
def whole(small: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small suite, drawn without interruption. Not to be changed."""
    out = tmp_path_factory.mktemp("whole") / "small"
    generate(small, out, workers=1)
    return out


@pytest.fixture
def copy(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(whole, tmp_path / "copy"))


def test_a_folder_holds_suite_pairs_metadata_and_pictures(whole: Path, small: Suite) -> None:
    folder = Folder(whole)
    info = folder.info
    assert (info.name, info.digest, info.seed, info.pairs, info.limit) == ("small", small.digest, 4, PAIRS, None)
    assert info.counts == dict.fromkeys(("spatial", "counting", "arrow", "control"), 6)
    assert json.dumps(info.definition) == json.dumps(small.definition)
    assert info.versions == versions()
    assert {"counterbench", "pillow", "renderer"} <= set(info.versions)
    names = {"README.md", "images", "metadata.jsonl", "pairs.jsonl", "suite.json"}
    assert {path.name for path in whole.iterdir()} == names
    assert len(list(whole.glob("images/*/*.png"))) == 2 * PAIRS
    for drawn, pair in zip(folder, small, strict=True):
        assert drawn.scenes == pair.scenes
        files = (drawn.digests.original_file, drawn.digests.intervened_file)
        assert files == tuple(png.file_digest(folder.picture(drawn, role).read_bytes()) for role in ROLES)
        pixels = (drawn.digests.original_pixels, drawn.digests.intervened_pixels)
        for role, scene, digest in zip(ROLES, pair.scenes, pixels, strict=True):
            image = reading.read(folder.picture(drawn, role))
            assert image.tobytes() == render(scene).tobytes()
            assert png.pixel_digest(image) == digest


def test_the_result_does_not_depend_on_the_workers(whole: Path, small: Suite, tmp_path: Path) -> None:
    progress: list[tuple[int, int]] = []
    generate(small, tmp_path / "out", workers=2, on_progress=lambda done, total: progress.append((done, total)))
    assert contents_of(tmp_path / "out") == contents_of(whole)
    assert progress == [(n, PAIRS) for n in range(1, PAIRS + 1)]


@pytest.mark.parametrize("limit", [1, 6, PAIRS, 1000])
def test_the_option_limit_writes_the_first_items_of_each_family(small: Suite, tmp_path: Path, limit: int) -> None:
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
    assert list(tmp_path.iterdir()) == []


def test_an_interrupted_generation_leaves_nothing(small: Suite, tmp_path: Path) -> None:
    out = tmp_path / "out"

    def stop(done: int, total: int) -> None:
        assert not out.exists()
        if done == 21:
            raise KeyboardInterrupt

    for processes in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            generate(small, out, workers=processes, on_progress=stop)
        assert list(tmp_path.iterdir()) == []


def test_leftovers_of_a_killed_process_are_drawn_anew(whole: Path, small: Suite, tmp_path: Path) -> None:
    (left := tmp_path / ".out.partial" / "images").mkdir(parents=True)
    (left / "torn.png").write_bytes(b"PNG")
    generate(small, tmp_path / "out", workers=1)
    assert contents_of(tmp_path / "out") == contents_of(whole)
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def living(group: int) -> int:
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listed.splitlines()]
    return sum(int(row[0]) == group and not row[1].startswith("Z") for row in rows)


@pytest.fixture(scope="session")
def certify_part(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("certify") / "part"
    generate(load_suite("certify"), out, workers=2, limit=LIMIT)
    return out


def beside(out: Path) -> list[Path]:
    return list(out.with_name(f".{out.name}.partial").glob("images/*/*.png"))


@posix
@pytest.mark.slow
@pytest.mark.parametrize("end", [signal.SIGKILL, signal.SIGINT])
def test_a_command_that_is_ended_leaves_no_worker_and_no_half_folder(
    end: signal.Signals, certify_part: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    args = ("generate", "certify", "--out", out, "--workers", 2, "--limit", LIMIT)
    process = command_started(*args, start_new_session=True)
    until(lambda: len(beside(out)) >= 30 or process.poll() is not None)
    if end == signal.SIGINT:
        os.killpg(process.pid, end)
    else:
        process.kill()
    _, errors = process.communicate(timeout=20)
    assert not out.exists()
    if end == signal.SIGINT:
        assert process.returncode == 130
        assert errors.splitlines()[-1].startswith("stopped; nothing is left at")
        assert not beside(out)
    until(lambda: living(process.pid) == 0, 5)  # no worker outlives the main process
    assert command_started(*args).wait() == 0
    assert contents_of(out) == contents_of(certify_part)


def test_a_complete_folder_is_accepted_untouched(whole: Path, small: Suite) -> None:
    before, times_before = contents_of(whole), times(whole)
    info = generate(small, whole)
    assert info == Folder(whole).info
    generate(small, whole, limit=PAIRS)
    assert (contents_of(whole), times(whole)) == (before, times_before)


def edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text().replace(old, new))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": 5}, "holds suite 'small' .* digest is .*choose another --out"),
        ({"limit": 20}, "holds suite 'small' .* digest is .*choose another --out"),
        ({"shard": Shard(1, 3)}, "holds suite 'small' .*, whose shard is '', not '1/3'"),
    ],
)
def test_a_folder_of_other_pairs_is_left_alone(options: dict[str, Any], message: str, copy: Path, small: Suite) -> None:
    before = times(copy)
    with pytest.raises(InputError, match=f"copy: {message}"):
        generate(small.reseeded(options.pop("seed", small.seed)), copy, workers=1, **options)
    assert times(copy) == before


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda out: edit(out / "suite.json", versions()["pillow"], "0.0.1"), r"copy: .*0\.0\.1.*or delete the folder"),
        (lambda out: (out / "suite.json").write_text("{"), r"suite\.json"),
        (lambda out: edit(out / "pairs.jsonl", "left", "right"), r"pairs\.jsonl: was changed"),
        (lambda out: (out / "suite.json").unlink(), "copy: is not empty; choose another --out"),
    ],
    ids=["of another version", "damaged", "changed", "foreign"],
)
def test_an_altered_folder_is_left_alone(change: Callable[[Path], Any], message: str, copy: Path, small: Suite) -> None:
    change(copy)
    before = times(copy)
    with pytest.raises(InputError, match=message):
        generate(small, copy, workers=1)
    assert times(copy) == before


def test_an_impossible_layout_fails_before_writing_with_the_parameters(tmp_path: Path) -> None:
    params = {"count": [30, 30], "shape_size": [20, 20], "gap": 4}
    suite = suite_of({"name": "arrow", "count": 6}, {"name": "counting", "count": 6, "params": params})
    with pytest.raises(NoRoomError) as caught:
        generate(suite, tmp_path / "out", workers=1)
    for words in ("'counting'", "item 0", "512×512", "count = [30, 30]", "shape_size = [20, 20]", "gap = 4"):
        assert words in str(caught.value)
    assert not (tmp_path / "out").exists()
