"""Pictures: pure, exact where a truth depends on it, and nothing drawn outside the box that an element owns."""

from __future__ import annotations

import io
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import msgspec
import numpy as np
import numpy.typing as npt
import PIL
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from strategies import LETTERS, scenes

from counterbench.drawing import png
from counterbench.drawing.render import RENDERER_VERSION, outline_width, render
from counterbench.errors import InputError
from counterbench.palette import (
    ARROW_RGB,
    COLOUR_RGB,
    COLOURS,
    CONTAINER_RGB,
    LABEL_DARK_RGB,
    LABEL_LIGHT_RGB,
    OUTLINE_RGB,
    SHAPES,
    Colour,
    ShapeKind,
)
from counterbench.scene.scene import MIN_LABEL_HEIGHT, Arrow, Container, Element, Label, Scene, Shape

Pixels = npt.NDArray[np.int16]


def pixels(scene: Scene) -> Pixels:
    return np.asarray(render(scene)).astype(np.int16)


def without(scene: Scene, element: Element) -> Scene:
    return scene.with_elements(*(e for e in scene.elements if e is not element))


def is_ink(drawn: Pixels, background: int = 245) -> npt.NDArray[np.bool_]:
    return np.asarray((drawn != background).any(axis=2))


# ---- the picture of a scene


@given(scenes())
@settings(max_examples=20)
def test_same_scene_same_pixels(scene: Scene) -> None:
    image = render(scene)
    again = render(msgspec.json.decode(msgspec.json.encode(scene), type=Scene))
    assert image.mode == "RGB"
    assert image.size == (scene.width, scene.height)
    assert image.tobytes() == again.tobytes()


@given(scenes(arrows=2, containers=2))
@settings(max_examples=40)
def test_an_element_changes_no_pixel_outside_its_box(scene: Scene) -> None:
    for element in scene.elements:
        own = {element.id}
        rest = scene.with_elements(*(e for e in scene.elements if not (isinstance(e, Label) and e.of in own)))
        full, less = pixels(rest), pixels(without(rest, element))
        changed = (full != less).any(axis=2)
        box = scene.box_of(element)
        changed[box.top : box.bottom + 1, box.left : box.right + 1] = False
        assert not changed.any(), element


@pytest.mark.parametrize("height", [22, 23, 29, 40, 61])
@pytest.mark.parametrize("letter", LETTERS)
def test_a_letter_stays_in_its_box_and_is_high_enough(letter: str, height: int) -> None:
    bare = Scene(elements=(Shape("a", "circle", "yellow", 300, 300, 20),))
    label = Label("l", letter, "a", -150, -150, height)
    scene = bare.with_elements(*bare.elements, label)
    ink = (pixels(scene) != pixels(bare)).any(axis=2)
    strong = (pixels(bare) - pixels(scene)).max(axis=2) >= 100
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    box = scene.label_box(label)
    assert box.left <= columns[0]
    assert columns[-1] <= box.right
    assert box.top <= rows[0]
    assert rows[-1] <= box.bottom
    dark = np.flatnonzero(strong.any(axis=1))
    assert dark[-1] - dark[0] + 1 >= MIN_LABEL_HEIGHT
    assert height - 1 <= rows[-1] - rows[0] + 1 <= height * 5 // 4 + 1  # a Q hangs a little lower
    assert abs((rows[0] + rows[-1]) / 2 - 150) <= 1.5  # in the middle of its box
    assert abs((columns[0] + columns[-1]) / 2 - 150) <= 1.5


def test_all_letters_differ() -> None:
    bare = Shape("a", "square", "yellow", 256, 256, 60)
    drawn = {png.pixel_digest(render(Scene(elements=(bare, Label("l", letter, "a", height=40))))) for letter in LETTERS}
    assert len(drawn) == 26


@pytest.mark.parametrize("size", [6, 8, 15, 33, 64, 180])
@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("colour", COLOURS)
def test_the_fill_is_exact_at_the_centre_and_the_background_elsewhere(
    colour: Colour, kind: ShapeKind, size: int
) -> None:
    scene = Scene(500, 400, 230, (Shape("a", kind, colour, 250, 200, size),))
    drawn = pixels(scene)
    assert tuple(drawn[200, 250]) == COLOUR_RGB[colour]
    outside = np.ones((400, 500), dtype=bool)
    outside[200 - size : 200 + size + 1, 250 - size : 250 + size + 1] = False
    assert (drawn[outside] == 230).all()


@pytest.mark.parametrize("size", [20, 41, 120])
@pytest.mark.parametrize("kind", SHAPES)
def test_the_picture_agrees_with_the_geometry(kind: ShapeKind, size: int) -> None:
    """Where `contains` says a point is on the shape there is ink, and where it says not there is none (edges aside)."""
    shape = Shape("a", kind, "blue", 150, 150, size)
    ink = is_ink(pixels(Scene(301, 301, 245, (shape,))))
    slim = msgspec.structs.replace(shape, size=size - 3)
    wide = msgspec.structs.replace(shape, size=size + 3)
    for y in range(0, 301, 3):
        for x in range(0, 301, 3):
            if slim.contains((x, y)) and shape.contains((x, y)):
                assert ink[y, x], (x, y)
            if not wide.contains((x, y)):
                assert not ink[y, x], (x, y)


@pytest.mark.parametrize("kind", SHAPES)
@pytest.mark.parametrize("size", [9, 40, 90])
def test_a_shape_reaches_every_side_of_its_box(kind: ShapeKind, size: int) -> None:
    ink = is_ink(pixels(Scene(256, 256, 245, (Shape("a", kind, "red", 128, 128, size),))))
    rows, columns = np.flatnonzero(ink.any(axis=1)), np.flatnonzero(ink.any(axis=0))
    assert (rows[0], rows[-1], columns[0], columns[-1]) == (128 - size, 128 + size, 128 - size, 128 + size)


@pytest.mark.parametrize("kind", ["circle", "triangle", "diamond"])
def test_edges_are_antialiased(kind: ShapeKind) -> None:
    drawn = pixels(Scene(256, 256, 255, (Shape("a", kind, "yellow", 128, 128, 60),)))
    pure = {(255, 255, 255), OUTLINE_RGB, COLOUR_RGB["yellow"]}
    tones = {tuple(int(v) for v in p) for p in drawn.reshape(-1, 3)} - pure
    assert len(tones) >= 5  # the sides of triangle and diamond climb evenly and need few
    edge = {t for t in tones if t[0] == t[1] == t[2]}  # between outline and background: greys
    assert len(edge) >= 3
    assert all(OUTLINE_RGB[0] < t[0] < 255 for t in edge)


def test_slanted_arrows_and_letters_are_antialiased() -> None:
    scene = Scene(elements=(Arrow("arrow", 50, 50, 300, 200), Shape("a", "square", "yellow", 400, 400, 60)))
    for more in (scene.elements[:1], (scene.elements[1], Label("l", "S", "a", height=50))):
        assert len({tuple(p) for p in pixels(scene.with_elements(*more)).reshape(-1, 3)}) >= 8


@pytest.mark.parametrize("size", [6, 7, 20, 33, 61, 100])
def test_a_circle_is_symmetric(size: int) -> None:
    drawn = pixels(Scene(241, 241, 245, (Shape("a", "circle", "green", 120, 120, size),)))
    assert (drawn == drawn[:, ::-1]).all()
    assert (drawn == drawn[::-1]).all()
    assert (drawn == drawn.transpose(1, 0, 2)).all()


@pytest.mark.parametrize("size", [6, 7, 20, 33, 61, 100])
@pytest.mark.parametrize("kind", ["square", "diamond", "triangle"])
def test_other_shapes_are_symmetric_but_for_a_trace_on_their_edge(kind: ShapeKind, size: int) -> None:
    drawn = pixels(Scene(241, 241, 245, (Shape("a", kind, "green", 120, 120, size),)))
    assert np.abs(drawn - drawn[:, ::-1]).max() <= 64
    if kind == "square":
        assert (drawn == drawn[:, ::-1]).all()


def test_outlines_are_thin_and_dark() -> None:
    for size in (6, 31, 32, 64, 200):
        assert outline_width(size) == max(2, size // 16)
    drawn = pixels(Scene(256, 256, 245, (Shape("a", "square", "cyan", 128, 128, 64),)))
    width = outline_width(64)
    assert (drawn[128, 64 : 64 + width] == OUTLINE_RGB).all()
    assert (drawn[128, 64 + width + 1] == COLOUR_RGB["cyan"]).all()


def test_later_elements_lie_in_front() -> None:
    red, blue = Shape("a", "circle", "red", 120, 120, 50), Shape("b", "square", "blue", 140, 120, 50)
    assert render(Scene(elements=(red, blue))).getpixel((130, 120)) == COLOUR_RGB["blue"]
    assert render(Scene(elements=(blue, red))).getpixel((130, 120)) == COLOUR_RGB["red"]


def test_a_container_is_its_walls_alone() -> None:
    container = Container("box", 250, 240, 100, 80, 7)
    ink = is_ink(pixels(Scene(elements=(container,))))
    expected = np.zeros((512, 512), dtype=bool)
    box, hole = container.box, container.interior
    expected[box.top : box.bottom + 1, box.left : box.right + 1] = True
    expected[hole.top : hole.bottom + 1, hole.left : hole.right + 1] = False
    assert (ink == expected).all()
    assert (pixels(Scene(elements=(container,)))[ink] == CONTAINER_RGB).all()


@pytest.mark.parametrize("tip", [(300, 150), (60, 150), (180, 30), (180, 280), (290, 40), (70, 260), (185, 150)])
def test_an_arrow_runs_from_its_tail_to_its_tip_and_no_further(tip: tuple[int, int]) -> None:
    arrow = Arrow("arrow", 180, 150, *tip, 5)
    drawn = pixels(Scene(360, 320, 245, (arrow,)))
    ink = is_ink(drawn)
    length = max(1.0, float(np.hypot(tip[0] - 180, tip[1] - 150)))
    ux, uy = (tip[0] - 180) / length, (tip[1] - 150) / length
    ys, xs = np.nonzero(ink)
    along = (xs - 180) * ux + (ys - 150) * uy
    across = np.abs((ys - 150) * ux - (xs - 180) * uy)
    assert along.min() >= -1.5
    assert length - 1.5 <= along.max() <= length + 1.5
    assert across.max() <= arrow.head / 2 + 1.5
    if length > arrow.head:
        assert across[along < length - arrow.head - 1.5].max() <= arrow.width / 2 + 1.5
        assert across[along > length - 2].max() <= 3  # it ends in a point
        assert (drawn[round(150 + uy * 10), round(180 + ux * 10)] == ARROW_RGB).all()


@pytest.mark.parametrize("colour", COLOURS)
def test_letters_are_light_on_dark_fills_and_dark_elsewhere(colour: Colour) -> None:
    shape = Shape("a", "square", colour, 200, 200, 60)
    on = render(Scene(elements=(shape, Label("l", "I", "a", height=40)))).getpixel((200, 200))
    off = render(Scene(elements=(shape, Label("l", "I", "a", 0, -100, 40)))).getpixel((200, 100))
    assert on == (LABEL_LIGHT_RGB if colour in ("red", "green", "blue", "purple") else LABEL_DARK_RGB)
    assert off == LABEL_DARK_RGB


def test_moving_everything_moves_every_pixel() -> None:
    scene = PINNED["mixed"][0]
    moved = scene.with_elements(*(_shifted(e, 9, 5) for e in scene.elements))
    assert (pixels(moved)[5:, 9:] == pixels(scene)[:-5, :-9]).all()


def _shifted(e: Element, dx: int, dy: int) -> Element:
    match e:
        case Label():
            return e
        case Arrow():
            return msgspec.structs.replace(e, x=e.x + dx, y=e.y + dy, tip_x=e.tip_x + dx, tip_y=e.tip_y + dy)
        case Shape() | Container():
            return msgspec.structs.replace(e, x=e.x + dx, y=e.y + dy)


# ---- pinned pixels

# The versions of Pillow whose pixels these digests are; letters come from the FreeType that a wheel bundles.
PINNED_WITH = ("13.",)
PINNED: dict[str, tuple[Scene, str]] = {
    "empty": (Scene(96, 64, 240), "ce10d102db3d1cb142b64870cd296204"),
    "shapes": (
        Scene(
            elements=(
                Shape("a", "circle", "red", 100, 100, 45),
                Shape("b", "square", "orange", 300, 100, 37),
                Shape("c", "triangle", "yellow", 100, 300, 52),
                Shape("d", "diamond", "green", 300, 300, 61),
            )
        ),
        "316e8784207da18b4fc1a1678adaf93b",
    ),
    "overlap": (
        Scene(
            256,
            300,
            225,
            (
                Shape("a", "square", "cyan", 120, 120, 60),
                Shape("b", "circle", "blue", 150, 140, 50),
                Shape("c", "diamond", "purple", 100, 190, 33),
            ),
        ),
        "e00688b1b33769884da5a30c57d6a2ef",
    ),
    "container": (
        Scene(300, 200, 255, (Container("box", 150, 100, 90, 70, 5), Shape("a", "triangle", "pink", 150, 100, 30))),
        "4b60c5834b3d48336c8da74dc9056383",
    ),
    "arrows": (
        Scene(
            400,
            400,
            250,
            tuple(Arrow(f"a{i}", 200, 200, *tip, 3 + i) for i, tip in enumerate([(350, 200), (90, 330), (210, 40)])),
        ),
        "679563c35feb75ef1fbaf6bcd0703f19",
    ),
    "mixed": (
        Scene(
            640,
            360,
            235,
            (
                Container("box", 180, 180, 140, 120),
                Shape("a", "circle", "red", 150, 180, 48),
                Label("la", "A", "a", height=32),
                Shape("b", "triangle", "yellow", 440, 200, 24),
                Label("lb", "B", "b", 0, -39),
                Arrow("arrow", 520, 300, 470, 240),
            ),
        ),
        "16941fe72a2b391d930ef5447d87415c",
    ),
}


@pytest.mark.parametrize("name", PINNED)
def test_the_pixels_are_the_ones_they_always_were(name: str) -> None:
    if not PIL.__version__.startswith(PINNED_WITH):
        pytest.skip(f"PINNED PIXELS NOT CHECKED: they are those of Pillow {PINNED_WITH}, this is {PIL.__version__}")
    scene, digest = PINNED[name]
    assert RENDERER_VERSION == 1, "the renderer changed: pin its pixels anew"
    assert png.pixel_digest(render(scene)) == digest


def test_the_pixels_are_the_same_in_another_process() -> None:
    code = (
        "import sys, msgspec\n"
        "from counterbench.drawing import png, render\nfrom counterbench.scene import scene\n"
        "s = msgspec.json.decode(sys.stdin.buffer.read(), type=scene.Scene)\n"
        "print(png.pixel_digest(render.render(s)))"
    )
    scene, _ = PINNED["mixed"]
    there = subprocess.run(
        [sys.executable, "-c", code], input=msgspec.json.encode(scene), capture_output=True, check=True, timeout=60
    )
    assert there.stdout.decode().strip() == png.pixel_digest(render(scene))


# ---- PNG


def saved(image: Image.Image, format: str = "PNG", **options: int | bool) -> bytes:
    buffer = io.BytesIO()
    image.save(buffer, format, **options)
    return buffer.getvalue()


def decoded_or_error(data: bytes) -> Image.Image | str:
    """The picture, or the message that refuses it; any other error is a failure."""
    try:
        return png.decode(data, "half.png")
    except InputError as error:
        return str(error)


SMALL = Scene(90, 70, 230, (Shape("a", "circle", "red", 40, 35, 25),))


@pytest.mark.parametrize("name", PINNED)
def test_a_picture_survives_its_png(name: str) -> None:
    image = render(PINNED[name][0])
    again = png.decode(png.encode(image))
    assert again.mode == "RGB"
    assert again.size == image.size
    assert again.tobytes() == image.tobytes()


@given(st.integers(1, 40), st.integers(1, 40), st.randoms(use_true_random=False))
@settings(max_examples=30)
def test_any_pixels_survive(width: int, height: int, random: object) -> None:
    data = bytes(random.randrange(256) for _ in range(3 * width * height))  # type: ignore[attr-defined]
    image = Image.frombytes("RGB", (width, height), data)
    assert png.decode(png.encode(image)).tobytes() == data


@pytest.mark.parametrize("options", [{}, {"compress_level": 0}, {"compress_level": 9}, {"optimize": True}])
def test_the_digest_does_not_depend_on_the_compressor(options: dict[str, int]) -> None:
    image = render(PINNED["mixed"][0])
    data = saved(image, **options)
    assert data != png.encode(image)
    assert png.pixel_digest(png.decode(data)) == png.pixel_digest(png.decode(png.encode(image)))
    assert png.pixel_digest(png.decode(data)) == png.pixel_digest(image)


def test_the_digest_is_of_size_and_pixels() -> None:
    def digest(width: int, height: int, value: int) -> str:
        return png.pixel_digest(Image.new("RGB", (width, height), (value,) * 3))

    assert digest(6, 4, 9) == digest(6, 4, 9)
    assert len({digest(6, 4, 9), digest(4, 6, 9), digest(12, 2, 9), digest(6, 4, 8)}) == 4
    image = Image.new("RGB", (6, 4), (9, 9, 9))
    image.putpixel((5, 3), (9, 9, 10))
    assert png.pixel_digest(image) != digest(6, 4, 9)
    assert png.pixel_digest(Image.new("RGB", (2, 1), (1, 2, 3))) == "bc54852564e1c13d505d53d9bb5e0217"


@pytest.mark.parametrize("mode", ["L", "P", "RGBA", "LA", "1"])
def test_pictures_of_other_modes_are_read_as_rgb(mode: str) -> None:
    grey = Image.new("L", (20, 10), 255)
    assert png.decode(saved(grey.convert(mode))).tobytes() == b"\xff" * 600


@pytest.mark.parametrize("format", ["JPEG", "WEBP", "GIF", "BMP"])
def test_other_formats_are_read(format: str) -> None:
    assert png.decode(saved(render(SMALL), format)).size == (90, 70)


def test_a_truncated_picture_is_refused_wherever_it_ends() -> None:
    image = render(SMALL)
    data = png.encode(image)
    for cut in range(len(data)):
        left = decoded_or_error(data[:cut])
        if isinstance(left, Image.Image):  # only check sums and the closing chunk are missing
            assert left.tobytes() == image.tobytes()
            assert cut > len(data) - 24
        else:
            assert left.startswith("half.png: ")


def test_a_damaged_picture_is_read_or_refused_and_nothing_else() -> None:
    data = png.encode(render(SMALL))
    refused = 0
    for at in range(len(data)):
        broken = data[:at] + bytes([data[at] ^ 0x55]) + data[at + 1 :]
        left = decoded_or_error(broken)
        if isinstance(left, str):
            assert left.startswith("half.png: ")
            refused += 1
    assert refused > len(data) * 3 // 4


@pytest.mark.parametrize("data", [b"", b"GIF89a", b"not a picture at all", b"\x89PNG\r\n\x1a\n", b"\0" * 1000])
def test_what_is_no_picture_is_refused(data: bytes) -> None:
    with pytest.raises(InputError, match="thing"):
        png.decode(data, "thing")


@pytest.mark.filterwarnings("ignore::PIL.Image.DecompressionBombWarning")
@pytest.mark.parametrize("side", [4097, 10_000, 12_000, 30_000, 2**31 - 1])
def test_an_enormous_picture_is_refused_before_it_is_decoded(side: int) -> None:
    def chunk(kind: bytes, body: bytes) -> bytes:
        return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))

    header = chunk(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0))
    data = b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", zlib.compress(b"\0" * 10)) + chunk(b"IEND", b"")
    with pytest.raises(InputError, match="bomb"):
        png.decode(data, "bomb")


def test_a_missing_file_or_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"absent\.png"):
        png.read(tmp_path / "absent.png")
    with pytest.raises(InputError, match="cannot be read"):
        png.read(tmp_path)
    (tmp_path / "there.png").write_bytes(png.encode(render(SMALL)))
    assert png.read(tmp_path / "there.png").size == (90, 70)


def test_the_largest_picture_can_be_drawn_and_read() -> None:
    image = render(Scene(2048, 2048, 245, (Shape("a", "circle", "red", 1024, 1024, 1000),)))
    assert png.decode(png.encode(image)).getpixel((1024, 1024)) == COLOUR_RGB["red"]
