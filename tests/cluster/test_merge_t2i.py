"""Shards of pictures and of runs about them: for any N what they merge to is what one machine draws and asks."""

import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from cluster.shards import Other, assert_refused, contents, edit_shard, merged, records, shard_without
from commands import call, done
from pictures.carded import cards, checklist, prompt
from pictures.drawn import QUICK, Painter, failing, prompt_set
from pictures.lawful import draw, of_laws

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.errors import InputError
from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators import Drawing, DrawingRequest
from counterbench.pictures.judging.judged_run import load_judged
from counterbench.prompts.manifest import Images, prompts_in, read_manifest
from counterbench.prompts.prompt_set import Check, PromptSet
from counterbench.suites.shards import Shard

LAWS = of_laws()
PROMPTS = prompt_set(3)


def twin_prompts() -> PromptSet:
    """A set in which two groups are told the same, so that one picture is of both."""
    same = [msgspec.structs.replace(p, text=p.text.replace("g2", "g0")) for p in PROMPTS.prompts]
    return PROMPTS.holding(same)


def faulty(request: DrawingRequest) -> Drawing | None:
    """One is declined, one is no picture, one fails for good."""
    kinds = {"g0/l2/0": Drawing(refusal="no"), "g1/l1/1": Drawing(picture=b"GIF"), "g1/l3/0": failing("http-400")}
    return kinds.get(request.id)


def paint(out: Path, prompts: PromptSet, n: int | None = None, **options: Any) -> list[Path]:
    """The folder, or the folders of all shards, of two samples each."""
    shards = [None] if n is None else [Shard(k, n) for k in range(n)]
    given = {"samples": 2, "limits": QUICK} | options
    return [
        generate_images(prompts, Painter(faulty, cost=0.01), out, shard=shard, **given).images.path for shard in shards
    ]


@pytest.mark.parametrize("n", [3, 12])
@pytest.mark.parametrize("prompts", [PROMPTS, twin_prompts()], ids=["each its own", "alike"])
def test_merged_shards_are_what_one_machine_draws(prompts: PromptSet, n: int, tmp_path: Path) -> None:
    (alone,) = paint(tmp_path / "one", prompts)
    shards = paint(tmp_path / "images", prompts, n)
    assert [shard.name for shard in shards] == [f"painter--shard-{k}-of-{n}" for k in range(n)]
    whole, own = tmp_path / "images" / "painter", ("journal.jsonl", "prompts.jsonl")
    made = merged(shards, whole)
    assert contents(whole, *own) == contents(alone, *own)
    assert prompts_in(whole) == prompts_in(alone)
    assert records(whole) == records(alone)
    assert (made.kind, made.shards, made.records) == ("generated pictures", n, 18)
    again = generate_images(prompts, Painter(), tmp_path / "images", samples=2, limits=QUICK)
    assert again.progress.complete
    assert set(again.images.counts) <= {"ok", "refused"}  # what failed, and what was no picture, is drawn again


def test_a_shard_is_refused_as_a_folder_of_pictures(tmp_path: Path) -> None:
    shard = paint(tmp_path, PROMPTS, 2)[1]
    with pytest.raises(InputError, match=r"shard-1-of-2: is shard 1/2 of the pictures of 'small': join all shards"):
        read_manifest(shard)


def test_a_stopped_shard_of_pictures_resumes(tmp_path: Path) -> None:
    first, whole = paint(tmp_path, PROMPTS, 2, limits=Limits(max_calls=4, backoff=0.01))
    with pytest.raises(InputError, match=r"shard-0-of-2: shard 0/2 is not finished: 8 pictures not drawn; run"):
        cb.merge([first, whole], tmp_path / "merged")
    painter = Painter(faulty)
    generate_images(PROMPTS, painter, tmp_path, shard=Shard(0, 2), samples=2, limits=QUICK)
    assert len(painter.drawn) == 8  # of ten, two are there
    paint(tmp_path, PROMPTS, 2)
    assert cb.merge([first, whole], tmp_path / "merged").records == 18


DRAWN_WRONG: dict[str, tuple[Other, str]] = {
    "prompts": (
        lambda part, new: paint(new.parent / "b", prompt_set(2), 3)[1].rename(new),
        r"new/prompts.jsonl: differs from .*shard-0-of-3/prompts.jsonl",
    ),
    "seed": (lambda part, new: paint(new.parent / "b", PROMPTS, 3, seed=5)[1].rename(new), r"its seed is 5, not 0"),
    "killed": (shard_without("manifest.jsonl"), r"new: shard 1/3 .*has no manifest"),
}


@pytest.mark.parametrize("name", DRAWN_WRONG)
def test_a_shard_of_pictures_that_does_not_belong_is_named(name: str, tmp_path: Path) -> None:
    assert_refused(paint(tmp_path / "a", PROMPTS, 3), *DRAWN_WRONG[name], tmp_path)


@pytest.fixture(scope="module")
def law_images(tmp_path_factory: pytest.TempPathFactory) -> Images:
    return draw(LAWS, "literal", tmp_path_factory.mktemp("images"), limit=3)


def judge_images(
    pictures: Images, out: Path, n: int | None = None, judge: Any = "planted:random", **options: Any
) -> list[Path]:
    """The run, or the runs of all shards."""
    given = {"uncertified": True, "protocol": "checklist"} | options
    runs = [out] if n is None else [out / str(k) for k in range(n)]
    for k, run in enumerate(runs):
        cb.t2i_judge(pictures.path, judge, run, shard="" if n is None else f"{k}/{n}", **given)
    return runs


def rows_and_scores(run: Path) -> tuple[Any, Any]:
    """Every judged check, and the scores."""
    return load_judged(run).rows, msgspec.structs.replace(cb.t2i_score(run), run="")


@pytest.mark.parametrize(("protocol", "n"), [("checklist", 1), ("cf-eval", 2), ("direct", 30)])
def test_merged_shards_are_what_one_machine_judges(protocol: str, n: int, law_images: Images, tmp_path: Path) -> None:
    (alone,) = judge_images(law_images, tmp_path / "one", protocol=protocol)
    shards = judge_images(law_images, tmp_path / "shards", n, protocol=protocol)
    made = merged(shards, tmp_path / "merged")
    assert records(tmp_path / "merged") == records(alone)
    assert rows_and_scores(tmp_path / "merged") == rows_and_scores(alone)
    assert (made.kind, made.shards) == ("a run about generated pictures", n)
    again = judge_images(law_images, tmp_path / "merged", protocol=protocol)  # a merged run is a run like any other
    assert records(again[0]) == records(alone)


@pytest.mark.parametrize("n", [2, 5])
def test_follow_up_questions_are_asked_by_the_shard_that_has_the_replies(n: int, tmp_path: Path) -> None:
    first = Check(id="there", text="Is it there?")
    then = Check(id="light", text="Is the light good?", answer_type="rating:1-5", expected="5", after="there")
    images = cards(checklist([prompt(f"g{i}", first, then) for i in range(4)]), tmp_path / "images")
    (alone,) = judge_images(images, tmp_path / "one", protocol="", judge="planted:oracle")
    cb.merge(judge_images(images, tmp_path / "shards", n, protocol="", judge="planted:oracle"), tmp_path / "merged")
    assert len(records(alone)) == 8
    assert records(tmp_path / "merged") == records(alone)
    assert rows_and_scores(tmp_path / "merged") == rows_and_scores(alone)


def test_a_shard_of_judged_pictures_is_not_scored(law_images: Images, tmp_path: Path) -> None:
    shard = judge_images(law_images, tmp_path, 2)[0]
    for command in (["score"], ["report", "--out", tmp_path / "a.html"]):
        result = call(command[0], shard, *command[1:])
        assert result.exit_code == 2
        assert "is only shard 0/2 of a run on" in result.stderr


@pytest.mark.parametrize(
    ("protocol", "other", "message"),
    [
        ("cf-eval", None, r"new: is not of the same work as .*: its suite digest is"),
        ("checklist", edit_shard("samples.jsonl", lambda b: b.split(b"\n", 1)[1]), r"samples.jsonl: differs from"),
    ],
)
def test_a_shard_of_a_run_that_does_not_belong_is_named(
    protocol: str, other: Other | None, message: str, law_images: Images, tmp_path: Path
) -> None:
    parts = judge_images(law_images, tmp_path / "parts", 3)
    by_protocol = judge_images(law_images, tmp_path / "other", 3, protocol=protocol)
    assert_refused(parts, other or (lambda part, new: by_protocol[1].rename(new)), message, tmp_path)


def test_the_next_step_after_shards_is_to_merge_them(here: Path) -> None:
    images = "images/planted-literal"
    for k in range(2):
        result = call("t2i", "generate", "laws", "--generator", "planted:literal", "--out", "images", "--limit", 2,
                      "--samples", 1, "--shard", f"{k}/2", "--max-cost", 1.5)  # fmt: skip
        assert f"shard {k}/2, with 0.750 USD of 1.50 USD" in result.stderr
        assert f"next: after all 2 shards: counterbench merge {images}--shard-*-of-2 --out {images}" in result.stdout
    merged = done("merge", *(f"{images}--shard-{k}-of-2" for k in range(2)), "--out", images)
    assert f"{images}: 6 samples of 2 shards" in merged
    for k in range(2):
        result = call("t2i", "judge", images, "--judge", "planted:oracle", "--uncertified", "--shard", f"{k}/2")
        assert f"shard {k}/2" in result.stderr
        merge = r"next: after all 2 shards: counterbench merge runs/laws--\S+--shard-\*-of-2 --out runs/laws--"
        assert re.search(merge, result.stdout)
    merged = done("merge", *(here / "runs").iterdir(), "--out", "runs/merged")
    assert "next: counterbench score runs/merged" in merged
    done("score", "runs/merged")
