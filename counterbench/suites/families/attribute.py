"""Attribute: what colour is the described shape? The description matches exactly one; recolouring it flips that.

Asked for yes or no it exchanges its colour with another shape: the asked colour is there in both pictures.
"""

from counterbench.palette import COLOURS, SHAPES, Colour
from counterbench.scene.interventions import Intervention, Recolour, SwapColours
from counterbench.scene.programs.shapes import ColourOf, Equals
from counterbench.scene.scene import Shape
from counterbench.scene.seeds import Stream
from counterbench.scene.visibility import Description, ExtremeTrait, rank
from counterbench.suites.families.base import Canvas, Draft, Family, Params, Plan, check_choices
from counterbench.suites.families.placement import Field, draw_size

DESCRIPTIONS = ("kind", "place", "size")
_PLACES: tuple[ExtremeTrait, ...] = ("leftmost", "rightmost", "topmost", "bottommost")
_SIZES: tuple[ExtremeTrait, ...] = ("largest", "smallest")


class AttributeParams(Params, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of colour questions."""

    limits = {"distractors": (0, 12)}
    shape_size: tuple[int, int] = (6, 11)
    distractors: tuple[int, int] = (2, 5)  # other shapes
    # The target is picked out by its kind alone, or by its place or size among shapes of its kind; the last two need a
    # distractor.
    descriptions: tuple[str, ...] = DESCRIPTIONS

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choices(self, "descriptions", DESCRIPTIONS)


class Attribute(Family):
    """Binding of a colour to one of several shapes."""

    name = "attribute"
    form_versions = {"open": 2, "yes-no": 3}
    category = "attribute"
    summary = "what colour is the leftmost square? Recolour it"
    params_type = AttributeParams
    open_answers = COLOURS

    def draw(self, stream: Stream, plan: Plan, params: AttributeParams, canvas: Canvas) -> Draft:
        """A target with the planned colour, and others that the description does not match.

        `rivals` of the others have the target's kind, so that its place or size must pick it out.
        """
        before: Colour = stream.choice(COLOURS) if plan.form == "yes-no" else plan.answer  # type: ignore[assignment]
        after = stream.choice([c for c in COLOURS if c != before])
        kind = stream.choice(SHAPES)
        count = stream.integer(*params.distractors)
        description = stream.choice(params.descriptions)
        rivals, place = 0, None
        if description != "kind" and count:
            rivals = stream.integer(1, min(count, 2))
            place = stream.choice(_PLACES if description == "place" else _SIZES)
        others = [k for k in SHAPES if k != kind]
        kinds = [kind] * (1 + rivals) + [stream.choice(others) for _ in range(count - rivals)]
        field = Field(canvas, canvas.px(params.gap))
        shapes = []
        for i, k in enumerate(kinds):
            size = draw_size(stream, params, canvas)
            centre = field.place(stream, size)
            shapes.append(Shape(f"s{i}", k, stream.choice(COLOURS), *centre, size))
        # The shape that the description means; the program checks that it stands out.
        target = min(shapes[: 1 + rivals], key=lambda s: rank(s, place)) if place else shapes[0]
        change: Intervention = Recolour(target.id, after)
        new = {target.id: before}
        if plan.form == "yes-no" and count:
            other = stream.choice([s for s in shapes if s is not target])
            change, new[other.id] = SwapColours(target.id, other.id), after
        scene = canvas.scene(*stream.shuffled([s.but(colour=new.get(s.id, s.colour)) for s in shapes]))
        question = ColourOf(Description(kind=kind, place=place))
        program = question if plan.form == "open" else Equals(question, before if plan.answer == "yes" else after)
        difficulty = {"distractors": count, "same_kind": rivals, "size": target.size}
        return Draft(scene, change, program, "colour", difficulty)
