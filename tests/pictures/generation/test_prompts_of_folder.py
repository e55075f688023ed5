"""A folder of pictures binds the words of its prompts alone: checks and prompts may come later."""

import json
from pathlib import Path

import msgspec
import pytest
from pictures.drawn import LEVELS, QUICK, Painter, files, prompt_set

from counterbench.errors import InputError
from counterbench.pictures.generation.generate import Generated, generate_images
from counterbench.pictures.generators import DrawingRequest
from counterbench.prompts.files import load_prompts
from counterbench.prompts.manifest import MANIFEST_FILE, PROMPTS_FILE
from counterbench.prompts.prompt_set import Check, PromptSet

OTHER = Check(id="other", text="Is it another?", dimension="visual-integrity", weight=2)


def draw_into(prompts: PromptSet, out: Path, limit: int | None = None, painter: Painter | None = None) -> Generated:
    return generate_images(prompts, painter or Painter(), out, samples=1, limit=limit, limits=QUICK)


def with_checks(prompts: PromptSet, *checks: Check) -> PromptSet:
    return prompts.holding([msgspec.structs.replace(prompt, checks=checks) for prompt in prompts.prompts])


def with_words(prompts: PromptSet, *ids: str) -> PromptSet:
    """The set with other words in some prompts."""
    return prompts.holding(
        [msgspec.structs.replace(p, text=p.text + "!") if p.id in ids else p for p in prompts.prompts]
    )


def contents(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in files(folder)}


# ---- what it carries


def test_a_folder_holds_its_prompts_before_the_first_picture(tmp_path: Path) -> None:
    prompts, folder_prompts = prompt_set(3), []

    def looks(request: DrawingRequest) -> None:
        folder_prompts.append(load_prompts(tmp_path / "painter" / PROMPTS_FILE))

    made = draw_into(prompts, tmp_path, 2, Painter(looks)).images
    expected = prompts.holding(prompts.first(2))
    assert made.prompts == expected
    assert folder_prompts == [expected] * 6
    manifest = json.loads((made.path / "images.json").read_bytes())
    assert manifest["format"] == "counterbench.images/2"
    assert not {"prompts_digest", "groups"} & manifest.keys()


# ---- more of it


def test_added_prompts_are_drawn_and_the_newest_checks_kept(tmp_path: Path) -> None:
    first = draw_into(prompt_set(["a", "b"]), tmp_path).images
    more = with_checks(prompt_set(["new", "a", "b"]), OTHER)
    painter = Painter()
    again = draw_into(more, tmp_path, painter=painter)
    assert painter.drawn == {f"new/{level}/0": 1 for level in LEVELS}
    assert again.images.prompts == more
    assert set(first.rows) < set(again.images.rows)
    untouched = Painter()
    draw_into(more, tmp_path, painter=untouched)
    assert not untouched.drawn


# ---- what it refuses


def test_a_folder_of_pictures_of_other_words_is_refused(tmp_path: Path) -> None:
    folder = draw_into(prompt_set(2), tmp_path, 1).images.path
    before = contents(folder)
    with pytest.raises(InputError, match=r"painter: holds pictures of other prompts: 'g0/l2' .*\(2 such in all\)"):
        draw_into(with_words(prompt_set(2), "g0/l2", "g0/l3"), tmp_path)
    with pytest.raises(InputError, match=r"holds pictures of other prompts: 'g0/l1' of 'small' .* 'rules'"):
        draw_into(prompt_set(["b"], name="rules"), tmp_path)
    assert contents(folder) == before
    draw_into(with_words(prompt_set(2), "g1/l2"), tmp_path)  # of which nothing was asked for yet


# ---- stopped in between


def test_a_folder_stopped_before_its_prompts_were_written_resumes(tmp_path: Path) -> None:
    folder = draw_into(prompt_set(1), tmp_path).images.path
    for name in (PROMPTS_FILE, MANIFEST_FILE):
        (folder / name).unlink()
    untouched = Painter()
    assert draw_into(prompt_set(2), tmp_path, 1, untouched).images.prompts == prompt_set(1)
    assert not untouched.drawn
