"""Somebody's own pairs as a folder: what it holds, what is odd and named, what is refused with its line and a hint."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from commands import call
from PIL import Image, ImageDraw

import counterbench as cb
from counterbench.drawing import png, reading
from counterbench.errors import InputError
from counterbench.interop import IMPORTS
from counterbench.interop.imported import Imported
from counterbench.interop.pairs import import_pairs
from counterbench.suites.folder import Folder


def box_picture(colour: str = "red", size: tuple[int, int] = (40, 40), mode: str = "RGB") -> Image.Image:
    image = Image.new("RGB", size, "white")
    ImageDraw.Draw(image).rectangle((10, 10, 20, 20), colour)
    return image.convert(mode)


class Own:
    """A folder with pictures of one's own and the file that names them."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.out = path / "out"
        (path / "images").mkdir()
        self.save(box_picture("red"), "a.png")
        self.save(box_picture("blue"), "b.png")

    def save(self, image: Image.Image, name: str, **how: Any) -> str:
        image.save(self.path / "images" / name, **how)
        return f"images/{name}"

    def row(self, id: str = "one", **other: Any) -> dict[str, Any]:
        base = {"id": id, "original": "images/a.png", "intervened": "images/b.png", "question": "What colour is it?",
                "original_answer": "red", "intervened_answer": "blue"}  # fmt: skip
        return base | other

    def csv(self, *rows: dict[str, Any]) -> Path:
        names = list(dict.fromkeys(name for row in rows for name in row))
        with (self.path / "mine.csv").open("w", newline="", encoding="utf-8-sig") as file:
            writer = csv.DictWriter(file, names)
            writer.writeheader()
            writer.writerows(rows)
        return self.path / "mine.csv"

    def jsonl(self, *rows: dict[str, Any]) -> Path:
        (self.path / "mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
        return self.path / "mine.jsonl"

    def imported(self, *rows: dict[str, Any]) -> Imported:
        return import_pairs(self.csv(*rows), self.out)

    def oddities(self, *rows: dict[str, Any]) -> dict[str, tuple[str, ...]]:
        """What is odd in these rows, beside what is odd in any so small a set."""
        found = {warning.what: warning.ids for warning in self.imported(*rows).warnings}
        return {what: ids for what, ids in found.items() if not what.startswith("no pair has")}

    def refused(self, file: Path) -> str:
        with pytest.raises(InputError) as error:
            import_pairs(file, self.out)
        assert not self.out.exists()
        return str(error.value).replace(str(self.path), "")


@pytest.fixture
def own(tmp_path: Path) -> Own:
    return Own(tmp_path)


# ---- what it becomes


def test_imported_pairs_keep_the_users_own_words(own: Own) -> None:
    words = {"category": "Farben & Formen / früh", "skill": "..", "annotator": "Ann", "difficulty": "3"}
    found = own.imported(own.row("räum/lich, 1", **words), own.row("two", intervened_answer="Red.", category="c"))
    folder = Folder(own.out)
    first, second = folder
    assert (folder.info.name, folder.info.source, folder.info.truth) == ("out", "mine.csv", "published")
    assert folder.info.counts == {words["category"]: 1, "c": 1}
    assert (first.id, first.category, first.family, first.skill) == ("räum/lich, 1", *[words["category"]] * 2, "..")
    assert (first.answer_type, *first.answers, first.relevant) == ("colour", "red", "blue", True)
    assert (second.skill, *second.answers, second.relevant) == ("c", "red", "red", False)
    beside = json.loads((own.out / "metadata.jsonl").read_text().splitlines()[0])
    assert (beside["annotator"], beside["difficulty"]) == ("Ann", "3")
    assert [role for role in ("original", "intervened") if not (own.out / beside[f"{role}_file_name"]).is_file()] == []
    assert not [p for p in cb.verify(own.out, workers=1).problems if p.check != "balance"]
    assert found.info == folder.info


def test_jsonl_takes_numbers_and_booleans_and_ids_are_the_rows_numbers(own: Own) -> None:
    rows = [own.row(original_answer=3, intervened_answer=4), own.row(original_answer=True, intervened_answer=False)]
    for row in rows:
        del row["id"]
    import_pairs(own.jsonl(*rows), own.out)
    assert [(p.id, p.answer_type, p.form, *p.answers) for p in Folder(own.out)] == [
        ("000001", "integer", "open", "3", "4"), ("000002", "yes-no", "yes-no", "yes", "no"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("answers", "kind", "canonical"),
    [
        (("Yes.", "NO"), "yes-no", ("yes", "no")),
        (("12", "3"), "integer", ("12", "3")),
        (("Red", "pink"), "colour", ("red", "pink")),
        (("red circle", "blue square"), "colour-shape", ("red circle", "blue square")),
        (("A cat", "the dog."), "text", ("cat", "dog")),
        (("red", "mauve"), "text", ("red", "mauve")),
        (("yes", "3"), "text", ("yes", "3")),
    ],
)
def test_the_answer_type_follows_from_both_answers(
    own: Own, answers: tuple[str, str], kind: str, canonical: tuple[str, str]
) -> None:
    own.imported(own.row(original_answer=answers[0], intervened_answer=answers[1]))
    (pair,) = Folder(own.out)
    assert (pair.answer_type, pair.answers) == (kind, canonical)


def test_our_own_metadata_can_be_imported(tmp_path: Path) -> None:
    cb.generate("smoke", tmp_path / "drawn", workers=1, limit=8)
    found = import_pairs(tmp_path / "drawn" / "metadata.jsonl", tmp_path / "again")
    drawn, again = ({p.id: p for p in Folder(tmp_path / name)} for name in ("drawn", "again"))
    for name in ("question", "answers", "answer_type", "category", "skill", "family", "relevant", "form"):
        assert {id: getattr(p, name) for id, p in drawn.items()} == {id: getattr(p, name) for id, p in again.items()}
    for id, pair in drawn.items():
        assert (pair.digests and pair.digests.original_pixels) == again[id].digests.original_pixels  # type: ignore[union-attr]
    assert [warning for warning in found.warnings if "left out" in warning.what or "converted" in warning.what] == []


# ---- pictures: kept as they are, or converted and named


def kept(own: Own, name: str) -> Image.Image:
    (pair,) = Folder(own.out)
    with Image.open(Folder(own.out).picture(pair, "intervened")) as image:
        assert (image.format, image.mode) == ("PNG", "RGB")
        return image.copy()


def test_a_plain_png_is_kept_as_it_is_and_a_jpeg_by_its_pixels(own: Own) -> None:
    data = png.encode(box_picture("red"))
    (own.path / "images/a.png").write_bytes(data)
    own.save(box_picture("blue"), "b.jpg", quality=40)
    assert own.oddities(own.row(intervened="images/b.jpg")) == {}, "the noise of a JPEG is no difference"
    (pair,) = Folder(own.out)
    assert Folder(own.out).picture(pair, "original").read_bytes() == data
    assert kept(own, "b.jpg").tobytes() == reading.read(own.path / "images/b.jpg").tobytes()


def sixteen() -> Image.Image:
    return Image.linear_gradient("L").resize((40, 40)).convert("I").point(lambda v: v * 256).convert("I;16")


def exif_turn() -> dict[str, Any]:
    exif = Image.Exif()
    exif[0x0112] = 6
    return {"exif": exif}


CONVERTED: dict[str, tuple[Callable[[], Image.Image], str, Callable[[], dict[str, Any]]]] = {
    "turned by their EXIF": (lambda: box_picture(size=(40, 30)), "x.jpg", exif_turn),
    "transparent, on white now": (lambda: Image.new("RGBA", (40, 40), (255, 0, 0, 9)), "x.png", dict),
    "16 bits a channel, of which the upper 8 are taken": (sixteen, "x.png", dict),
    "CMYK": (lambda: box_picture(mode="CMYK"), "x.jpg", dict),
    "WebP": (lambda: box_picture("blue"), "x.webp", lambda: {"lossless": True}),
    "several frames, of which the first is taken": (
        lambda: box_picture("blue"), "x.png", lambda: {"save_all": True, "append_images": [box_picture("green")]}),
}  # fmt: skip


@pytest.mark.parametrize("what", CONVERTED)
def test_a_converted_picture_is_named_and_kept_as_read(own: Own, what: str) -> None:
    image, name, how = CONVERTED[what]
    file = own.save(image(), name, **how())
    found = own.oddities(own.row(intervened=file))
    assert found[f"pictures that were converted: {what}"] == ("one",)
    assert kept(own, name).tobytes() == reading.read(own.path / file).tobytes()


def test_a_picture_that_cannot_be_read_leaves_its_row_out_and_is_named(own: Own) -> None:
    unreadable = {
        own.save(box_picture(), "x.gif"): "it is a GIF; save it as PNG",
        own.save(box_picture(), "x.bmp"): "it is a BMP",
        own.save(Image.new("1", (8000, 7000)), "huge.png"): "8000×7000 pixels is more than counterbench reads",
        own.save(box_picture(), "cut.png"): "not a readable picture",
    }
    (own.path / "images/cut.png").write_bytes((own.path / "images/a.png").read_bytes()[:60])
    rows = [own.row(str(number), intervened=file) for number, file in enumerate(unreadable, 3)]
    names = own.oddities(own.row(), *rows)["left out, a picture cannot be read"]
    for number, (named, (file, why)) in enumerate(zip(names, unreadable.items(), strict=True), 3):
        assert named.startswith(f"line {number} ({number}): {file}: ")
        assert why in named
    assert [pair.id for pair in Folder(own.out)] == ["one"]


def test_a_picture_elsewhere_that_cannot_be_read_is_named_with_its_path(own: Own, tmp_path: Path) -> None:
    picture = tmp_path / "else.png"
    picture.write_bytes(b"no picture")
    (own.path / "table").mkdir()
    file = own.csv(own.row(original=picture, intervened=picture)).rename(own.path / "table" / "mine.csv")
    with pytest.raises(InputError, match=r"cannot be read \(1\): line 2 \(one\): \S+else\.png: not a readable"):
        import_pairs(file, own.out, allow_outside=True)


# ---- rows that are left out and named


@pytest.mark.parametrize(
    ("other", "what", "place"),
    [
        ({"intervened": "images/none.png"}, "the intervened picture is not there", "line 3 (two): images/none.png"),
        ({"intervened": ""}, "the intervened picture is not there", "line 3 (two): no name"),
        ({"id": "one"}, "the id is used by an earlier row", "line 3 (one)"),
        ({"question": ""}, "no question", "line 3 (two)"),
        ({"original_answer": ""}, "no original_answer", "line 3 (two)"),
        ({"original_answer": "perhaps"}, "its original_answer is no answer that a reply can be compared with",
         "line 3 (two): 'perhaps'"),
    ],
)  # fmt: skip
def test_a_row_that_is_no_pair_is_left_out_and_named(own: Own, other: dict[str, Any], what: str, place: str) -> None:
    assert own.oddities(own.row(), own.row("two") | other) == {f"left out, {what}": (place,)}
    assert [pair.id for pair in Folder(own.out)] == ["one"]


def test_a_table_without_a_usable_row_writes_nothing(own: Own) -> None:
    with pytest.raises(InputError, match=r"no pair is left to import; left out, no question \(1\): line 2"):
        own.imported(own.row(question=""))
    assert not own.out.exists()
    own.imported(own.row())


# ---- what is odd in pairs that are pairs


PAIRS: dict[str, tuple[Callable[[], Image.Image], Callable[[], Image.Image], str]] = {
    "identical pictures, yet two answers": (box_picture, box_picture, "blue"),
    "identical pictures: nothing was changed": (box_picture, box_picture, "red"),
    "two pictures of different sizes": (box_picture, lambda: box_picture("blue", (41, 40)), "blue"),
    "pictures that differ in more than half of their pixels: check that only one thing differs": (
        box_picture, lambda: box_picture("blue").point(lambda v: 255 - v), "blue"),
    "blank pictures, all of one colour": (box_picture, lambda: Image.new("RGB", (40, 40), "white"), "blue"),
}  # fmt: skip


@pytest.mark.parametrize("what", PAIRS)
def test_an_odd_pair_is_named_with_its_warning(own: Own, what: str) -> None:
    make_original, make_intervened, answer = PAIRS[what]
    own.save(make_original(), "a.png"), own.save(make_intervened(), "b.png")
    assert own.oddities(own.row(intervened_answer=answer)) == {what: ("one",)}


def test_repeated_pairs_and_free_text_answers_are_named(own: Own) -> None:
    rows = [own.row(), own.row("two"), own.row("three", original_answer="cat", question="Which?")]
    assert own.oddities(*rows) == {
        "pairs whose answers are free text: replies must say the same words": (),
        "the same pictures and question as an earlier pair": ("two",),
    }


def test_answers_that_go_one_way_are_warned_about(own: Own) -> None:
    found = own.imported(*(own.row(str(n), question=f"Box {n}?", category="hue") for n in range(10)))
    counts = {warning.what: warning.count for warning in found.warnings}
    assert counts["hue: answers go red → blue in 10 of 10 pairs"] == 10
    assert counts["no pair has the same answer twice: stability cannot be measured"] == 10


# ---- refused, with the place and a hint


@pytest.mark.parametrize(
    ("other", "messages"),
    [
        ({"original": "https://example.org/a.png"}, ["'original'", "is an address; download the pictures"]),
        ({"original": "data:image/png;base64,AAAA"}, ["is an address"]),
        ({"intervened": "../b.png"}, ["'intervened'", "leads outside", "lie in the folder of mine.csv", "copy them"]),
        ({"intervened": "/etc/b.png"}, ["'intervened'", "leads outside"]),
        ({"intervened": "C:\\b.png"}, ["'intervened'", "leads outside"]),
        ({"answer_type": "color"}, ["'answer_type'", "unknown answer type 'color' (did you mean 'colour'?)"]),
        (
            {"answer_type": "integer"},
            ["'original_answer'", "not a canonical integer answer: 'red'", "leave answer_type"],
        ),
    ],
)
def test_a_row_that_must_be_mended_is_refused_with_its_line(
    own: Own, other: dict[str, Any], messages: list[str]
) -> None:
    error = own.refused(own.csv(own.row(), own.row("two") | other))
    for message in ["mine.csv, line 3", *messages]:
        assert message in error


def test_a_table_without_pairs_is_refused(own: Own) -> None:
    assert "has no rows" in own.refused(own.csv({"id": "", "original": ""}))
    message = own.refused(own.csv(dict.fromkeys(("image_original", "intervened", "prompt", "answer"), "a")))
    assert "line 2: has no 'original', 'question', 'original_answer', 'intervened_answer'; rename those of " in message
    assert "'image_original', 'prompt', 'answer' that are meant; a pair needs the columns" in message
    file = own.jsonl(own.row(), own.row("two", question=["a"]))
    assert "line 2, column 'question': \"['a']\" is neither text nor a number" in own.refused(file)
    file.write_text('{"id": 1}\n{"id":')
    assert "mine.jsonl, line 1: has no 'original'" in own.refused(file)


# ---- from there on


def test_the_import_command_prints_warnings_and_the_next_step(own: Own) -> None:
    file = own.csv(own.row(), own.row("two", intervened="images/none.png"))
    result = call("import", "pairs", file, "--out", own.out)
    assert f"{own.out}: 1 pair of mine.csv, truth as given there" in result.stdout
    assert "warning: left out, the intervened picture is not there (1): line 3 (two): images/none.png" in result.stdout
    refused = call("import", "pears", file, "--out", own.out)
    assert refused.exit_code == 2
    assert "unknown import format 'pears' (did you mean 'pairs'?)" in refused.stderr
    assert {"pairs", "replies"} <= set(IMPORTS)
