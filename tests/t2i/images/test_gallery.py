"""Contact sheets of generated pictures: each in its place, what is not there said, bounded whatever there is."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest
from PIL import Image
from t2i.drawn import QUICK, Painter, painting, prompt_set

from counterbench.drawing import reading
from counterbench.errors import InputError
from counterbench.t2i.generation.generate import generate_images
from counterbench.t2i.generators import Drawing, DrawingRequest
from counterbench.t2i.images import gallery
from counterbench.t2i.images.gallery import _COLOURS, _EMPTY, GAP, MARGIN, MOST, THUMB, Note, picture_sheet
from counterbench.t2i.images.manifest import ImageRow, Images

STEP = THUMB + GAP


def drawn(request: DrawingRequest) -> Drawing:
    return Drawing(picture=painting(request.id, 0, (2 * THUMB, 2 * THUMB)))


def made(folder: Path, groups: int = 2, samples: int = 2, odd: dict[str, Drawing] | None = None) -> Images:
    painter = Painter(lambda request: (odd or {}).get(request.id) or drawn(request))
    return generate_images(prompt_set(groups), painter, folder, samples=samples, limits=QUICK).images


def thumbnail(id: str) -> Image.Image:
    image = reading.decode(painting(id, 0, (2 * THUMB, 2 * THUMB)))
    image.thumbnail((THUMB, THUMB), Image.Resampling.BOX)
    return image


def tops(sheet: Image.Image, x: int, thumb: Image.Image) -> list[int]:
    """Where in the column of pictures at `x` this one stands."""
    column = np.asarray(sheet.crop((x, 0, x + THUMB, sheet.height)))
    wanted = np.asarray(thumb)
    first = np.flatnonzero((column[: sheet.height - THUMB + 1, 0] == wanted[0, 0]).all(axis=-1))
    return [int(y) for y in first if (column[y : y + THUMB] == wanted).all()]


def column(level: int, sample: int, across: int) -> int:
    return MARGIN + (level * across + sample) * STEP


def test_what_there_is_no_room_for_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    text = gallery._text
    monkeypatch.setattr(
        gallery, "_text", lambda words, *more, **other: said.append(words) or text(words, *more, **other)
    )
    images = made(tmp_path / "i", groups=1, samples=1)
    for many in (10, 13):
        notes = {row.id: [Note(f"check {n}", "right") for n in range(many)] for row in images.rows}
        feet = {"g0": [f"question {n}" for n in range(many)]}
        picture_sheet(images.path, images.rows, tmp_path / f"{many}.png", title=["x"], notes=notes, feet=feet)
        assert said.count("… and 3 more") == (0 if many == 10 else len(images.rows) + 1)


@pytest.mark.parametrize("each", [1, 2])
def test_groups_below_each_other_levels_and_samples_side_by_side(tmp_path: Path, each: int) -> None:
    images = made(tmp_path / "i", samples=2)
    shown = picture_sheet(images.path, images.rows, tmp_path / "s" / "sheet.png", title=["x"], each=each)
    assert [row.id for row in shown.rows] == [row.id for row in images.rows if row.sample < each]
    assert shown.counts == f"{6 * each} of 12 samples"
    sheet = reading.read(tmp_path / "s" / "sheet.png")
    found: dict[str, set[int]] = {"g0": set(), "g1": set()}
    for row in shown.rows:
        beside = 3 * STEP + GAP if each == 1 and row.group == "g1" else 0  # so few that two groups fit
        (top,) = tops(sheet, beside + column(["l1", "l2", "l3"].index(row.level), row.sample, each), thumbnail(row.id))
        found[row.group].add(top)
    assert [len(of) for of in found.values()] == [1, 1]
    assert (max(found["g0"]) < min(found["g1"]) - THUMB) == (each == 2)


def test_what_is_not_there_is_a_field_that_says_why(tmp_path: Path) -> None:
    images = made(tmp_path / "i", 1, 1, {"g0/l1/0": Drawing(refusal="I would rather not.")})
    picture_sheet(images.path, images.rows, tmp_path / "sheet.png", title=["x"])
    sheet = reading.read(tmp_path / "sheet.png")
    (top,) = tops(sheet, column(1, 0, 1), thumbnail("g0/l2/0"))
    field = np.asarray(sheet.crop((MARGIN, top, MARGIN + THUMB, top + THUMB)))
    assert (field == _EMPTY).all(axis=-1).mean() > 0.9
    inked = np.flatnonzero((field[2:-2, 2:-2].max(axis=-1) < 128).any(axis=1))
    assert len(inked) > 15  # two lines of letters


def test_notes_stand_below_their_picture_with_their_marks(tmp_path: Path) -> None:
    images = made(tmp_path / "i", 1, 1)
    marks = ("right", "lost", "wrong", "partly", "noted")
    notes = {"g0/l2/0": [Note(f"check {mark}", mark) for mark in marks]}
    plain = picture_sheet(images.path, images.rows, tmp_path / "plain.png", title=["x"])
    picture_sheet(images.path, images.rows, tmp_path / "s.png", title=["x"], notes=notes, feet={"g0": ["Is it?"] * 99})
    assert len(plain.rows) == 3
    sheet = reading.read(tmp_path / "s.png")
    assert 100 < sheet.height - reading.read(tmp_path / "plain.png").height < 600  # feet are counted
    for level, expected in enumerate(((), marks, ())):
        x = column(level, 0, 1)
        (top,) = tops(sheet, x, thumbnail(f"g0/l{level + 1}/0"))
        below = np.asarray(sheet.crop((x, top + THUMB, x + 18, top + THUMB + 170)))
        at = {mark: np.flatnonzero((below == colour).all(axis=-1).any(axis=1)) for mark, colour in _COLOURS.items()}
        seen = sorted((mark for mark in at if len(at[mark])), key=lambda mark: at[mark].min())
        assert tuple(seen) == expected


@pytest.mark.parametrize(
    ("groups", "levels", "samples", "each"), [(500, 3, 4, 2), (1, 60, 1, 20), (5, 1, 1000, 20), (1, 1, 1, 1)]
)
def test_a_sheet_is_bounded_and_shows_groups_from_all_over(
    tmp_path: Path, groups: int, levels: int, samples: int, each: int
) -> None:
    row = ImageRow(
        id="", group="", level="", sample=0, prompt="Draw. " * 300, prompt_digest="", seed=0, status="missing"
    )
    rows = [
        msgspec.structs.replace(row, id=f"g{g}/{level}/{k}", group=f"g{g}" * 200, level=f"l{level}", sample=k)
        for g in range(groups)
        for level in range(levels)
        for k in range(samples)
    ]
    feet = {row.group: ["Is it there? " * 50] * 50 for row in rows}
    shown = picture_sheet(tmp_path, rows, tmp_path / "s.png", title=["x" * 999], each=each, feet=feet)
    assert 1 <= len(shown.rows) <= MOST
    assert (shown.all_rows, shown.all_groups) == (len(rows), groups)
    with Image.open(tmp_path / "s.png") as sheet:
        assert sheet.width <= 6000
        assert sheet.height <= 20_000
    if groups == 500:
        numbers = sorted({int(row.id.partition("/")[0][1:]) for row in shown.rows})
        assert numbers == list(range(0, 500, 50))
        assert shown.counts == "60 of 6000 samples, 10 of 500 groups"


@pytest.mark.parametrize("what", ["edited", "gone", "outside"])
def test_only_the_recorded_pictures_are_shown(tmp_path: Path, what: str) -> None:
    images = made(tmp_path / "i", 1, 1)
    rows = list(images.rows)
    file = images.file(rows[1])
    if what == "edited":
        file.write_bytes(painting("another", 0, (2 * THUMB, 2 * THUMB)))
    elif what == "gone":
        file.unlink()
    else:
        rows[1] = msgspec.structs.replace(rows[1], path="../x.png")
    said = {"edited": "its pixels are others", "gone": "cannot be read", "outside": "leads outside"}[what]
    with pytest.raises(InputError, match=said):
        picture_sheet(images.path, rows, tmp_path / "sheet.png", title=["x"])
    assert not (tmp_path / "sheet.png").exists()
    with pytest.raises(InputError, match="no pictures to show"):
        picture_sheet(images.path, [], tmp_path / "sheet.png", title=["x"])
