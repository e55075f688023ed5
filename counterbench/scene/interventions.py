"""Interventions: edits of a scene, each of which declares its change before it is made.

An intervention that is called irrelevant below leaves the answer to the pair's question as it is. `declare` computes
the change from the intervention alone, `diff` from the two scenes alone; a pair is sound only if the two are equal
(`counterbench.scene.pairs.build` and `counterbench verify` both insist).
"""

from collections.abc import Sequence
from typing import ClassVar, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.palette import Colour
from counterbench.scene.figures import Sign, Writing
from counterbench.scene.scene import Arrow, Element, Grey, Scene, Shade, Shape, TreatmentName

Value = bool | int | str


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field of one element (element "": of the scene itself) goes from `before` to `after`."""

    element: str
    field: str
    before: Value
    after: Value


class PlacedElement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An element and its place in the drawing order."""

    at: int  # its index: 0 is drawn first, and so lies behind all others
    element: Element


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The exact difference of two scenes: edits sorted by element and field, elements added, removed, reordered."""

    edits: tuple[Edit, ...] = ()
    added: tuple[PlacedElement, ...] = ()
    removed: tuple[PlacedElement, ...] = ()
    reordered: bool = False


class BaseIntervention(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """The base class of interventions: each declares a change of a scene, and applies it."""

    is_local: ClassVar[bool] = True  # pixels outside the changed elements' boxes stay as they are

    def apply(self, scene: Scene) -> Scene:
        """The intervened scene; InputError if the intervention does not fit the scene."""
        raise NotImplementedError

    def declare(self, scene: Scene) -> Change:
        """The change that it will make in `scene`, without making it."""
        raise NotImplementedError


class _FieldChange(BaseIntervention, frozen=True):
    """Base of the interventions that set fields."""

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The new values of fields, by element id and field ("" is the scene itself)."""
        raise NotImplementedError

    def apply(self, scene: Scene) -> Scene:
        """The scene with the new values in its elements and in itself."""
        values = self.new_values(scene)
        of_scene = values.pop("", {})
        changed = (msgspec.structs.replace(scene.element(id), **fields) for id, fields in values.items())
        return msgspec.structs.replace(scene.replaced(*changed), **of_scene)

    def declare(self, scene: Scene) -> Change:
        """The exact change to `scene`: the fields whose values differ."""
        edits = [
            Edit(id, field, _field(scene.element(id) if id else scene, field), value)
            for id, fields in self.new_values(scene).items()
            for field, value in fields.items()
        ]
        edits.sort(key=lambda edit: (edit.element, edit.field))
        return Change(tuple(edit for edit in edits if edit.before != edit.after))


class SwapPlaces(_FieldChange, frozen=True, tag="swap"):
    """Exchange the positions of two shapes: both coordinates, or one axis only."""

    first: str
    second: str
    axes: Literal["xy", "x", "y"] = "xy"

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The positions of the two shapes, exchanged."""
        a, b = scene.shape(self.first), scene.shape(self.second)
        return {shape.id: {axis: getattr(other, axis) for axis in self.axes} for shape, other in ((a, b), (b, a))}


class SwapColours(_FieldChange, frozen=True, tag="swap-colours"):
    """Exchange the colours of two shapes."""

    first: str
    second: str

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The colours of the two shapes, exchanged."""
        a, b = scene.shape(self.first), scene.shape(self.second)
        return {a.id: {"colour": b.colour}, b.id: {"colour": a.colour}}


class _Recolouring(_FieldChange, frozen=True):
    """Base of the interventions that give one shape another colour."""

    target: str
    colour: Colour

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The new colour of the target shape."""
        return {scene.shape(self.target).id: {"colour": self.colour}}


class Recolour(_Recolouring, frozen=True, tag="recolour"):
    """Give a shape another colour."""


class Reshade(_FieldChange, frozen=True, tag="reshade"):
    """Fill a shape with another shade; "" is its colour's own."""

    target: str
    shade: Shade

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The new shade of the target shape."""
        return {scene.shape(self.target).id: {"shade": self.shade}}


class ChangeUnasked(_Recolouring, frozen=True, tag="change-unasked"):
    """Recolour a shape that the question does not ask about (irrelevant where the truth stays)."""


class _Addition(BaseIntervention, frozen=True):
    """Base of the interventions that add the element in their only field in front of everything."""

    def apply(self, scene: Scene) -> Scene:
        """The scene with the new element in front of all others."""
        return scene.with_elements(*scene.elements, *msgspec.structs.astuple(self))

    def declare(self, scene: Scene) -> Change:
        """The change that adds the new element at the end of the drawing order."""
        (added,) = msgspec.structs.astuple(self)
        return Change(added=(PlacedElement(len(scene.elements), added),))


class Add(_Addition, frozen=True, tag="add"):
    """Add a shape in front of everything."""

    shape: Shape


class FarDistractor(_Addition, frozen=True, tag="far-distractor"):
    """Add a small shape far from everything (irrelevant where the truth stays)."""

    shape: Shape


class Paint(_Addition, frozen=True, tag="paint"):
    """Paint words in front of everything: an answer, or a colour (irrelevant)."""

    words: Writing


class Remove(BaseIntervention, frozen=True, tag="remove"):
    """Take a shape away."""

    target: str

    def apply(self, scene: Scene) -> Scene:
        """The scene without the target shape."""
        removed = scene.shape(self.target)
        return scene.with_elements(*(e for e in scene.elements if e is not removed))

    def declare(self, scene: Scene) -> Change:
        """The change that removes the target shape from its place in the drawing order."""
        removed = scene.shape(self.target)
        return Change(removed=(PlacedElement(scene.elements.index(removed), removed),))


class Move(_FieldChange, frozen=True, tag="move"):
    """Move a shape, for instance into or out of a container."""

    target: str
    x: int
    y: int

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The new position of the target shape."""
        return {scene.shape(self.target).id: {"x": self.x, "y": self.y}}


class Redirect(_FieldChange, frozen=True, tag="redirect"):
    """Turn an arrow: its tail stays, its tip moves."""

    target: str
    tip_x: int
    tip_y: int

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The new tip of the target arrow; InputError if the target is no arrow."""
        arrow = scene.element(self.target)
        if not isinstance(arrow, Arrow):
            raise InputError(f"element {self.target!r} is a {type(arrow).__name__.lower()}, not an arrow")
        return {self.target: {"tip_x": self.tip_x, "tip_y": self.tip_y}}


class Reword(_FieldChange, frozen=True, tag="reword"):
    """Print another word on a sign."""

    target: str
    word: str

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The new word of the target sign; InputError if the target is no sign."""
        sign = scene.element(self.target)
        if not isinstance(sign, Sign):
            raise InputError(f"element {self.target!r} is a {type(sign).__name__.lower()}, not a sign")
        return {self.target: {"word": self.word}}


class Restage(BaseIntervention, frozen=True, tag="restage"):
    """Show the same setting under another law: replace all elements by these."""

    elements: tuple[Element, ...]

    def apply(self, scene: Scene) -> Scene:
        """The scene with the new elements in place of its own."""
        return scene.with_elements(*self.elements)

    def declare(self, scene: Scene) -> Change:
        """The change from the scene's own elements to the new ones."""
        return _restaged(scene.elements, self.elements)


class _OfScene(_FieldChange, frozen=True):
    """Base of the interventions that change a field of the scene itself; their own field has the same name."""

    is_local = False

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The new value of the scene's field, which is the value of this intervention's field."""
        return {"": msgspec.structs.asdict(self)}


class BackgroundShade(_OfScene, frozen=True, tag="background-shade"):
    """Draw the background in another grey (irrelevant)."""

    background: Grey


class Treat(_OfScene, frozen=True, tag="treat"):
    """Treat the picture after it was drawn: save it as JPEG, resize it, … (irrelevant)."""

    treatment: TreatmentName


class ShiftAll(_FieldChange, frozen=True, tag="shift-all"):
    """Move everything by the same distance (irrelevant). A label moves with its shape."""

    is_local = False
    dx: int
    dy: int

    def new_values(self, scene: Scene) -> dict[str, dict[str, Value]]:
        """The shifted places of all elements."""
        return {e.id: dict(e.places(self.dx, self.dy)) for e in scene.elements}


Relevant = SwapPlaces | SwapColours | Recolour | Reshade | Add | Remove | Move | Redirect | Reword | Restage
Irrelevant = FarDistractor | BackgroundShade | ShiftAll | ChangeUnasked | Treat | Paint
Intervention = Relevant | Irrelevant

# The names of the irrelevant interventions, without "treat" and "paint".
IRRELEVANT: tuple[str, ...] = ("far-distractor", "background-shade", "shift-all", "change-unasked")


def kind_of(intervention: Intervention) -> str:
    """The intervention's name, as in its JSON: "swap", "far-distractor", …"""
    return str(type(intervention).__struct_config__.tag)


def _restaged(old: tuple[Element, ...], new: tuple[Element, ...]) -> Change:
    """The change from old elements to new ones: those of the same id and type are edited, others added or removed.

    It is what `diff` finds, computed in another way.
    """
    places = {element.id: place for place, element in enumerate(old)}
    edits, added, order = [], [], []
    for place, element in enumerate(new):
        before = old[places[element.id]] if element.id in places else None
        if before is None or type(before) is not type(element):
            added.append(PlacedElement(place, element))
            continue
        order.append(places[element.id])
        edits += _edits(element.id, before, element, element.__struct_fields__)
    removed = tuple(PlacedElement(place, e) for place, e in enumerate(old) if place not in order)
    edits.sort(key=lambda edit: (edit.element, edit.field))
    return Change(tuple(edits), tuple(added), removed, reordered=order != sorted(order))


_OF_SCENE = ("background", "height", "treatment", "width")  # the scene's own fields, which are not its elements


def diff(before: Scene, after: Scene) -> Change:
    """The exact difference of two scenes, by comparing every field of every element."""
    edits = _edits("", before, after, _OF_SCENE)
    old, new = ({e.id: e for e in scene.elements} for scene in (before, after))
    common_ids = [id for id in old if id in new and type(old[id]) is type(new[id])]
    for id in sorted(common_ids):
        if old[id] is not new[id]:
            edits += _edits(id, old[id], new[id], sorted(old[id].__struct_fields__))
    common_id_set = set(common_ids)
    return Change(
        tuple(edits),
        added=tuple(PlacedElement(i, e) for i, e in enumerate(after.elements) if e.id not in common_id_set),
        removed=tuple(PlacedElement(i, e) for i, e in enumerate(before.elements) if e.id not in common_id_set),
        reordered=common_ids != [e.id for e in after.elements if e.id in common_id_set],
    )


def _edits(id: str, before: Scene | Element, after: Scene | Element, fields: Sequence[str]) -> list[Edit]:
    """The edits from `before` to `after` of the given fields whose values differ; `id` is the element's."""
    edits = (Edit(id, field, _field(before, field), _field(after, field)) for field in fields)
    return [edit for edit in edits if edit.before != edit.after]


def _field(holder: Scene | Element, field: str) -> Value:
    """The value of a field of a scene or an element; empty if it is not set."""
    value: Value | msgspec.UnsetType = getattr(holder, field)
    return "" if value is msgspec.UNSET else value


def changed_ids(change: Change) -> frozenset[str]:
    """The ids of all elements that a change edits, adds or removes."""
    placed = (p.element.id for p in change.added + change.removed)
    return frozenset((*(e.element for e in change.edits if e.element), *placed))
