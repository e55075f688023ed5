"""The trial of each relation: drawn scenes on which a judge shows that it can answer the relation's questions.

A relation asks further questions, for instance about two pictures side by side. A judge that cannot read these may
still be right about single pictures. So each relation is tried on 60 drawn pictures, with one of its further questions
about each. It counts if two things hold: the judge is right on the original questions about these pictures more often
than by chance; and it is right on the further questions at most 5 points less often. The first is needed because a
judge that guesses loses nothing by any change of a picture. `drawn_questions` gives the questions, `relation_trials`
the results from the replies.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import msgspec

from counterbench.drawing.domain import Domain, our_renderer
from counterbench.drawing.picture import Picture
from counterbench.drawing.render import render
from counterbench.palette import COLOURS, SHAPES, Colour, ShapeKind
from counterbench.pictures.auditing.audit_questions import AuditItem, AuditQuestions
from counterbench.pictures.auditing.edits import edited, edited_things
from counterbench.pictures.auditing.relations import ASKED, FRAMED, RELATIONS, Extra
from counterbench.pictures.auditing.things import holds, things_of
from counterbench.pictures.protocols.replies import Replied
from counterbench.prompts.claims import Beside, Claim, Coloured, CountClaim, Present
from counterbench.prompts.nouns import plural
from counterbench.scene.scene import Scene, Shape
from counterbench.scene.seeds import Stream
from counterbench.stats.intervals import clopper_pearson

PICTURES, MAX_LOST = 60, 0.05  # drawn pictures; the share of right answers that may be lost
_SIDE, _COLUMNS, _VERSION = 512, 5, 1  # pixels; the columns of a scene; a part of every seed
_DOMAIN = Domain(renderer=our_renderer(), style="flat", size=f"{_SIDE}x{_SIDE}", file_format="png")
_RELATIONS = RELATIONS | {FRAMED.name: FRAMED}


class RelationTrial(msgspec.Struct, frozen=True):
    """The result of one relation's trial: shares of right answers about drawn pictures; null without answers."""

    original: float | None  # of the questions as a run asks them
    edited: float | None  # of the relation's further questions
    low: float | None  # the lower 95 % bound of `original`
    chance: float  # the share right of a judge that always gives the answer that is more often right; at least 0.5

    @property
    def sees(self) -> bool:
        """True if the questions as a run asks them are shown to be answered better than by chance."""
        return self.low is not None and self.low > self.chance

    @property
    def holds(self) -> bool:
        """True if the relation counts for this judge."""
        answered = self.original is not None and self.edited is not None
        return answered and self.sees and self.edited >= self.original - MAX_LOST - 1e-9  # type: ignore[operator]


class _Case(NamedTuple):
    """A drawn scene, by its number, and a claim about it; `kind` is that of the claim (see `_claim`)."""

    number: int
    kind: str
    claim: Claim

    @property
    def original(self) -> AuditItem:
        """The question about the claim itself, before any relation is applied."""
        return self._item(Extra(f"{self.kind}.{ASKED}", self.claim))

    def changed(self, relation: str) -> AuditItem:
        """One of the relation's further questions about the claim; which one depends on the scene's number."""
        extras = _RELATIONS[relation].applied_to(self.claim, self.claim.text).extras
        return self._item(extras[self.number // 2 % len(extras)])

    def _item(self, extra: Extra) -> AuditItem:
        """A question about this scene, with its true answer; the next scene's picture is the other one, if needed."""
        numbers = self.number, (self.number + 1) % PICTURES
        things, other_things = (things_of(_scene(number)) for number in numbers)
        truth = holds(extra.claim, edited_things(extra.edit, things, other_things))
        picture = edited(extra.edit, *map(_picture, numbers))
        return AuditItem(f"drawn-{self.number:02}", extra, picture, "yes" if truth else "no")


def drawn_questions(relations: Sequence[str]) -> AuditQuestions:
    """The questions about drawn pictures that try these relations; each question itself once."""
    originals = {case: case.original for relation in relations for case in _cases(relation)}
    further = [case.changed(relation) for relation in relations for case in _cases(relation)]
    identifying = f"relations on drawn pictures {_VERSION}"
    return AuditQuestions("audit-drawn", [*originals.values(), *further], _DOMAIN, identifying, ())


def relation_trials(relations: Sequence[str], replied: Replied) -> dict[str, RelationTrial]:
    """The trial of each of these relations, by name, from the replies so far."""

    def right(items: Sequence[AuditItem]) -> list[bool]:
        """For each question with a reply, True if the reply is right."""
        return [reply.answer == item.truth for item in items if (reply := replied(item.id)) is not None]

    by_relation = {}
    for name in relations:
        originals = [case.original for case in _cases(name) if replied(case.original.id) is not None]
        as_asked, as_edited = right(originals), right([case.changed(name) for case in _cases(name)])
        interval = clopper_pearson(sum(as_asked), len(as_asked), 0.9)  # 5 % below the lower end
        yes_share = sum(item.truth == "yes" for item in originals) / max(1, len(originals))
        low = interval[0] if interval is not None else None
        by_relation[name] = RelationTrial(_share(as_asked), _share(as_edited), low, max(yes_share, 1 - yes_share))
    return by_relation


def _share(right: Sequence[bool]) -> float | None:
    """The share of True; None of nothing."""
    return sum(right) / len(right) if right else None


@cache
def _cases(relation: str) -> tuple[_Case, ...]:
    """The drawn scenes on which a relation is tried, each with a claim; the kinds that it takes come in turns."""
    kinds = _RELATIONS[relation].trial_claims
    return tuple(_Case(n, kind, _claim(kind, n)) for n in range(PICTURES) for kind in [kinds[n % len(kinds)]])


def _three_shapes(number: int) -> list[tuple[Colour, ShapeKind]]:
    """The colours and kinds of a scene's three shapes, all different."""
    names = [(colour, kind) for colour in COLOURS for kind in SHAPES]
    return Stream("audit-drawn", _VERSION, number).shuffled(names)[:3]


def _third_count(number: int) -> int:
    """The number of third shapes in a scene; 0 in every second pair of scenes."""
    return (0, 0, 1, 2, 0, 0, 3, 1)[number % 8]


@cache
def _scene(number: int) -> Scene:
    """One of each of two shapes and some of a third, each in a column of its own."""
    stream, (first, second, third) = Stream("audit-places", _VERSION, number), _three_shapes(number)
    columns, wide = stream.shuffled(range(_COLUMNS)), _SIDE // _COLUMNS
    shapes = []
    for place, (colour, kind) in enumerate([first, second, *[third] * _third_count(number)]):
        x, y = columns[place] * wide + wide // 2, stream.integer(60, _SIDE - 60)
        shapes.append(Shape(f"s{place}", kind, colour, x, y, stream.integer(28, 40)))
    return Scene(_SIDE, _SIDE, elements=tuple(shapes))


@cache
def _picture(number: int) -> Picture:
    """The picture of a drawn scene, rendered when it is needed."""
    return Picture(lambda: render(_scene(number)), f"drawn-{number:02}")


def _claim(kind: str, number: int) -> Claim:
    """A claim of this kind about a scene; it can be true or false.

    "present": the third shape is there; "count": there are so many of it; "coloured": a shape has a colour; else: the
    first shape is on one side of the second.
    """
    first, second, third = (" ".join(name) for name in _three_shapes(number))
    shapes = _scene(number).shapes
    of_own_kind = [shape for shape in shapes if sum(other.kind == shape.kind for other in shapes) == 1]
    match kind:
        case "present":
            return Present(third)
        case "count":  # true of most scenes with such a shape, else one too many
            is_true = _third_count(number) and number // 8 % 4 > 0
            return CountClaim(plural(third), max(1, _third_count(number) + (not is_true)))
        case "coloured" if of_own_kind:  # a shape whose kind no other has; where there is none, the next claim
            other_colour = COLOURS[(COLOURS.index(of_own_kind[0].colour) + 3) % len(COLOURS)]
            return Coloured(of_own_kind[0].kind, of_own_kind[0].colour if number // 3 % 2 else other_colour)
        case _:
            return Beside(first, "left" if number // 2 % 2 else "right", second)
