"""A contact sheet of generated pictures: groups one after another, their levels side by side, every sample below."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

import msgspec
from PIL import Image, ImageDraw

from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.files import foreign
from counterbench.suites import sheets
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.images.marks import Mark

RGB = tuple[int, int, int]

# In pixels: a picture's field, what is between two, and what is around all; letters.
THUMB, GAP, MARGIN = 256, 16, 24
_HEAD, _TEXT, _SMALL = 22, 18, 16
# Most pictures of a sheet, most side by side (but for groups of more levels), and most levels of a group.
MOST, ACROSS, MOST_LEVELS = 60, 6, 20
_NARROWEST = 3 * (THUMB + GAP)
# Lines: of a prompt above one picture (fewer above several), of a title or a foot; notes of a picture, feet of a group.
_PROMPT_LINES, _LINES, _NOTES = 24, 4, 10
_INK, _GREY, _PAPER, _RULE, _EMPTY = (20, 20, 20), (90, 90, 90), (255, 255, 255), (200, 200, 200), (240, 240, 240)
_COLOURS: dict[Mark, RGB] = {
    "right": (0, 90, 181),
    "partly": (130, 80, 160),
    "wrong": (200, 50, 10),
    "lost": (105, 105, 105),
    "noted": (60, 66, 80),
}
_LEGEND: dict[Mark, str] = {
    "right": "a right picture's answer",
    "partly": "right in part",
    "wrong": "another answer",
    "lost": "no answer",
    "noted": "neither right nor wrong",
}
_NONE = "none"  # the digest of no picture


class Note(msgspec.Struct, frozen=True):
    """A line below a picture: what a judge answered to one of its checks, and what that is worth."""

    text: str
    mark: Mark


class Shown(msgspec.Struct, frozen=True):
    """What a sheet shows: `rows`, which are of `groups` groups, of so many samples and groups in all."""

    rows: tuple[ImageRow, ...]
    all_rows: int
    groups: int
    all_groups: int

    @property
    def counts(self) -> str:
        """How much of the whole it is, in words."""
        some = f", {self.groups} of {self.all_groups} groups" if self.groups < self.all_groups else ""
        return f"{len(self.rows)} of {self.all_rows} samples{some}"


def picture_sheet(
    folder: Path,
    rows: Sequence[ImageRow],
    out: Path,
    *,
    title: Sequence[str],
    each: int = 2,
    notes: Mapping[str, Sequence[Note]] | None = None,
    feet: Mapping[str, Sequence[str]] | None = None,
) -> Shown:
    """Write a PNG with the first `each` samples of prompts in a generator's `folder`: of every group, or of some.

    A sheet has `MOST` pictures at most; the groups that it shows then are spread evenly over all. `notes` stand below
    a picture, by sample id; `feet` below a group, by its name. A sample without a picture is a grey field that says
    why. InputError if a picture is not there or is not the recorded one, or if something else lies at `out`.
    """
    sheets.refuse_taken(out)
    groups: dict[str, dict[str, list[ImageRow]]] = {}
    for row in sorted(rows, key=lambda row: row.sample):
        groups.setdefault(row.group, {}).setdefault(row.level, []).append(row)
    if not groups:
        raise InputError(f"{folder}: has no pictures to show")
    levels = min(max(map(len, groups.values())), MOST_LEVELS)
    samples = max(len(found) for of in groups.values() for found in of.values())
    each = min(each, samples, MOST // levels)
    most = min(len(groups), MOST // (levels * each))
    names = list(dict.fromkeys(row.group for row in rows))
    chosen = {
        name: [found[:each] for found in list(groups[name].values())[:levels]]
        for name in (names[i * len(names) // most] for i in range(most))
    }
    across = max(1, min(each, ACROSS // levels))
    blocks = [_group(folder, of, across, notes or {}, (feet or {}).get(name, ())) for name, of in chosen.items()]
    shown = tuple(row for of in chosen.values() for found in of for row in found)
    marks = {note.mark for row in shown for note in (notes or {}).get(row.id, ())}
    found = Shown(shown, len(rows), most, len(groups))
    sheets.write(out, _sheet([*title, found.counts], blocks, max(1, ACROSS // (levels * across)), marks))
    return found


def _sheet(title: Sequence[str], blocks: Sequence[Image.Image], in_a_row: int, marks: Collection[Mark]) -> Image.Image:
    rows = [_beside(blocks[i : i + in_a_row], 2 * GAP) for i in range(0, len(blocks), in_a_row)]
    width = max(_NARROWEST, *(row.width for row in rows))
    head = [_text(line, _TEXT if number else _HEAD, width, _LINES) for number, line in enumerate(title)]
    if marks:
        head.append(_beside([_note(Note(words, mark)) for mark, words in _LEGEND.items() if mark in marks], GAP))
    ruled = [part for row in rows for part in (Image.new("RGB", (width, 2), _RULE), row)]
    body = _stack([_stack(head, 4), *ruled], GAP)
    sheet = Image.new("RGB", (body.width + 2 * MARGIN, body.height + 2 * MARGIN), _PAPER)
    sheet.paste(body, (MARGIN, MARGIN))
    return sheet


def _group(
    folder: Path,
    levels: Sequence[Sequence[ImageRow]],
    across: int,
    notes: Mapping[str, Sequence[Note]],
    feet: Sequence[str],
) -> Image.Image:
    """A group's levels side by side: each one's id and prompt over its pictures; below all, its feet."""
    width = across * (THUMB + GAP) - GAP
    heads, pictures = [], []
    for rows in levels:
        words = _text(rows[0].prompt, _SMALL, width, _PROMPT_LINES // across, _GREY)
        heads.append(_stack([_text(f"{rows[0].group}/{rows[0].level}", _HEAD, width, 2), words], 4))
        cells = [_cell(folder, row, notes.get(row.id, ())) for row in rows]
        lines = [_beside(cells[i : i + across], GAP) for i in range(0, len(cells), across)]
        pictures.append(_stack([*lines, Image.new("RGB", (width, 1), _PAPER)], 8))
    upper = _stack([_beside(heads, GAP), _beside(pictures, GAP)], 8)
    lower = [_text(foot, _SMALL, upper.width, _LINES) for foot in feet[:_NOTES]]
    return _stack([upper, *lower, *_more(feet, upper.width)], 8)


def _cell(folder: Path, row: ImageRow, notes: Sequence[Note]) -> Image.Image:
    """A sample: its picture, or why there is none; its number; its notes."""
    there = row.status in ("ok", "blank")
    caption = f"sample {row.sample}" if row.status == "ok" else f"sample {row.sample}: {row.status}"
    lines = [_text(f"{caption}: {row.message}" if there and row.message else caption, _TEXT, THUMB, 2)]
    lines += [*map(_note, notes[:_NOTES]), *_more(notes, THUMB)]
    return _stack([_picture(folder, row) if there else _field(row), *lines], 4)


def _more(lines: Sequence[object], width: int) -> list[Image.Image]:
    """How many there are beyond those that a sheet has room for, if any."""
    return [_text(f"… and {len(lines) - _NOTES} more", _SMALL, width, 1, _GREY)] if len(lines) > _NOTES else []


def _picture(folder: Path, row: ImageRow) -> Image.Image:
    """The recorded picture, made smaller, in the middle of its field."""
    file = foreign.inside(folder, row.path, f"{folder}, {row.id!r}")
    image = Picture.from_file(file, row.picture_digest or _NONE).image()
    image.thumbnail((THUMB, THUMB), Image.Resampling.BOX)
    field = Image.new("RGB", (THUMB, THUMB), _EMPTY)
    field.paste(image, ((THUMB - image.width) // 2, (THUMB - image.height) // 2))
    return field


def _field(row: ImageRow) -> Image.Image:
    """What stands where a picture would."""
    field = Image.new("RGB", (THUMB, THUMB), _EMPTY)
    ImageDraw.Draw(field).rectangle((0, 0, THUMB - 1, THUMB - 1), outline=_GREY)
    width = THUMB - 2 * GAP
    why = _text(row.message.removeprefix(f"{row.status}: "), _SMALL, width, 9, _GREY, _EMPTY)
    field.paste(_stack([_text(row.status, _HEAD, width, 1, paper=_EMPTY), why], 4, _EMPTY), (GAP, GAP))
    return field


def _note(note: Note) -> Image.Image:
    colour = _COLOURS[note.mark]
    sign = Image.new("RGB", (_TEXT, _TEXT + 2), _PAPER)
    draw, box = ImageDraw.Draw(sign), (2, 6, 14, 18)
    if note.mark == "wrong":
        draw.line((2, 6, 14, 18), colour, 3)
        draw.line((2, 18, 14, 6), colour, 3)
    elif note.mark == "noted":
        draw.line((3, 12, 13, 12), colour, 2)
    else:
        draw.ellipse(box, colour if note.mark == "right" else _PAPER, colour, 2)
        if note.mark == "partly":
            draw.chord(box, 90, 270, colour)
    return _beside([sign, _text(note.text, _TEXT, THUMB - _TEXT - 4, 2, colour)], 4)


def _text(text: str, size: int, width: int, most: int, ink: RGB = _INK, paper: RGB = _PAPER) -> Image.Image:
    """Text on a field of this width."""
    lines, line = sheets.wrapped(text, size, width, most), size * 5 // 4
    field = Image.new("RGB", (width, len(lines) * line), paper)
    for number, words in enumerate(lines):
        ImageDraw.Draw(field).text((0, number * line), words, fill=ink, font=sheets.font(size))
    return field


def _beside(parts: Sequence[Image.Image], gap: int) -> Image.Image:
    field = Image.new("RGB", (sum(p.width + gap for p in parts) - gap, max(p.height for p in parts)), _PAPER)
    x = 0
    for part in parts:
        field.paste(part, (x, 0))
        x += part.width + gap
    return field


def _stack(parts: Sequence[Image.Image], gap: int, paper: RGB = _PAPER) -> Image.Image:
    field = Image.new("RGB", (max(p.width for p in parts), sum(p.height + gap for p in parts) - gap), paper)
    y = 0
    for part in parts:
        field.paste(part, (0, y))
        y += part.height + gap
    return field
