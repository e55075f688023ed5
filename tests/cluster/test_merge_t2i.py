"""Shards of pictures and of runs about them: for any N what they merge to is what one machine draws and asks."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call
from t2i.carded import cards, checklist, prompt
from t2i.drawn import QUICK, Painter, failing, files, prompt_set
from t2i.lawful import altered, certificate, draw, of_laws

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.runs.journal import Record, read_journal
from counterbench.suites.shards import Shard
from counterbench.t2i.generation.generate import generate_images
from counterbench.t2i.generators import Drawing, DrawingRequest
from counterbench.t2i.images.manifest import Images, prompts_in, read_manifest
from counterbench.t2i.judging.results import load_judged
from counterbench.t2i.prompts.prompt_set import Check, PromptSet

LAWS = of_laws()
PROMPTS = prompt_set(3)


def alike() -> PromptSet:
    """A set in which two groups are told the same, so that one picture is of both."""
    same = [msgspec.structs.replace(p, text=p.text.replace("g2", "g0")) for p in PROMPTS.prompts]
    return PROMPTS.of(same)


def contents(folder: Path, *but: str) -> dict[str, bytes]:
    """Every file's bytes; of a picture its pixels, as how they are compressed is nobody's promise."""
    paths = {name: folder / name for name in files(folder) - {*but}}
    return {
        name: reading.read(path).tobytes() if path.suffix == ".png" else path.read_bytes()
        for name, path in paths.items()
    }


def records(journal: Path) -> list[Record]:
    """Records without when they came, in no order of their own."""
    plain = (msgspec.structs.replace(record, time="", seconds=None) for record in read_journal(journal))
    return sorted(plain, key=lambda record: (record.id, record.vote, record.attempts))


# ---- pictures


def odd(request: DrawingRequest) -> Drawing | None:
    """One is declined, one is no picture, one fails for good."""
    kinds = {"g0/l2/0": Drawing(refusal="no"), "g1/l1/1": Drawing(picture=b"GIF"), "g1/l3/0": failing("http-400")}
    return kinds.get(request.id)


def drawn(out: Path, prompts: PromptSet, n: int | None = None, **options: Any) -> list[Path]:
    """The folder, or the folders of all shards, of two samples each."""
    shards = [None] if n is None else [Shard(k, n) for k in range(n)]
    given = {"samples": 2, "limits": QUICK} | options
    return [
        generate_images(prompts, Painter(odd, cost=0.01), out, shard=shard, **given).images.path for shard in shards
    ]


@pytest.mark.parametrize("n", [3, 12])
@pytest.mark.parametrize("prompts", [PROMPTS, alike()], ids=["each its own", "alike"])
def test_merged_shards_are_what_one_machine_draws(prompts: PromptSet, n: int, tmp_path: Path) -> None:
    (one,) = drawn(tmp_path / "one", prompts)
    shards = drawn(tmp_path / "images", prompts, n)
    assert [shard.name for shard in shards] == [f"painter--shard-{k}-of-{n}" for k in range(n)]
    before = [contents(shard) for shard in shards]
    made = cb.merge(shards[::-1], tmp_path / "images" / "painter")
    assert [contents(shard) for shard in shards] == before
    merged = tmp_path / "images" / "painter"
    own = ("journal.jsonl", "prompts.jsonl")
    assert contents(merged, *own) == contents(one, *own)
    assert prompts_in(merged) == prompts_in(one)
    assert records(merged / "journal.jsonl") == records(one / "journal.jsonl")
    assert (made.kind, made.shards, made.records) == ("generated pictures", n, 18)
    again = generate_images(prompts, Painter(), tmp_path / "images", samples=2, limits=QUICK)
    assert again.progress.complete
    assert set(again.images.counts) <= {"ok", "refused"}  # what failed, and what was no picture, is drawn again


def test_a_shard_is_no_folder_of_pictures(tmp_path: Path) -> None:
    shard = drawn(tmp_path, PROMPTS, 2)[1]
    with pytest.raises(InputError, match=r"shard-1-of-2: is shard 1/2 of the pictures of 'small': join all shards"):
        read_manifest(shard)


def test_a_shard_of_pictures_is_gone_on_with(tmp_path: Path) -> None:
    first, whole = drawn(tmp_path, PROMPTS, 2, limits=Limits(max_calls=2, backoff=0.01))
    with pytest.raises(InputError, match=r"shard-0-of-2: shard 0/2 is not finished: 8 pictures not drawn; the same"):
        cb.merge([first, whole], tmp_path / "merged")
    painter = Painter(odd)
    generate_images(PROMPTS, painter, tmp_path, shard=Shard(0, 2), samples=2, limits=QUICK)
    assert len(painter.drawn) == 8  # of ten, two are there
    drawn(tmp_path, PROMPTS, 2)
    assert cb.merge([first, whole], tmp_path / "merged").records == 18


Make = Callable[[list[Path], Path], list[Path]]
WRONG: dict[str, tuple[Make, str]] = {
    "of other prompts": (
        lambda parts, new: [parts[0], drawn(new, prompt_set(2), 3)[1], parts[2]],
        r"shard-1-of-3/prompts.jsonl: is another than .*shard-0-of-3/prompts.jsonl",
    ),
    "of another seed": (
        lambda parts, new: [parts[0], drawn(new, PROMPTS, 3, seed=5)[1], parts[2]],
        r"its seed is 5, not 0",
    ),
    "killed": (
        lambda parts, new: [parts[0], killed(parts[1], new), parts[2]],
        r"new: shard 1/3 .*has no manifest",
    ),
}


def without_line(part: Path, folder: Path, name: str) -> Path:
    shutil.copytree(part, folder)
    lines = (folder / name).read_bytes().splitlines(keepends=True)
    (folder / name).write_bytes(b"".join(lines[1:]))
    return folder


def killed(part: Path, folder: Path) -> Path:
    shutil.copytree(part, folder)
    (folder / "manifest.jsonl").unlink()
    return folder


@pytest.mark.parametrize("name", WRONG)
def test_what_is_no_whole_set_of_pictures_is_named(name: str, tmp_path: Path) -> None:
    make, said = WRONG[name]
    with pytest.raises(InputError, match=said):
        cb.merge(make(drawn(tmp_path, PROMPTS, 3), tmp_path / "new"), tmp_path / "merged")
    assert not (tmp_path / "merged" / "manifest.jsonl").exists()


# ---- judged


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Images:
    return draw(LAWS, "literal", tmp_path_factory.mktemp("images"), limit=3)


def judged(
    pictures: Images, out: Path, n: int | None = None, judge: Any = "planted:random", **options: Any
) -> list[Path]:
    """The run, or the runs of all shards."""
    given = {"uncertified": True, "protocol": "checklist"} | options
    runs = [out] if n is None else [out / str(k) for k in range(n)]
    for k, run in enumerate(runs):
        cb.t2i_judge(pictures.path, judge, run, shard="" if n is None else f"{k}/{n}", **given)
    return runs


def found(run: Path) -> tuple[Any, Any]:
    """Every judged check, and the scores."""
    return load_judged(run).rows, msgspec.structs.replace(cb.t2i_score(run), run="")


@pytest.mark.parametrize(("protocol", "n"), [("checklist", 1), ("cf-eval", 2), ("direct", 30)])
def test_merged_shards_are_what_one_machine_judges(protocol: str, n: int, pictures: Images, tmp_path: Path) -> None:
    (one,) = judged(pictures, tmp_path / "one", protocol=protocol)
    shards = judged(pictures, tmp_path / "shards", n, protocol=protocol)
    before = [contents(shard) for shard in shards]
    made = cb.merge(shards[::-1], tmp_path / "merged")
    assert [contents(shard) for shard in shards] == before
    assert records(tmp_path / "merged" / "journal.jsonl") == records(one / "journal.jsonl")
    assert found(tmp_path / "merged") == found(one)
    assert (made.kind, made.shards) == ("a run about generated pictures", n)
    again = judged(pictures, tmp_path / "merged", protocol=protocol)  # a merged run is a run like any other
    assert records(again[0] / "journal.jsonl") == records(one / "journal.jsonl")


@pytest.mark.parametrize("n", [2, 5])
def test_what_follows_from_replies_is_asked_by_the_shard_that_has_them(n: int, tmp_path: Path) -> None:
    first = Check(id="there", text="Is it there?")
    then = Check(id="light", text="Is the light good?", answer_type="rating:1-5", expected="5", after="there")
    images = cards(checklist([prompt(f"g{i}", first, then) for i in range(4)]), tmp_path / "images")
    (one,) = judged(images, tmp_path / "one", protocol="", judge="planted:oracle")
    cb.merge(judged(images, tmp_path / "shards", n, protocol="", judge="planted:oracle"), tmp_path / "merged")
    assert len(records(one / "journal.jsonl")) == 8
    assert records(tmp_path / "merged" / "journal.jsonl") == records(one / "journal.jsonl")
    assert found(tmp_path / "merged") == found(one)


def test_a_shard_of_judged_pictures_is_no_run(pictures: Images, tmp_path: Path) -> None:
    shard = judged(pictures, tmp_path, 2)[0]
    for command in (["t2i", "score"], ["report", "--out", tmp_path / "a.html"]):
        result = call(*command[:2], shard) if command[0] == "t2i" else call("report", shard, *command[1:])
        assert result.exit_code == 2
        assert "is shard 0/2 of a run on" in result.stderr


JUDGED_WRONG: dict[str, tuple[Callable[[Images, list[Path], Path], list[Path]], str]] = {
    "of another protocol": (
        lambda pictures, parts, new: [parts[0], judged(pictures, new, 3, protocol="cf-eval")[1], parts[2]],
        r"1: is not of the same work as .*: its suite digest is",
    ),
    "of another judge": (
        lambda pictures, parts, new: [parts[0], judged(pictures, new, 3, "planted:oracle")[1], parts[2]],
        r"its judge is 'planted:oracle', not 'planted:random'",
    ),
    "stopped": (
        lambda pictures, parts, new: [parts[0], judged(pictures, new, 3, limits=Limits(max_calls=1))[1], parts[2]],
        r"1: shard 1/3 is not finished: \d+ questions of \d+ not asked; the same command again goes on with it",
    ),
    "without a sample": (
        lambda pictures, parts, new: [without_line(parts[0], new, "samples.jsonl"), *parts[1:]],
        r"samples.jsonl: is another than",
    ),
    "otherwise certified": (
        lambda pictures, parts, new: [parts[0], certified(parts[1], new), parts[2]],
        r"certificate.json: is another than .*new/certificate.json",
    ),
}


def certified(part: Path, folder: Path) -> Path:
    shutil.copytree(part, folder)
    formats.write_json(folder / "certificate.json", altered(certificate(), judge="another"))
    return folder


@pytest.mark.parametrize("name", JUDGED_WRONG)
def test_what_is_no_whole_set_of_runs_is_named(name: str, pictures: Images, tmp_path: Path) -> None:
    make, said = JUDGED_WRONG[name]
    with pytest.raises(InputError, match=said):
        cb.merge(make(pictures, judged(pictures, tmp_path / "parts", 3), tmp_path / "new"), tmp_path / "merged")
    assert not (tmp_path / "merged" / "run.json").exists()


def test_the_commands_merge_pictures_and_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for k in range(2):
        result = call("t2i", "generate", "laws", "--generator", "planted:literal", "--out", "images", "--limit", 2,
                      "--samples", 1, "--shard", f"{k}/2", "--max-cost", 1.5)  # fmt: skip
        assert result.exit_code == 0, result.output
        assert f"shard {k}/2; --max-cost 1.5 is for this shard alone (at most 3.00 USD for all 2)" in result.stderr
        merge = "merge images/planted-literal--shard-*-of-2 --out images/planted-literal"
        assert f"next: with all 2 shards: counterbench {merge}" in result.stdout
    parts = [f"images/planted-literal--shard-{k}-of-2" for k in range(2)]
    result = call("merge", *parts, "--out", "images/planted-literal")
    assert "images/planted-literal: 6 samples of 2 shards" in result.stdout
    for k in range(2):
        result = call("t2i", "judge", "images/planted-literal", "--judge", "planted:oracle", "--uncertified",
                      "--shard", f"{k}/2")  # fmt: skip
        assert result.exit_code == 0, result.output
        assert f"shard {k}/2" in result.stderr
        assert re.search(
            r"next: with all 2 shards: counterbench merge runs/laws--\S+--shard-\*-of-2 --out runs/laws--",
            result.stdout,
        )
    runs = sorted(Path("runs").iterdir())
    assert [run.name.rpartition("--")[2] for run in runs] == ["shard-0-of-2", "shard-1-of-2"]
    result = call("merge", *runs, "--out", "runs/merged")
    assert "next: counterbench t2i score runs/merged" in result.stdout
    assert call("t2i", "score", "runs/merged").exit_code == 0
