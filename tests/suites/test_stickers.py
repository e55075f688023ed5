"""Stickers on given pictures: exact truth on photographs, noise and plain grounds; functions of their grounds."""

from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageChops
from skimage import data
from strategies import seeded

from counterbench.drawing import png
from counterbench.drawing.styles.sheet import Sheet
from counterbench.drawing.styles.sticker import stuck
from counterbench.errors import InputError
from counterbench.judges.pixels.stickers import lifted, without_stickers
from counterbench.scene.figures import Sign
from counterbench.scene.scene import Container, Label, Scene, Shape
from counterbench.suites.folder import Folder
from counterbench.suites.generation import generate
from counterbench.suites.sources import FolderSource
from counterbench.suites.stickers import StickerSuite, drawn_grounds, of_stickers, seen_on, sticker_suite, with_room
from counterbench.suites.suite import load_suite
from counterbench.verification.verify import verify

SHIPPED = load_suite("stickers")


@pytest.fixture(scope="module")
def grounds(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Photographs, noise, a page of text, and plain grounds, one in the very colour of a sticker."""
    folder = tmp_path_factory.mktemp("grounds")
    random = np.random.default_rng(0)
    pictures = {name: Image.fromarray(getattr(data, name)()).convert("RGB") for name in ("chelsea", "rocket", "brick")}
    pictures["noise"] = Image.fromarray(random.integers(0, 256, (300, 400, 3), dtype=np.uint8))
    pictures["page"] = Image.fromarray(data.page()).convert("RGB").resize((600, 300))
    for name, rgb in {"white": (255, 255, 255), "dark": (18, 18, 22), "red": (214, 39, 40)}.items():
        pictures[name] = Image.new("RGB", (320, 300), rgb)
    for name, picture in pictures.items():
        picture.save(folder / f"{name}.png")
    return sorted(folder.iterdir())


def stickers_on(grounds: list[Path], count: int = 60, **kind: bool) -> StickerSuite:
    suite = sticker_suite(SHIPPED, count=count, **kind)
    return replace(suite, grounds=tuple(drawn_grounds(grounds, len(suite), suite.seed)))


@pytest.mark.slow
def test_a_drawn_folder_of_stickers_verifies(grounds: list[Path], tmp_path: Path) -> None:
    suite = stickers_on(grounds)
    generate(suite, tmp_path / "out", workers=1)
    report = verify(FolderSource(Folder(tmp_path / "out")), workers=1)
    assert report.problems == []
    assert report.pairs == suite.counts
    # A picture that was changed beside its stickers, and a ground that was exchanged, are found.
    folder = Folder(tmp_path / "out")
    first, second = list(folder)[:2]
    file = folder.picture(first, "original")
    with Image.open(file) as image:
        image.putpixel((1, image.height - 2), (1, 2, 3))
        image.save(file)
    (folder.path / "grounds" / f"{second.ground}.png").write_bytes(png.encode(Image.new("RGB", (300, 300))))
    wrong = {problem.pair for problem in verify(FolderSource(folder), workers=1).problems}
    assert first.id in wrong
    assert second.ground in [pair.ground for pair in folder if pair.id in wrong]


@pytest.mark.slow
def test_a_pair_depends_only_on_its_ground_and_place(grounds: list[Path], tmp_path: Path) -> None:
    suite = stickers_on(grounds, 12)
    copied = tmp_path / "of-another-name.png"
    copied.write_bytes(suite.grounds[3].read_bytes())
    again = replace(suite, grounds=(*suite.grounds[:3], copied, *suite.grounds[4:]))
    assert [again[i] for i in range(12)] == [suite[i] for i in range(12)]
    assert again.digest == suite.digest
    other = replace(suite, grounds=(*suite.grounds[:3], *suite.grounds[4:], grounds[0]))
    assert other.digest != suite.digest


def test_answers_are_balanced_and_both_pictures_share_a_ground(grounds: list[Path]) -> None:
    suite = stickers_on(grounds, 60, by_family=True)
    pairs = [suite[i] for i in range(60)]  # of the first family
    assert {pair.family for pair in pairs} == {"presence"}
    assert sum(pair.original_answer == "yes" for pair in pairs) == 30
    assert {pair.cell for pair in pairs} == {"stickers/presence"}
    pair = pairs[0]
    ground = suite.ground(pair)
    assert png.pixel_digest(ground) == pair.ground
    assert (pair.original.width, pair.original.height) == ground.size


@pytest.mark.slow
@given(seeded(lambda r: r), st.sampled_from(("noise", "plain", "ramp")))
def test_lifting_stickers_restores_the_flat_picture(random: Random, kind: str) -> None:
    size = (random.randint(256, 500), random.randint(256, 500))
    ground = {
        "noise": lambda: Image.frombytes("RGB", size, random.randbytes(3 * size[0] * size[1])),
        "plain": lambda: Image.new("RGB", size, tuple(random.randbytes(3))),
        "ramp": lambda: Image.linear_gradient("L").resize(size).convert("RGB"),
    }[kind]()
    shape = Shape(
        "a", random.choice(("circle", "square", "triangle", "diamond")), random.choice(("red", "cyan", "pink", "blue")),
        size[0] // 2, size[1] // 2, random.randint(12, 40),
    )  # fmt: skip
    scene = Scene(*size, 255, (shape,))
    flat = Sheet(scene).flat
    assert ImageChops.difference(lifted(stuck(Sheet(scene), ground)), flat).getbbox() is None
    assert lifted(ground).getextrema() == ((255, 255),) * 3


def test_questions_say_sticker_and_are_otherwise_unchanged() -> None:
    for name in ("presence", "counting", "attribute", "spatial", "containment", "words"):
        part = next(part for part in SHIPPED.parts if part.family == name)
        for index in range(12):
            pair = SHIPPED.sample(part, index)
            worded = of_stickers(pair.question)
            assert "sticker" in worded
            assert without_stickers(worded) == pair.question
    inside = of_stickers("Is the red circle inside the container?")
    assert inside == "Is the red circle sticker inside the sticker frame?"


def test_a_sticker_stands_out_by_its_edge_or_its_own_colour() -> None:
    red, yellow = (Scene(300, 300, 255, (Shape("a", "circle", name, 150, 150, 30),)) for name in ("red", "yellow"))
    dark, pale = (Image.new("RGB", (300, 300), rgb) for rgb in ((40, 40, 40), (252, 240, 186)))
    assert seen_on(dark, red)
    assert seen_on(dark, yellow)
    assert seen_on(pale, red)
    assert not seen_on(pale, yellow)  # between white and yellow
    assert seen_on(Image.new("RGB", (300, 300), (214, 39, 40)), red)  # in its very colour: by its white edge


def test_an_unusable_ground_is_refused_with_the_reason(tmp_path: Path) -> None:
    Image.new("RGB", (255, 900)).save(tmp_path / "thin.png")
    (tmp_path / "no.png").write_text("no picture")
    with pytest.raises(InputError, match="256 pixels or more a side"):
        with_room(sorted(tmp_path.iterdir()), tmp_path)
    Image.new("RGB", (256, 900)).save(tmp_path / "room.png")
    assert with_room(sorted(tmp_path.iterdir()), tmp_path) == ([tmp_path / "room.png"], 1)
    with pytest.raises(InputError, match="stickers cannot show the family 'laws', which the suite 'laws' has"):
        sticker_suite(load_suite("laws"))


def test_a_large_ground_is_made_smaller(tmp_path: Path) -> None:
    Image.new("RGB", (4096, 1024), (90, 120, 60)).save(tmp_path / "wide.png")
    suite = stickers_on([tmp_path / "wide.png"], 6)
    ground = suite.ground(suite[0])
    assert ground.size == (2048, 512)


def test_black_between_stickers_is_no_letter_and_letters_split_no_sticker() -> None:
    sign, square = Sign("s", "NAME", "orange", 290, 154, 107, 29), Shape("q", "square", "cyan", 111, 196, 49)
    diamond = Shape("d", "diamond", "purple", 100, 320, 32, slim=True)
    lettered = Scene(512, 512, 255, (sign, square, diamond, Label("a", "A", "d", 0, 0, 22)))
    frame = Container("container", 231, 356, 110, 133, 5)
    framed = Scene(512, 512, 255, (frame, Shape("d1", "circle", "pink", 290, 427, 35)))
    for scene, colour in product((lettered, framed), ("black", "brown")):
        ground = Image.new("RGB", (512, 512), colour)
        assert ImageChops.difference(lifted(stuck(Sheet(scene), ground)), Sheet(scene).flat).getbbox() is None
