"""The sample that each picture is, by a table's columns or by paths; nothing is guessed in silence."""

from pathlib import Path

import pytest
from pictures.own_pictures import draw_ball, table
from sweeping import swept

from counterbench.errors import InputError
from counterbench.files.rows import Row
from counterbench.pictures.importing.places import Finder, places_in_folder, places_in_table, read_material
from counterbench.prompts.items import PromptItems
from counterbench.prompts.prompt_set import Prompt, PromptSet

PROMPTS = PromptSet(
    "mine",
    ("image",),
    [
        Prompt.at(id, "image", text)
        for id, text in (
            ("bench", "a photo of a green bench"),
            ("two-cats", "two cats under a tree"),
            ("cat.7", "one more cat"),
        )
    ],
    protocol="checklist",
)
FIND = Finder(PROMPTS).find


def items(*cells: dict[str, object]) -> PromptItems:
    return PromptItems(Path("there/t.csv"), [Row(n, row, [*row], Path("t.csv")) for n, row in enumerate(cells, 2)], [])


def placed(*cells: dict[str, object]) -> list[tuple[str, str, int]]:
    return [(place.model, place.prompt, place.sample) for place in places_in_table(items(*cells), FIND, "t").placed]


def test_a_row_belongs_to_the_prompt_with_its_id_or_its_exact_words() -> None:
    assert placed(
        {"image": "a.png", "id": "bench"},
        {"image": "c.png", "id": "cat.7/image", "prompt": "one more cat", "sample": "3"},
        {"image": "d.png", "id": "cat.7"},
    ) == [("t", "bench/image", 0), ("t", "cat.7/image", 3), ("t", "cat.7/image", 4)]
    assert placed({"image": "b.png", "prompt": "two cats under a tree", "model": "flux"}) == [
        ("flux", "two-cats/image", 0)
    ]


def test_a_row_without_a_match_is_named_with_the_nearest_three() -> None:
    found = places_in_table(
        items({"image": "a.png", "prompt": "two cats under a treee"}, {"prompt": "one more cat"}), FIND
    )
    assert not found.placed
    no_match, no_picture = found.unused
    assert no_match.startswith(
        "t.csv, line 2: no prompt is 'two cats under a treee'; the nearest: 'two cats under a tree', "
    )
    assert no_match.count("'") == 2 * (1 + 3)
    assert no_picture == "t.csv, line 3: it names no picture"
    (wrong,) = places_in_table(items({"image": "a.png", "id": "bench", "prompt": "one more cat"}), FIND).unused
    assert wrong == "t.csv, line 2: its id 'bench' is of another prompt: 'a photo of a green bench'"


def test_rows_of_one_picture_are_one_sample_and_of_two_pictures_two() -> None:
    same = {"image": "a.png", "id": "bench"}
    assert placed({**same, "question": "Is it green?"}, {**same, "question": "Is it a bench?"}) == [
        ("t", "bench/image", 0)
    ]
    with pytest.raises(InputError, match=r"line 3: is sample 0 of 'bench/image' by 't', as t.csv, line 2 is"):
        placed({**same, "sample": 0}, {"image": "b.png", "id": "bench", "sample": 0})
    with pytest.raises(InputError, match=r"line 2, column 'sample': 'first' is no whole number"):
        placed({**same, "sample": "first"})


@swept(
    ("path", "expected"),
    [
        ("flux/bench.png", ("flux", "bench", 0)),
        ("flux/two_cats-1.png", ("flux", "two-cats", 1)),
        ("flux/anything/cat.7/2.jpg", ("flux", "cat.7", 2)),
        ("flux/a-photo-of-a-green-bench.webp", ("flux", "bench", 0)),
        ("flux/a-photo-of-a-green-benc_3.png", ("flux", "bench", 3)),
        ("flux/00001.png", ("flux", "two-cats", 0)),
        ("flux/00002/samples/0001.png", ("flux", "cat.7", 1)),
        ("flux/task/image/bench/image/0.png", ("flux", "bench", 0)),
    ],
)
def test_a_file_is_named_by_id_words_or_index_at_any_depth(
    path: str, expected: tuple[str, str, int], tmp_path: Path
) -> None:
    draw_ball(tmp_path / path, "red", 0) if path.endswith(".png") else _touch(tmp_path / path)
    model, group, sample = expected
    found = places_in_folder(tmp_path, PROMPTS)
    assert (found.unused, [(place.model, place.prompt, place.sample) for place in found.placed]) == (
        [],
        [(model, f"{group}/image", sample)],
    )


def _touch(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()


def test_a_file_that_is_no_sample_is_named_with_the_reason(tmp_path: Path) -> None:
    reasons = {
        "flux/9.png": "no prompt is called so; the nearest: ",
        "flux/b/bench.png": "is sample 0 of bench/image, as flux/a/bench.png is, which is used",
        "flux/bench-20261124.png": "would be sample 20261124 of bench/image; samples are 0 to 999",
        "flux/horse.png": "no prompt is called so; the nearest: ",
    }
    for path in ("flux/a/bench.png", *reasons):
        _touch(tmp_path / path)
    found = places_in_folder(tmp_path, PROMPTS)
    assert len(found.placed) == 1
    for note, (path, why) in zip(found.unused, reasons.items(), strict=True):
        assert note.startswith(f"{path}: {why}")


def test_a_table_is_read_with_its_own_prompts_or_with_others(tmp_path: Path) -> None:
    own = read_material(table(tmp_path, 3))
    assert ([prompt.text for prompt in own.prompts.prompts][:1], len(own.placed)) == (["a red ball on table aa"], 6)
    with pytest.raises(InputError, match="no picture belongs to a prompt of 'mine' "):
        read_material(tmp_path / "table.csv", PROMPTS)
    with pytest.raises(InputError, match="is a folder of pictures; name the file of their prompts"):
        read_material(tmp_path / "pictures")
    with pytest.raises(InputError, match="there is no such table or folder"):
        read_material(tmp_path / "nothing.csv")


def test_rows_without_a_prompt_and_repeated_rows_are_left_out_by_name(tmp_path: Path) -> None:
    path = table(tmp_path, 3)
    header, first, *others = path.read_text(encoding="utf-8").splitlines()
    cells = first.split(",")
    empty = ",".join("" if name == "prompt" else cell for name, cell in zip(header.split(","), cells, strict=True))
    path.write_text("\n".join([header, first, *others, first, empty]) + "\n", encoding="utf-8")
    read = read_material(path)
    assert (len(read.placed), len(read.prompts.prompts)) == (6, 3)
    assert read.notes == [f"{path}, line 8: says the same as line 2", f"{path}, line 9: its prompt is empty"]
