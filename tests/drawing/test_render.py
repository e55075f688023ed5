"""Pictures: pure, exact where a truth depends on it, and nothing drawn outside the box that an element owns."""

import msgspec
import numpy as np
import numpy.typing as npt
import PIL
import pytest
from hypothesis import given, settings
from strategies import scenes
from sweeping import swept

from counterbench.drawing import png
from counterbench.drawing.render import RENDERER_VERSION, render
from counterbench.palette import ARROW_RGB, COLOUR_RGB, COLOURS, CONTAINER_RGB, OUTLINE_RGB, SHAPES
from counterbench.scene.interventions import ShiftAll
from counterbench.scene.scene import MIN_LABEL_HEIGHT, Arrow, Container, Element, Label, Scene, Shape
from counterbench.suites.suite import Suite, load_suite

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
Pixels = npt.NDArray[np.int16]


def pixels(scene: Scene) -> Pixels:
    return np.asarray(render(scene)).astype(np.int16)


def scene_without(scene: Scene, element: Element) -> Scene:
    return scene.with_elements(*(e for e in scene.elements if e is not element))


def is_ink(drawn: Pixels, background: int = 245) -> npt.NDArray[np.bool_]:
    return np.asarray((drawn != background).any(axis=2))


def ink_extent(ink: npt.NDArray[np.bool_]) -> tuple[tuple[int, int], tuple[int, int]]:
    """First and last row, first and last column of what is marked."""
    rows, columns = np.flatnonzero(ink.any(axis=(1, 2))), np.flatnonzero(ink.any(axis=(0, 2)))
    return (int(rows[0]), int(rows[-1])), (int(columns[0]), int(columns[-1]))


@given(scenes())
@settings(max_examples=20)
def test_equal_scenes_have_equal_pixels(scene: Scene) -> None:
    image = render(scene)
    again = render(msgspec.json.decode(msgspec.json.encode(scene), type=Scene))
    assert image.mode == "RGB"
    assert image.size == (scene.width, scene.height)
    assert image.tobytes() == again.tobytes()


@given(scenes(arrows=2, containers=2))
@settings(max_examples=10)
def test_an_element_changes_no_pixel_outside_its_box(scene: Scene) -> None:
    for element in scene.elements:
        rest = scene.with_elements(*(e for e in scene.elements if not (isinstance(e, Label) and e.of == element.id)))
        changed = (pixels(rest) != pixels(scene_without(rest, element))).any(axis=2)
        box = scene.box_of(element)
        changed[box.top : box.bottom + 1, box.left : box.right + 1] = False
        assert not changed.any(), element


def test_a_letter_stays_in_its_box_and_is_high_enough() -> None:
    bare = Scene(200, 200, elements=(Shape("a", "circle", "yellow", 180, 180, 10),))
    nothing = pixels(bare)
    for height in (22, 23, 40, 61):
        for letter in LETTERS:
            case = (letter, height)
            label = Label("l", letter, "a", -100, -100, height)
            scene = bare.with_elements(*bare.elements, label)
            drawn = pixels(scene)
            rows, columns = ink_extent(drawn != nothing)
            box = scene.label_box(label)
            assert box.left <= columns[0] <= columns[1] <= box.right, case
            assert box.top <= rows[0] <= rows[1] <= box.bottom, case
            dark, _ = ink_extent((nothing - drawn) >= 100)
            assert dark[1] - dark[0] + 1 >= MIN_LABEL_HEIGHT, case
            assert height - 1 <= rows[1] - rows[0] + 1 <= height * 5 // 4 + 1, case  # a Q hangs a little lower
            assert abs(sum(rows) / 2 - 80) <= 1.5, case  # in the middle of its box
            assert abs(sum(columns) / 2 - 80) <= 1.5, case


def test_all_letters_look_different() -> None:
    bare = Shape("a", "square", "yellow", 64, 64, 60)
    drawn = {
        png.pixel_digest(render(Scene(128, 128, elements=(bare, Label("l", letter, "a", height=40)))))
        for letter in LETTERS
    }
    assert len(drawn) == 26


def test_a_shape_has_its_colour_and_touches_every_side_of_its_box() -> None:
    looks = [(kind, colour, 15) for kind in SHAPES for colour in COLOURS]
    for kind, colour, size in (*looks, *((kind, "red", size) for kind in SHAPES for size in (6, 8, 33, 64))):
        drawn = pixels(Scene(160, 140, 230, (Shape("a", kind, colour, 80, 70, size),)))
        assert tuple(drawn[70, 80]) == COLOUR_RGB[colour], (kind, colour, size)
        assert ink_extent(drawn != 230) == ((70 - size, 70 + size), (80 - size, 80 + size)), (kind, colour, size)


def test_the_picture_agrees_with_the_geometry() -> None:
    """Where `contains` says a point is on the shape there is ink, and where it says not there is none (edges aside)."""
    for kind in SHAPES:
        for size in (20, 61):
            shape = Shape("a", kind, "blue", 75, 75, size)
            ink = is_ink(pixels(Scene(151, 151, 245, (shape,))))
            slim, wide = (msgspec.structs.replace(shape, size=size + by) for by in (-3, 3))
            for y in range(0, 151, 2):
                for x in range(0, 151, 2):
                    if slim.contains((x, y)) and shape.contains((x, y)):
                        assert ink[y, x], (kind, size, x, y)
                    if not wide.contains((x, y)):
                        assert not ink[y, x], (kind, size, x, y)


def test_a_container_is_drawn_as_its_walls_only() -> None:
    container = Container("box", 250, 240, 100, 80, 7)
    ink = is_ink(pixels(Scene(elements=(container,))))
    expected = np.zeros((512, 512), dtype=bool)
    box, hole = container.box, container.interior
    expected[box.top : box.bottom + 1, box.left : box.right + 1] = True
    expected[hole.top : hole.bottom + 1, hole.left : hole.right + 1] = False
    assert (ink == expected).all()
    assert (pixels(Scene(elements=(container,)))[ink] == CONTAINER_RGB).all()


def test_an_arrow_runs_from_its_tail_to_its_tip_and_no_further() -> None:
    for tip in ((300, 150), (60, 150), (180, 30), (180, 280), (290, 40), (70, 260), (185, 150)):
        arrow = Arrow("arrow", 180, 150, *tip, 5)
        drawn = pixels(Scene(360, 320, 245, (arrow,)))
        length = max(1.0, float(np.hypot(tip[0] - 180, tip[1] - 150)))
        ux, uy = (tip[0] - 180) / length, (tip[1] - 150) / length
        ys, xs = np.nonzero(is_ink(drawn))
        along = (xs - 180) * ux + (ys - 150) * uy
        across = np.abs((ys - 150) * ux - (xs - 180) * uy)
        assert along.min() >= -1.5, tip
        assert length - 1.5 <= along.max() <= length + 1.5, tip
        assert across.max() <= arrow.head / 2 + 1.5, tip
        if length > arrow.head:
            assert across[along < length - arrow.head - 1.5].max() <= arrow.width / 2 + 1.5, tip
            assert across[along > length - 2].max() <= 3, tip  # it ends in a point
            assert (drawn[round(150 + uy * 10), round(180 + ux * 10)] == ARROW_RGB).all(), tip


def test_moving_everything_moves_every_pixel() -> None:
    scene = PINNED["mixed"][0]
    moved = ShiftAll(9, 5).apply(scene)
    assert (pixels(moved)[5:, 9:] == pixels(scene)[:-5, :-9]).all()


# The versions of Pillow whose pixels these digests are (docs/decisions/0002-pixels.md names 11.0, too); letters
# come from the FreeType that a wheel bundles.
PINNED_WITH = ("11.", "12.", "13.")
# fmt: off
PINNED: dict[str, tuple[Scene, str]] = {
    "empty": (Scene(96, 64, 240), "e0f6f323dafaa57c7d95c54dcd9bb0bd"),
    "shapes": (Scene(elements=(
        Shape("a", "circle", "red", 100, 100, 45),
        Shape("b", "square", "orange", 300, 100, 37),
        Shape("c", "triangle", "yellow", 100, 300, 52),
        Shape("d", "diamond", "green", 300, 300, 61),
    )), "6426056310b2d545492b6ab3430f87bf"),
    "overlap": (Scene(256, 300, 225, (
        Shape("a", "square", "cyan", 120, 120, 60),
        Shape("b", "circle", "blue", 150, 140, 50),
        Shape("c", "diamond", "purple", 100, 190, 33),
    )), "886ab630cfbe92bee7c02573acb079e8"),
    "container": (Scene(300, 200, 255, (
        Container("box", 150, 100, 90, 70, 5), Shape("a", "triangle", "pink", 150, 100, 30),
    )), "f4560cc1187a6781974034fa2fe275a5"),
    "arrows": (Scene(400, 400, 250, tuple(
        Arrow(f"a{i}", 200, 200, *tip, 3 + i) for i, tip in enumerate([(350, 200), (90, 330), (210, 40)])
    )), "a0ea559864e4f320ac6ee0713c80664b"),
    "mixed": (Scene(640, 360, 235, (
        Container("box", 180, 180, 140, 120),
        Shape("a", "circle", "red", 150, 180, 48),
        Label("la", "A", "a", height=32),
        Shape("b", "triangle", "yellow", 440, 200, 24),
        Label("lb", "B", "b", 0, -39),
        Arrow("arrow", 520, 300, 470, 240),
    )), "fd5dd75b29ead2138f547b8aeed40e34"),
}
# fmt: on


@pytest.mark.parametrize("name", PINNED)
def test_the_pixels_have_not_changed(name: str) -> None:
    if not PIL.__version__.startswith(PINNED_WITH):
        pytest.skip(f"PINNED PIXELS NOT CHECKED: they are those of Pillow {PINNED_WITH}, this is {PIL.__version__}")
    scene, digest = PINNED[name]
    assert RENDERER_VERSION == 1, "the renderer changed: pin its pixels anew"
    assert png.pixel_digest(render(scene)) == digest


def diamonds(suite: Suite) -> set[bool]:
    shapes = [s for i in suite.positions(160) for scene in suite[i].scenes for s in scene.shapes if s.kind == "diamond"]
    assert len(shapes) > 50
    return {shape.slim for shape in shapes}


def test_every_suite_but_the_papers_has_slim_diamonds() -> None:
    assert diamonds(load_suite("certify")) == {True}
    assert diamonds(load_suite("counterbench-550")) == {False}


@swept("size", [8, 17, 30, 61, 90])
def test_a_slim_diamond_is_drawn_where_its_geometry_is(size: int) -> None:
    shape = Shape("d", "diamond", "red", 256, 256, size, slim=True)
    assert tuple(shape.box) == (256 - 2 * size // 3, 256 - size, 256 + 2 * size // 3, 256 + size)
    picture = np.asarray(render(Scene(elements=(shape,))))
    inked = (picture != 245).any(axis=2)
    rows, columns = np.flatnonzero(inked.any(axis=1)), np.flatnonzero(inked.any(axis=0))
    assert (columns[0], rows[0], columns[-1], rows[-1]) == tuple(shape.box)
    assert (picture == picture[:, ::-1][:, [-1, *range(511)]]).all(), "it is symmetric"
    pure = (picture == COLOUR_RGB["red"]).all(axis=2) | (picture == OUTLINE_RGB).all(axis=2)
    for y, x in np.argwhere(pure)[:: max(1, size // 10)]:
        assert shape.contains((int(x), int(y)))
    assert not shape.contains((256 + 2 * size // 3, 256 + size // 2))
    assert shape.meets((0, 256), (511, 256))
    assert not shape.meets((256 + size * 2 // 3 + 1, 0), (256 + size * 2 // 3 + 1, 511))
