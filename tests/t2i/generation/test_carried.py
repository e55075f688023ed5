"""A folder of pictures binds the words of its prompts alone, and carries them: checks and prompts may come later."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from t2i.drawn import LEVELS, QUICK, Painter, as_before, files, prompt_set

from counterbench.errors import InputError
from counterbench.t2i.generation.generate import Generated, generate_images
from counterbench.t2i.generators import Drawing, DrawingRequest
from counterbench.t2i.images.manifest import MANIFEST_FILE, PROMPTS_FILE, read_manifest
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.prompts.prompt_set import Check, PromptSet

OTHER = Check(id="other", text="Is it another?", dimension="visual-integrity", weight=2)


def drawn(prompts: PromptSet, out: Path, limit: int | None = None, painter: Painter | None = None) -> Generated:
    return generate_images(prompts, painter or Painter(), out, samples=1, limit=limit, limits=QUICK)


def with_checks(prompts: PromptSet, *checks: Check) -> PromptSet:
    return prompts.of([msgspec.structs.replace(prompt, checks=checks) for prompt in prompts.prompts])


def with_words(prompts: PromptSet, *ids: str) -> PromptSet:
    """The set with other words in some prompts."""
    return prompts.of([msgspec.structs.replace(p, text=p.text + "!") if p.id in ids else p for p in prompts.prompts])


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files(folder)}


# ---- what it carries


def test_it_carries_the_prompts_that_were_asked_for_as_soon_as_one_is_drawn(tmp_path: Path) -> None:
    prompts, seen = prompt_set(3), []

    def looks(request: DrawingRequest) -> None:
        seen.append(load_prompts(tmp_path / "painter" / PROMPTS_FILE))

    made = drawn(prompts, tmp_path, 2, Painter(looks)).images
    asked = prompts.of(prompts.first(2))
    assert made.prompts == asked
    assert seen == [asked] * 6
    said = json.loads((made.path / "images.json").read_bytes())
    assert said["format"] == "counterbench.images/2"
    assert not {"prompts_digest", "groups"} & said.keys()


def test_a_part_of_a_set_is_carried_with_the_weights_of_its_categories(tmp_path: Path) -> None:
    several = [msgspec.structs.replace(prompt, category=prompt.group) for prompt in prompt_set(2).prompts]
    prompts = PromptSet("small", LEVELS, several, 7, "checklist", {"g0": 1, "g1": 3})
    carried = drawn(prompts, tmp_path, 1).images.prompts
    assert carried is not None
    assert (carried.category_weights, carried.protocol, carried.seed) == ({"g0": 1}, "checklist", 7)
    assert drawn(prompts, tmp_path).images.prompts == prompts


# ---- more of it


def test_what_is_added_to_a_set_is_drawn_and_its_newest_checks_are_carried(tmp_path: Path) -> None:
    first = drawn(prompt_set(["a", "b"]), tmp_path).images
    more = with_checks(prompt_set(["new", "a", "b"], name="renamed"), OTHER)
    painter = Painter()
    again = drawn(more, tmp_path, painter=painter)
    assert painter.drawn == {f"new/{level}/0": 1 for level in LEVELS}
    assert (again.images.prompts, again.images.info.prompts) == (more, "renamed")
    assert set(first.rows) < set(again.images.rows)
    untouched = Painter()
    drawn(more, tmp_path, painter=untouched)
    assert not untouched.drawn


def test_what_was_asked_for_once_stays_asked_for(tmp_path: Path) -> None:
    """Also beyond the limit, in another order, and where the set has it no more: that with the checks that it had."""
    first = drawn(prompt_set(["a", "b", "c"]), tmp_path, 2)
    other = with_checks(prompt_set(["d", "b", "e"], levels=("l0", "l1", "l2")), OTHER)
    painter = Painter()
    made = drawn(other, tmp_path, 1, painter)
    assert set(painter.drawn) == {"d/l0/0", "d/l1/0", "d/l2/0"}
    assert (made.progress.total, made.progress.done) == (3, 3)
    carried = made.images.prompts
    assert carried is not None
    assert list(carried.by_id) == ["d/l0", "d/l1", "d/l2", "b/l1", "b/l2", "a/l1", "a/l2", "a/l3", "b/l3"]
    assert carried.levels == ("l0", "l1", "l2", "l3")
    assert carried.by_id["b/l1"].checks == (OTHER,)
    assert carried.by_id["b/l3"] == first.images.prompts.by_id["b/l3"]  # type: ignore[union-attr]
    assert {row.id: row.picture_digest for row in made.images.rows}.items() >= {
        row.id: row.picture_digest for row in first.images.rows
    }.items()


def test_a_prompt_that_failed_stays_asked_for_in_a_set_that_has_it_no_more(tmp_path: Path) -> None:
    def odd(request: DrawingRequest) -> Drawing | None:
        return Drawing(refusal="no") if request.group == "a" and request.level == "l1" else None

    drawn(prompt_set(["a", "b"]), tmp_path, painter=Painter(odd))
    made = drawn(prompt_set(["b", "c"]), tmp_path).images
    assert {row.id: row.status for row in made.rows}["a/l1/0"] == "refused"


# ---- what it refuses


def test_other_words_of_a_prompt_are_other_pictures(tmp_path: Path) -> None:
    folder = drawn(prompt_set(2), tmp_path, 1).images.path
    before = contents(folder)
    with pytest.raises(
        InputError, match=r"painter: holds pictures of other words: .*'g0/l2' .*and those of 1 more.*--out"
    ):
        drawn(with_words(prompt_set(2), "g0/l2", "g0/l3"), tmp_path)
    assert contents(folder) == before
    drawn(with_words(prompt_set(2), "g1/l2"), tmp_path)  # of which nothing was asked for yet


def test_another_set_altogether_is_not_mixed_in(tmp_path: Path) -> None:
    folder = drawn(prompt_set(["a"]), tmp_path).images.path
    before = contents(folder)
    with pytest.raises(InputError, match=r"holds pictures of other prompts: none .* of 'small' is in 'rules'; choose"):
        drawn(prompt_set(["b"], name="rules"), tmp_path)
    assert contents(folder) == before


# ---- stopped in between


def test_a_folder_stopped_before_its_prompts_were_there_is_gone_on_with(tmp_path: Path) -> None:
    folder = drawn(prompt_set(1), tmp_path).images.path
    for name in (PROMPTS_FILE, MANIFEST_FILE):
        (folder / name).unlink()
    untouched = Painter()
    assert drawn(prompt_set(2), tmp_path, 1, untouched).images.prompts == prompt_set(1)
    assert not untouched.drawn


def test_prompts_that_were_deleted_are_known_from_the_manifest(tmp_path: Path) -> None:
    folder = drawn(prompt_set(2), tmp_path).images.path
    (folder / PROMPTS_FILE).unlink()
    with pytest.raises(InputError, match=r"its prompts\.jsonl is not there; the same `t2i generate` again writes it"):
        read_manifest(folder)
    with pytest.raises(InputError, match="holds pictures of other words"):
        drawn(with_words(prompt_set(2), "g1/l1"), tmp_path)
    assert drawn(prompt_set(2), tmp_path, 1).images.prompts == prompt_set(2)


# ---- folders of the version before


def test_the_same_command_goes_on_with_a_folder_of_the_version_before(tmp_path: Path) -> None:
    prompts = prompt_set(3)
    made = drawn(prompts, tmp_path, 2).images
    as_before(made, prompts, 2)
    painter = Painter()
    again = drawn(prompts, tmp_path, painter=painter).images
    assert set(painter.drawn) == {f"g2/{level}/0" for level in LEVELS}
    assert (again.prompts, again.info) == (prompts, made.info)
    assert read_manifest(made.path) == again


def test_it_goes_on_with_other_checks_and_less_of_the_set_and_not_with_other_words(tmp_path: Path) -> None:
    prompts = prompt_set(["a", "b"])
    made = drawn(prompts, tmp_path).images
    as_before(made, prompts, 2)
    with pytest.raises(InputError, match="holds pictures of other words: the words of prompt 'b/l1'"):
        drawn(with_words(prompts, "b/l1"), tmp_path)
    untouched = Painter()
    again = drawn(with_checks(prompt_set(["b"]), OTHER), tmp_path, painter=untouched).images
    assert not untouched.drawn
    assert again.prompts is not None
    assert {id: prompt.checks for id, prompt in again.prompts.by_id.items()} == {
        **{f"b/{level}": (OTHER,) for level in LEVELS},
        **{f"a/{level}": () for level in LEVELS},  # that version kept none
    }
    assert set(again.rows) == set(made.rows)


def test_of_one_that_was_killed_the_set_itself_must_be_as_it_was(tmp_path: Path) -> None:
    prompts = prompt_set(["a", "b", "c"])
    made = drawn(prompts, tmp_path, 2).images
    as_before(made, prompts, 2)
    (made.path / MANIFEST_FILE).unlink()
    with pytest.raises(InputError, match=r"stopped while it drew 'small' as that was then; have that version finish"):
        drawn(with_checks(prompts, OTHER), tmp_path)
    untouched = Painter()
    assert drawn(prompts, tmp_path, 1, untouched).images.prompts == prompts.of(prompts.first(2))
    assert not untouched.drawn
