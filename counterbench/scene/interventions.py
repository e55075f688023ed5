"""Interventions: edits of a scene, each of which declares its change before it is made.

`declare` computes the change from the intervention alone, `diff` from the two scenes alone; a pair is sound only if
the two are equal (`counterbench.pairs.build` and `counterbench verify` both insist).
"""

from __future__ import annotations

from typing import Literal

import msgspec

from counterbench.errors import InputError
from counterbench.palette import Colour
from counterbench.scene.figures import Damage, Figure, Room, Writing
from counterbench.scene.scene import Arrow, Container, Element, Grey, Label, Scene, Shape

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


class _Intervention(msgspec.Struct, frozen=True, tag_field="kind", forbid_unknown_fields=True):
    """Base of the interventions."""


class Swap(_Intervention, frozen=True, tag="swap"):
    """Exchange the positions of two shapes: both coordinates, or one axis only."""

    first: str
    second: str
    axes: Literal["xy", "x", "y"] = "xy"


class Recolour(_Intervention, frozen=True, tag="recolour"):
    """Give a shape another colour."""

    target: str
    colour: Colour


class Add(_Intervention, frozen=True, tag="add"):
    """Add a shape in front of everything."""

    shape: Shape


class Remove(_Intervention, frozen=True, tag="remove"):
    """Take a shape away."""

    target: str


class Move(_Intervention, frozen=True, tag="move"):
    """Move a shape, for instance into or out of a container."""

    target: str
    x: int
    y: int


class Redirect(_Intervention, frozen=True, tag="redirect"):
    """Turn an arrow: its tail stays, its tip moves."""

    target: str
    tip_x: int
    tip_y: int


class Restage(_Intervention, frozen=True, tag="restage"):
    """Show the same setting under another law: these elements come instead of those that are there."""

    elements: tuple[Element, ...]


class FarDistractor(_Intervention, frozen=True, tag="far-distractor"):
    """Add a small shape far from everything (irrelevant where the truth stays)."""

    shape: Shape


class BackgroundShade(_Intervention, frozen=True, tag="background-shade"):
    """Draw the background in another grey (irrelevant)."""

    background: Grey


class ShiftAll(_Intervention, frozen=True, tag="shift-all"):
    """Move everything by the same distance (irrelevant)."""

    dx: int
    dy: int


class ChangeUnasked(_Intervention, frozen=True, tag="change-unasked"):
    """Recolour a shape that the question does not ask about (irrelevant where the truth stays)."""

    target: str
    colour: Colour


Relevant = Swap | Recolour | Add | Remove | Move | Redirect | Restage
Irrelevant = FarDistractor | BackgroundShade | ShiftAll | ChangeUnasked
Intervention = Relevant | Irrelevant

IRRELEVANT: tuple[str, ...] = ("far-distractor", "background-shade", "shift-all", "change-unasked")
# Changes that leave every pixel outside the changed elements' boxes as it was.
_GLOBAL = (BackgroundShade, ShiftAll)


def kind_of(intervention: Intervention) -> str:
    """The intervention's name, as in its JSON: "swap", "far-distractor", …"""
    return str(type(intervention).__struct_config__.tag)


def is_local(intervention: Intervention) -> bool:
    """Whether pixels outside the changed elements' boxes must stay identical."""
    return not isinstance(intervention, _GLOBAL)


def apply(intervention: Intervention, scene: Scene) -> Scene:
    """The intervened scene; InputError if the intervention does not fit the scene."""
    match intervention:
        case Swap(first, second, axes):
            a, b = scene.shape(first), scene.shape(second)
            moved_a, moved_b = a, b
            if "x" in axes:
                moved_a, moved_b = _with(moved_a, x=b.x), _with(moved_b, x=a.x)
            if "y" in axes:
                moved_a, moved_b = _with(moved_a, y=b.y), _with(moved_b, y=a.y)
            return scene.replaced(moved_a, moved_b)
        case Recolour(target, colour) | ChangeUnasked(target, colour):
            return scene.replaced(_with(scene.shape(target), colour=colour))
        case Add(shape) | FarDistractor(shape):
            return scene.with_elements(*scene.elements, shape)
        case Remove(target):
            gone = scene.shape(target)
            return scene.with_elements(*(e for e in scene.elements if e is not gone))
        case Move(target, x, y):
            return scene.replaced(_with(scene.shape(target), x=x, y=y))
        case Redirect(target, tip_x, tip_y):
            return scene.replaced(msgspec.structs.replace(_arrow(scene, target), tip_x=tip_x, tip_y=tip_y))
        case Restage(elements):
            return scene.with_elements(*elements)
        case BackgroundShade(background):
            return Scene(scene.width, scene.height, background, scene.elements)
        case ShiftAll(dx, dy):
            return scene.with_elements(*(_shifted(e, dx, dy) for e in scene.elements))


def declare(intervention: Intervention, scene: Scene) -> Change:
    """What `intervention` says it will change in `scene`, without making the change."""
    edits: list[tuple[str, str, Value, Value]] = []
    added: tuple[Placed, ...] = ()
    removed: tuple[Placed, ...] = ()
    match intervention:
        case Swap(first, second, axes):
            a, b = scene.shape(first), scene.shape(second)
            for axis, of_a, of_b in (("x", a.x, b.x), ("y", a.y, b.y)):
                if axis in axes:
                    edits += [(first, axis, of_a, of_b), (second, axis, of_b, of_a)]
        case Recolour(target, colour) | ChangeUnasked(target, colour):
            edits = [(target, "colour", scene.shape(target).colour, colour)]
        case Add(shape) | FarDistractor(shape):
            added = (Placed(len(scene.elements), shape),)
        case Remove(target):
            gone = scene.shape(target)
            removed = (Placed(scene.elements.index(gone), gone),)
        case Move(target, x, y):
            shape = scene.shape(target)
            edits = [(target, "x", shape.x, x), (target, "y", shape.y, y)]
        case Redirect(target, tip_x, tip_y):
            arrow = _arrow(scene, target)
            edits = [(target, "tip_x", arrow.tip_x, tip_x), (target, "tip_y", arrow.tip_y, tip_y)]
        case Restage(elements):
            return _restaged(scene.elements, elements)
        case BackgroundShade(background):
            edits = [("", "background", scene.background, background)]
        case ShiftAll(dx, dy):
            for e in scene.elements:
                if isinstance(e, Label):
                    continue  # a label moves with its shape
                edits += [(e.id, "x", e.x, e.x + dx), (e.id, "y", e.y, e.y + dy)]
                if isinstance(e, Arrow):
                    edits += [(e.id, "tip_x", e.tip_x, e.tip_x + dx), (e.id, "tip_y", e.tip_y, e.tip_y + dy)]
    return Change(tuple(Edit(*edit) for edit in sorted(edits) if edit[2] != edit[3]), added, removed)


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


def diff(before: Scene, after: Scene) -> Change:
    """The exact difference of two scenes, found by comparing every field of every element."""
    edits = [
        Edit("", field, getattr(before, field), getattr(after, field))
        for field in ("background", "height", "width")
        if getattr(before, field) != getattr(after, field)
    ]
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


def changed_ids(change: Change) -> frozenset[str]:
    """The ids of all elements that a change touches."""
    placed = (p.element.id for p in change.added + change.removed)
    return frozenset((*(e.element for e in change.edits if e.element), *placed))


def _arrow(scene: Scene, id: str) -> Arrow:
    arrow = scene.element(id)
    if not isinstance(arrow, Arrow):
        raise InputError(f"element {id!r} is a {type(arrow).__name__.lower()}, not an arrow")
    return arrow


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
