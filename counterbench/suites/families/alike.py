"""Alike: are the two circles of exactly the same colour? Where they are not, they differ by a stated ΔE00."""

from counterbench.palette import BACKGROUND_SHADES, COLOUR_RGB, COLOURS, OUTLINE_RGB, RGB, SHAPES
from counterbench.scene.interventions import Reshade
from counterbench.scene.programs.fine import Alike
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.shades import difference
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan, Redraw
from counterbench.suites.families.placement import Field, draw_size

# The least ΔE00 of a shade from outlines and backgrounds.
_CLEAR = 12.0
_TRIES = 40  # directions from a colour in which a shade is looked for


class AlikeParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of questions about two nearly equal colours."""

    limits = {"apart": (2, 60), "distractors": (0, 8)}
    shape_size: tuple[int, int] = (8, 11)
    apart: tuple[int, int] = (5, 20)  # CIEDE2000 difference of the two colours, where they differ
    distractors: tuple[int, int] = (0, 2)  # shapes of other kinds


class Shades(Family):
    """Two shapes of one kind, alike in colour in one picture and not in the other; asked if alike, or if different."""

    name = "alike"
    form_versions = {"yes-no": 2}
    category = "attribute"
    summary = "are the two circles of exactly the same colour? Shade one of them"
    params_type = AlikeParams
    forms = ("yes-no",)

    def draw(self, stream: Stream, plan: Plan, params: AlikeParams, canvas: Canvas) -> Draft:
        """The two shapes, with one fill or two as planned."""
        kind, *others = stream.shuffled(SHAPES)
        colour, apart = stream.choice(COLOURS), stream.integer(*params.apart)
        fills = stream.shuffled(("", _shade(stream, COLOUR_RGB[colour], apart)))
        differ = plan.turn % 2 == 0
        alike = (plan.answer == "yes") != differ
        size = draw_size(stream, params, canvas)
        field = Field(canvas, canvas.px(params.gap))
        a, b = (Shape(id, kind, colour, *field.place(stream, size), size, shade=fills[0]) for id in "ab")
        third = [
            Shape(f"d{i + 1}", stream.choice(others), stream.choice(COLOURS), *field.place(stream, size), size)
            for i in range(stream.integer(*params.distractors))
        ]
        changed = a.but(shade=fills[1])
        scene = canvas.scene(*stream.shuffled([a if alike else changed, b, *third]))
        change = Reshade("a", fills[1] if alike else fills[0])
        return Draft(scene, change, Alike(kind, differ), "same-colour", {"colour": apart, "size": size})


def _shade(stream: Stream, rgb: RGB, apart: int) -> str:
    """A shade "rrggbb" that differs from a colour by the ΔE00 `apart`; Redraw if none is found.

    It lies in a random direction from the colour in red, green and blue. ΔE00 is off by a twentieth and 0.1 at most.
    """
    for _ in range(_TRIES):
        direction = [stream.integer(-100, 100) for _ in rgb]
        longest = max(1, *map(abs, direction))
        nearest, off = rgb, float(apart)
        for step in range(1, 256):
            red, green, blue = (value + to * step // longest for value, to in zip(rgb, direction, strict=True))
            shade = (red, green, blue)
            if min(shade) < 0 or max(shade) > 255 or (now := difference(rgb, shade)) > 2 * apart:
                break
            if abs(now - apart) < off:
                nearest, off = shade, abs(now - apart)
        if off <= 0.05 * apart + 0.1 and all(difference(nearest, other) >= _CLEAR for other in _OTHERS):
            return bytes(nearest).hex()
    raise Redraw(f"no shade at ΔE {apart} was found")


_OTHERS: tuple[RGB, ...] = (OUTLINE_RGB, *((grey, grey, grey) for grey in BACKGROUND_SHADES))
