"""Prompts to pictures on disk: journaled, resumed without loss, and every outcome recorded as what it is."""

import asyncio
import json
import os
import signal
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pictures.drawn import QUICK, Painter, failing, painting, painting_digest, prompt_set
from PIL import Image

from counterbench.answers.outcomes import Failed
from counterbench.drawing import png, reading
from counterbench.errors import InputError, JudgeError
from counterbench.pictures.generation.generate import Generated, generate_images
from counterbench.pictures.generation.samples import seed_of
from counterbench.pictures.generators import Drawing, DrawingRequest
from counterbench.prompts.manifest import MANIFEST_FILE, read_manifest
from counterbench.runs.folder import read_journal


def drawn(out: Path, painter: Painter | None = None, groups: int = 1, samples: int = 1) -> Generated:
    return generate_images(prompt_set(groups), painter or Painter(), out, samples=samples, limits=QUICK)


def test_every_sample_is_drawn_once_and_described_in_the_manifest(tmp_path: Path) -> None:
    prompts, painter = prompt_set(2), Painter()
    done_counts = []
    made = generate_images(
        prompts, painter, tmp_path, samples=3, seed=5, limits=QUICK, on_progress=lambda p: done_counts.append(p.done)
    )
    assert made.progress.complete
    assert made.images == read_manifest(tmp_path / "painter")
    assert painter.drawn == dict.fromkeys([f"{p.id}/{k}" for p in prompts.prompts for k in range(3)], 1)
    assert painter.closed == 1
    assert done_counts[0] == 0
    assert done_counts[-1] == 18
    for row in made.images.rows:
        prompt = prompts.by_id[f"{row.group}/{row.level}"]
        assert (row.prompt, row.prompt_digest, row.status) == (prompt.text, prompt.digest, "ok")
        assert row.seed == painter.requests[row.id].seed == seed_of(prompt, row.sample, 5)
        assert row.path == f"{row.group}/{row.level}/{row.sample}.png"
        data = made.images.file(row).read_bytes()
        assert row.picture_digest == painting_digest(prompt.text, row.seed) == reading.normalised(data).digest
        assert (row.width, row.height) == (8, 8)
    assert len({row.picture_digest for row in made.images.rows}) == 18
    info = made.images.info
    assert (info.prompts, info.generator, info.samples, info.seed) == ("small", "painter", 3, 5)
    assert made.images.prompts == prompts


def test_a_seed_depends_on_the_words_the_sample_and_the_runs_seed_alone() -> None:
    many, few = prompt_set(3), prompt_set(1)
    first = few.prompts[0]
    assert seed_of(first, 0, 0) == seed_of(many.by_id[first.id], 0, 0)
    seeds = {seed_of(prompt, k, seed) for prompt in many.prompts for k in range(4) for seed in (0, 1)}
    assert len(seeds) == 9 * 4 * 2
    assert [seed for seed in seeds if not 0 <= seed < 2**31] == []
    assert seed_of(first, 0, 0) == 802277169  # kept from version to version: pictures can be drawn again


def odd_ones(request: DrawingRequest) -> Drawing | None:
    """Each level of a group is odd in a way of its own."""
    if request.group == "g0":
        return None
    if request.level == "l1":
        return Drawing(refusal="I would rather not.", model="shy-1")
    if request.level == "l2":
        return Drawing(picture=png.encode(Image.new("RGB", (4, 4), "black")), cost=0.25)
    return Drawing(picture=painting(request.text, request.seed)[:50])


def test_only_unreadable_pictures_and_not_refused_or_blank_are_drawn_again(tmp_path: Path) -> None:
    made = drawn(tmp_path, Painter(odd_ones), groups=2)
    refused, blank, unreadable = made.images.rows[3:]
    assert (made.progress.complete, made.progress.done, made.progress.failed) == (False, 5, 1)
    assert made.images.counts == {"ok": 3, "blank": 1, "refused": 1, "unreadable": 1}
    fields = (refused.status, refused.path, refused.message, refused.model)
    assert fields == ("refused", "", "I would rather not.", "shy-1")
    assert (blank.status, blank.path, blank.message, blank.cost) == ("blank", "g1/l2/0.png", "one flat colour", 0.25)
    assert unreadable.status == "unreadable"
    assert "not a readable picture" in unreadable.message
    assert unreadable.path == "", "what came may be anything that the server could reach"
    outcomes = {record.id: record.outcome for record in read_journal(made.images.path / "journal.jsonl")}
    assert outcomes == {row.id: "refused" if row.status == "refused" else "answer" for row in made.images.rows}
    again = Painter(odd_ones)
    assert drawn(tmp_path, again, groups=2).images == made.images
    assert again.drawn == {"g1/l3/0": 1}


def test_pictures_of_another_checkpoint_of_the_same_name_are_refused(tmp_path: Path) -> None:
    painter = Painter()
    for painter.checkpoint in ("aaa", "aaa"):  # type: ignore[attr-defined]
        made = drawn(tmp_path, painter)
        assert made.images.info.checkpoint == "aaa"
    painter.checkpoint = "bbb"  # type: ignore[attr-defined]
    with pytest.raises(InputError, match=r"holds other pictures: their checkpoint is 'aaa', not 'bbb'"):
        drawn(tmp_path, painter)


def test_a_failure_is_missing_and_asked_again_on_resume(tmp_path: Path) -> None:
    made = drawn(tmp_path, Painter(lambda r: failing() if r.level == "l2" else None), samples=2)
    assert not made.progress.complete
    assert (made.progress.done, made.progress.failed) == (4, 2)
    missing = [row for row in made.images.rows if row.status == "missing"]
    assert [row.id for row in missing] == ["g0/l2/0", "g0/l2/1"]
    assert {row.message for row in missing} == {"broken: it did not work"}
    painter = Painter()
    again = drawn(tmp_path, painter, samples=2)
    assert again.progress.complete
    assert painter.drawn == {"g0/l2/0": 1, "g0/l2/1": 1}
    assert again.images.counts == {"ok": 6}
    attempts = Counter(record.id for record in read_journal(again.images.path / "journal.jsonl"))
    assert attempts == Counter({row.id: 1 for row in again.images.rows}) + Counter(painter.drawn)


@pytest.mark.parametrize("wrong", [RuntimeError("no"), "nothing", ()])
def test_a_generator_that_breaks_its_contract_fails_and_loses_nothing(tmp_path: Path, wrong: object) -> None:
    class Wrong(Painter):
        async def draw(self, batch):  # type: ignore[no-untyped-def]
            if batch[0].level == "l1":
                if isinstance(wrong, Exception):
                    raise wrong
                return wrong if isinstance(wrong, tuple) else ["no drawing"]
            return await super().draw(batch)

    made = drawn(tmp_path, Wrong())
    assert made.images.counts == {"ok": 2, "missing": 1}
    assert drawn(tmp_path).images.counts == {"ok": 3}


def test_a_generator_that_cannot_draw_at_all_ends_the_run_and_keeps_what_was_drawn(tmp_path: Path) -> None:
    stop = Drawing(failure=Failed("http-401", "who are you"), stop="check the key")
    painter = Painter(lambda r: stop if r.level == "l2" else None)
    painter.max_in_flight = 1
    with pytest.raises(JudgeError, match="check the key"):
        drawn(tmp_path, painter)
    images = read_manifest(tmp_path / "painter")
    assert [row.status for row in images.rows] == ["ok", "missing", "missing"]
    assert images.rows[1].message == "http-401: who are you"
    assert images.rows[2].message == "not drawn yet"


def test_a_picture_that_was_deleted_is_drawn_anew(tmp_path: Path) -> None:
    made = drawn(tmp_path)
    made.images.file(made.images.rows[1]).unlink()
    with pytest.raises(
        InputError,
        match=r"jsonl, line 2: the file g0/l2/0\.png of 'g0/l2/0' is not there; the same `t2i generate` again draws",
    ):
        read_manifest(made.images.path)
    painter = Painter()
    again = drawn(tmp_path, painter)
    assert painter.drawn == {"g0/l2/0": 1}
    assert again.images == made.images


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"samples": 2}, "holds other pictures: their samples is 1, not 2"),
        ({"seed": 1}, "holds other pictures: their seed is 0, not 1"),
        ({"samples": 0}, "must be from 1"),
        ({"limit": 0}, "must be at least 1"),
    ],
)
def test_another_seed_or_size_and_zero_samples_are_refused(tmp_path: Path, change: dict[str, int], why: str) -> None:
    drawn(tmp_path)
    with pytest.raises(InputError, match=why):
        generate_images(prompt_set(1), Painter(), tmp_path, **({"samples": 1} | change))


@given(cut=st.floats(0, 1), torn=st.booleans())
@settings(max_examples=10)
def test_a_journal_cut_anywhere_draws_no_recorded_picture_twice(
    tmp_path_factory: pytest.TempPathFactory, cut: float, torn: bool
) -> None:
    """A picture is on disk before its record: a kill leaves whole records, perhaps half a line, and no manifest."""
    out = tmp_path_factory.mktemp("out")
    made = drawn(out, groups=2, samples=2)
    journal = made.images.path / "journal.jsonl"
    lines = journal.read_bytes().splitlines(keepends=True)
    kept = lines[: int(cut * len(lines))]
    journal.write_bytes(b"".join(kept) + (lines[0][:40] if torn else b""))
    (made.images.path / MANIFEST_FILE).unlink()
    with pytest.raises(InputError, match=r"stopped before manifest\.jsonl was written"):
        read_manifest(made.images.path)
    painter = Painter()
    again = drawn(out, painter, groups=2, samples=2)
    assert again.images.rows == made.images.rows
    recorded = {json.loads(line)["id"] for line in kept}
    assert painter.drawn == {row.id: 1 for row in made.images.rows if row.id not in recorded}


def test_a_generator_may_be_given_a_name(tmp_path: Path) -> None:
    made = generate_images(prompt_set(1), Painter(), tmp_path, samples=1, name="mine")
    assert made.images.path == tmp_path / "mine"
    assert made.images.info.generator == Painter().name
    named = [generate_images(prompt_set(1), Painter(), tmp_path, samples=1, name=name) for name in ("é", "模型")]
    assert len({result.images.path for result in named}) == 2
    assert [result for result in named if not result.images.path.name.isascii()] == []
    with pytest.raises(InputError, match="short name"):
        generate_images(prompt_set(1), Painter(), tmp_path, name="x" * 40)


def test_an_interrupted_generation_writes_its_manifest(tmp_path: Path) -> None:
    class Interrupted(Painter):
        async def draw(self, batch):  # type: ignore[no-untyped-def]
            if len(self.drawn) == 3:
                await asyncio.sleep(0.2)  # until what was drawn is in the journal
                os.kill(os.getpid(), signal.SIGINT)
                await asyncio.sleep(30)
            return await super().draw(batch)

    painter = Interrupted()
    painter.max_in_flight = 1
    with pytest.raises(KeyboardInterrupt):
        generate_images(prompt_set(2), painter, tmp_path, samples=1, limits=QUICK)
    assert painter.closed == 1
    assert read_manifest(tmp_path / "painter").counts == {"ok": 3, "missing": 3}
    rest = Painter()
    assert generate_images(prompt_set(2), rest, tmp_path, samples=1, limits=QUICK).images.counts == {"ok": 6}
    assert not rest.drawn.keys() & painter.drawn.keys()
