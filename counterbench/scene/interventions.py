"""Interventions: edits of a scene, each of which declares its change before it is made.

`declare` computes the change from the intervention alone, `diff` from the two scenes alone; a pair is sound only if
the two are equal (`counterbench.scene.pairs.build` and `counterbench verify` both insist).
"""

from __future__ import annotations

from typing import ClassVar, Literal

import msgspec

from counterbench.errors import InputError
from counterbench.palette import Colour
from counterbench.scene.figures import Damage, Figure, Room, Writing
from counterbench.scene.scene import Arrow, Container, Element, Grey, Label, Scene, Shape, Treatment

Value = bool | int | str


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One field of one element (element "": of the scene itself) goes from `before` to `after`."""

    element: str
    field: str
    before: Value
    after: Value


class Placed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An element and its place in the drawing order."""

    at: int
    element: Element


class Change(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The exact difference of two scenes: edits sorted by element and field, elements added, removed, reordered."""

    edits: tuple[Edit, ...] = ()
    added: tuple[Placed, ...] = ()
    removed: tuple[Placed, ...] = ()
    reordered: bool = False


class BaseIntervention(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Base of the interventions. `is_local`: pixels outside the changed elements' boxes stay as they are."""

    is_local: ClassVar[bool] = True

    def apply(self, scene: Scene) -> Scene:
        """The intervened scene; InputError if the intervention does not fit the scene."""
        raise NotImplementedError

    def declare(self, scene: Scene) -> Change:
        """What it says it will change in `scene`, without making the change."""
        raise NotImplementedError


class Swap(BaseIntervention, frozen=True, tag="swap"):
    """Exchange the positions of two shapes: both coordinates, or one axis only."""

    first: str
    second: str
    axes: Literal["xy", "x", "y"] = "xy"

    def apply(self, scene: Scene) -> Scene:
        a, b = scene.shape(self.first), scene.shape(self.second)
        return scene.replaced(
            _with(a, **{axis: getattr(b, axis) for axis in self.axes}),
            _with(b, **{axis: getattr(a, axis) for axis in self.axes}),
        )

    def declare(self, scene: Scene) -> Change:
        a, b = scene.shape(self.first), scene.shape(self.second)
        places = [(axis, getattr(a, axis), getattr(b, axis)) for axis in self.axes]
        return _edited(
            *((self.first, axis, of_a, of_b) for axis, of_a, of_b in places),
            *((self.second, axis, of_b, of_a) for axis, of_a, of_b in places),
        )


class SwapColours(BaseIntervention, frozen=True, tag="swap-colours"):
    """Exchange the colours of two shapes."""

    first: str
    second: str

    def apply(self, scene: Scene) -> Scene:
        a, b = scene.shape(self.first), scene.shape(self.second)
        return scene.replaced(_with(a, colour=b.colour), _with(b, colour=a.colour))

    def declare(self, scene: Scene) -> Change:
        of_a, of_b = scene.shape(self.first).colour, scene.shape(self.second).colour
        return _edited((self.first, "colour", of_a, of_b), (self.second, "colour", of_b, of_a))


class _Recolouring(BaseIntervention, frozen=True):
    target: str
    colour: Colour

    def apply(self, scene: Scene) -> Scene:
        return scene.replaced(_with(scene.shape(self.target), colour=self.colour))

    def declare(self, scene: Scene) -> Change:
        return _edited((self.target, "colour", scene.shape(self.target).colour, self.colour))


class Recolour(_Recolouring, frozen=True, tag="recolour"):
    """Give a shape another colour."""


class ChangeUnasked(_Recolouring, frozen=True, tag="change-unasked"):
    """Recolour a shape that the question does not ask about (irrelevant where the truth stays)."""


class _Addition(BaseIntervention, frozen=True):
    shape: Shape

    def apply(self, scene: Scene) -> Scene:
        return scene.with_elements(*scene.elements, self.shape)

    def declare(self, scene: Scene) -> Change:
        return Change(added=(Placed(len(scene.elements), self.shape),))


class Add(_Addition, frozen=True, tag="add"):
    """Add a shape in front of everything."""


class FarDistractor(_Addition, frozen=True, tag="far-distractor"):
    """Add a small shape far from everything (irrelevant where the truth stays)."""


class Remove(BaseIntervention, frozen=True, tag="remove"):
    """Take a shape away."""

    target: str

    def apply(self, scene: Scene) -> Scene:
        gone = scene.shape(self.target)
        return scene.with_elements(*(e for e in scene.elements if e is not gone))

    def declare(self, scene: Scene) -> Change:
        gone = scene.shape(self.target)
        return Change(removed=(Placed(scene.elements.index(gone), gone),))


class Move(BaseIntervention, frozen=True, tag="move"):
    """Move a shape, for instance into or out of a container."""

    target: str
    x: int
    y: int

    def apply(self, scene: Scene) -> Scene:
        return scene.replaced(_with(scene.shape(self.target), x=self.x, y=self.y))

    def declare(self, scene: Scene) -> Change:
        shape = scene.shape(self.target)
        return _edited((self.target, "x", shape.x, self.x), (self.target, "y", shape.y, self.y))


class Redirect(BaseIntervention, frozen=True, tag="redirect"):
    """Turn an arrow: its tail stays, its tip moves."""

    target: str
    tip_x: int
    tip_y: int

    def apply(self, scene: Scene) -> Scene:
        return scene.replaced(msgspec.structs.replace(self._arrow(scene), tip_x=self.tip_x, tip_y=self.tip_y))

    def declare(self, scene: Scene) -> Change:
        arrow = self._arrow(scene)
        return _edited((self.target, "tip_x", arrow.tip_x, self.tip_x), (self.target, "tip_y", arrow.tip_y, self.tip_y))

    def _arrow(self, scene: Scene) -> Arrow:
        arrow = scene.element(self.target)
        if not isinstance(arrow, Arrow):
            raise InputError(f"element {self.target!r} is a {type(arrow).__name__.lower()}, not an arrow")
        return arrow


class Restage(BaseIntervention, frozen=True, tag="restage"):
    """Show the same setting under another law: these elements come instead of those that are there."""

    elements: tuple[Element, ...]

    def apply(self, scene: Scene) -> Scene:
        return scene.with_elements(*self.elements)

    def declare(self, scene: Scene) -> Change:
        return _restaged(scene.elements, self.elements)


class BackgroundShade(BaseIntervention, frozen=True, tag="background-shade"):
    """Draw the background in another grey (irrelevant)."""

    is_local = False
    background: Grey

    def apply(self, scene: Scene) -> Scene:
        return msgspec.structs.replace(scene, background=self.background)

    def declare(self, scene: Scene) -> Change:
        return _edited(("", "background", scene.background, self.background))


class Treat(BaseIntervention, frozen=True, tag="treat"):
    """Treat the picture after it was drawn: save it as JPEG, resize it, … (irrelevant)."""

    is_local = False
    treatment: Treatment

    def apply(self, scene: Scene) -> Scene:
        return msgspec.structs.replace(scene, treatment=self.treatment)

    def declare(self, scene: Scene) -> Change:
        return _edited(("", "treatment", scene.treatment or "", self.treatment))


class Paint(BaseIntervention, frozen=True, tag="paint"):
    """Paint words in front of everything, which mean nothing: an answer, or a colour (irrelevant)."""

    words: Writing

    def apply(self, scene: Scene) -> Scene:
        return scene.with_elements(*scene.elements, self.words)

    def declare(self, scene: Scene) -> Change:
        return Change(added=(Placed(len(scene.elements), self.words),))


class ShiftAll(BaseIntervention, frozen=True, tag="shift-all"):
    """Move everything by the same distance (irrelevant)."""

    is_local = False
    dx: int
    dy: int

    def apply(self, scene: Scene) -> Scene:
        return scene.with_elements(*(_shifted(e, self.dx, self.dy) for e in scene.elements))

    def declare(self, scene: Scene) -> Change:
        edits: list[tuple[str, str, Value, Value]] = []
        for e in scene.elements:
            if isinstance(e, Label):
                continue  # a label moves with its shape
            edits += [(e.id, "x", e.x, e.x + self.dx), (e.id, "y", e.y, e.y + self.dy)]
            if isinstance(e, Arrow):
                edits += [(e.id, "tip_x", e.tip_x, e.tip_x + self.dx), (e.id, "tip_y", e.tip_y, e.tip_y + self.dy)]
        return _edited(*edits)


Relevant = Swap | SwapColours | Recolour | Add | Remove | Move | Redirect | Restage
Irrelevant = FarDistractor | BackgroundShade | ShiftAll | ChangeUnasked | Treat | Paint
Intervention = Relevant | Irrelevant

IRRELEVANT: tuple[str, ...] = ("far-distractor", "background-shade", "shift-all", "change-unasked")


def kind_of(intervention: Intervention) -> str:
    """The intervention's name, as in its JSON: "swap", "far-distractor", …"""
    return str(type(intervention).__struct_config__.tag)


def _edited(*edits: tuple[str, str, Value, Value]) -> Change:
    """A change of fields alone; those that stay the same are no change."""
    return Change(tuple(Edit(*edit) for edit in sorted(edits) if edit[2] != edit[3]))


def _restaged(old: tuple[Element, ...], new: tuple[Element, ...]) -> Change:
    """What becomes of every element: those of the same id are edited, the others go or come."""
    places = {element.id: place for place, element in enumerate(old)}
    edits, added, order = [], [], []
    for place, element in enumerate(new):
        was = old[places[element.id]] if element.id in places else None
        if was is None or type(was) is not type(element):
            added.append(Placed(place, element))
            continue
        order.append(places[element.id])
        fields = zip(
            element.__struct_fields__, msgspec.structs.astuple(was), msgspec.structs.astuple(element), strict=True
        )
        edits += [Edit(element.id, field, a, b) for field, a, b in fields if a != b]
    removed = tuple(Placed(place, e) for place, e in enumerate(old) if place not in order)
    edits.sort(key=lambda edit: (edit.element, edit.field))
    return Change(tuple(edits), tuple(added), removed, reordered=order != sorted(order))


_OF_SCENE = ("background", "height", "treatment", "width")


def diff(before: Scene, after: Scene) -> Change:
    """The exact difference of two scenes, found by comparing every field of every element."""
    whole = ((field, _of_scene(before, field), _of_scene(after, field)) for field in _OF_SCENE)
    edits = [Edit("", field, was, now) for field, was, now in whole if was != now]
    old, new = ({e.id: e for e in scene.elements} for scene in (before, after))
    kept = [id for id in old if id in new and type(old[id]) is type(new[id])]
    for id in sorted(kept):
        if old[id] is not new[id]:
            edits += [
                Edit(id, field, getattr(old[id], field), getattr(new[id], field))
                for field in sorted(old[id].__struct_fields__)
                if getattr(old[id], field) != getattr(new[id], field)
            ]
    staying = set(kept)
    return Change(
        tuple(edits),
        added=tuple(Placed(i, e) for i, e in enumerate(after.elements) if e.id not in staying),
        removed=tuple(Placed(i, e) for i, e in enumerate(before.elements) if e.id not in staying),
        reordered=kept != [e.id for e in after.elements if e.id in staying],
    )


def _of_scene(scene: Scene, field: str) -> Value:
    """A field of the scene itself; empty where it is not set."""
    value: Value | msgspec.UnsetType = getattr(scene, field)
    return "" if value is msgspec.UNSET else value


def changed_ids(change: Change) -> frozenset[str]:
    """The ids of all elements that a change touches."""
    placed = (p.element.id for p in change.added + change.removed)
    return frozenset((*(e.element for e in change.edits if e.element), *placed))


def _with(shape: Shape, **fields: Value) -> Shape:
    return msgspec.structs.replace(shape, **fields)


def _shifted(element: Element, dx: int, dy: int) -> Element:
    match element:
        case Label():
            return element
        case Arrow():
            return msgspec.structs.replace(
                element,
                x=element.x + dx,
                y=element.y + dy,
                tip_x=element.tip_x + dx,
                tip_y=element.tip_y + dy,
            )
        case Shape() | Container() | Room() | Figure() | Damage() | Writing():
            return msgspec.structs.replace(element, x=element.x + dx, y=element.y + dy)
