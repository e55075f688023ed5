"""Priors: pairs of a familiar thing as it usually is, and the same thing with one of its parts altered.

"How many legs does this dog have?" A judge that answers what is usual, without looking, is right about one picture of
each pair and wrong about the other. Each class is a family: code that makes pairs of one kind. For each item a family
first makes a plan (its form, its answer, its stratum), by `plan`, and then draws a pair that fits it, by `draw`. A
stratum is a group of items in which every answer occurs equally often: here the items with one alteration ("4-5": from
four legs to five) and one naming (the question names the thing, does not, or lies about it).

Neither the question nor one picture tells the answer: which picture is the original, and which number a yes/no question
says, are balanced or drawn by lot. See docs/pairs.md.
"""

from collections.abc import Sequence
from typing import ClassVar

import msgspec

from counterbench.drawing.familiar import FAMILIAR_VERSION
from counterbench.errors import InputError, NoRoomError
from counterbench.palette import BACKGROUND_SHADES
from counterbench.scene.familiar_things import ALTERED, LOOKS, USUAL, Familiar, FamiliarKind
from counterbench.scene.interventions import Restage
from counterbench.scene.pairs import QuestionForm
from counterbench.scene.programs.familiar import NAMINGS, CountedThing, LightOf, LightPlace, Naming, PartsOf
from counterbench.scene.programs.shapes import Equals
from counterbench.scene.seeds import Stream
from counterbench.suites.families.base import (
    YES_NO,
    Canvas,
    Draft,
    Family,
    IntegerRange,
    Parameters,
    Plan,
    balanced,
    check_choices,
)

_MIN_SIDE = 130  # pixels of the longer side of a thing: in smaller ones parts run into each other
_MARGIN = 2  # per cent of the picture's shorter side that stay free around a thing
# The colours of a traffic light, by their letters in its parts.
_COLOURS = {"r": "red", "y": "yellow", "g": "green"}


class PriorParams(Parameters, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Parameters of the families of familiar things."""

    size: IntegerRange = (55, 90)  # the longer side of the thing, in per cent of the picture's shorter side
    namings: tuple[Naming, ...] = NAMINGS

    def __post_init__(self) -> None:
        low, high = self.size
        if not 20 <= low <= high <= 94:
            raise InputError(
                f"parameter 'size' must be [low, high], in order and each from 20 to 94, not {list(self.size)}"
            )
        check_choices(self, "namings", NAMINGS)


class Alteration(msgspec.Struct, frozen=True):
    """One way to alter a thing.

    Parts are a text with a letter for each part: "ryg" are the lights of a traffic light from top to bottom; "." is a
    place on a die without a pip.
    """

    usual: tuple[str, ...]  # parts of the usual thing, one of which is drawn by lot
    altered: tuple[str, ...]  # parts of the altered thing, likewise
    answers: tuple[str, str]  # the answer about the usual thing, and that about the altered one
    place: LightPlace = "top"  # of a traffic light, the place of the light that is asked about

    @property
    def label(self) -> str:
        """The two answers as a name, "4-5", which is a part of the names of strata."""
        return "-".join(self.answers)


def _altered_count(usual: str, *altered: str) -> Alteration:
    """The alteration of the number of parts from that in `usual` to that in each of `altered`."""
    before, after = (len(parts.replace(".", "")) for parts in (usual, altered[0]))
    return Alteration((usual,), altered, (str(before), str(after)))


def _altered_light(place: LightPlace, *altered: str) -> Alteration:
    """The alteration of the light at a place of a traffic light to the colour that it has in all of `altered`."""
    first, second = (_COLOURS[parts[0 if place == "top" else -1]] for parts in ("ryg", altered[0]))
    return Alteration(("ryg",), altered, (first, second), place)


class PriorFamily(Family):
    """Base of the families of familiar things; each has one thing and several alterations of it."""

    form_versions = {"open": 2, "yes-no": 2}
    category = "prior"
    params_type = PriorParams
    thing: ClassVar[FamiliarKind]
    aspect: ClassVar[tuple[int, int]] = (100, 100)  # width and height of its box, of which the longer is 100
    mirrored: ClassVar[bool] = True  # True if its mirror image is as usual; then it is mirrored by lot
    alterations: ClassVar[tuple[Alteration, ...]]

    def strata(self, params: PriorParams, form: QuestionForm) -> dict[str, tuple[Alteration, Naming]]:
        """The strata of a form by name ("open/4-5/named"), each an alteration and a way to name the thing, in order.

        The order is shuffled, so that the first few strata are of all kinds.
        """
        strata = [(alteration, naming) for naming in params.namings for alteration in self.alterations]
        strata = Stream("strata", self.name).shuffled(strata)
        return {f"{form}/{alteration.label}/{naming}": (alteration, naming) for alteration, naming in strata}

    def answers(self, params: PriorParams, form: QuestionForm) -> Sequence[str]:
        """Yes and no, or every answer of an open question; items are balanced by stratum."""
        if form == "yes-no":
            return YES_NO
        return list(dict.fromkeys(answer for alteration in self.alterations for answer in alteration.answers))

    def alphabet(self, params: PriorParams, stratum: str) -> Sequence[str]:
        """Yes and no, or the answers about the usual and about the altered thing."""
        form: QuestionForm = "yes-no" if stratum.startswith("yes-no/") else "open"
        strata = self.strata(params, form)
        if stratum not in strata:
            raise InputError(f"there is no stratum {stratum!r}")
        return YES_NO if form == "yes-no" else strata[stratum][0].answers

    def basis(self, params: PriorParams) -> dict[str, object]:
        """The version of the drawings."""
        return {"familiar": FAMILIAR_VERSION}

    def plan(self, root: Stream, index: int, forms: Sequence[QuestionForm], params: PriorParams) -> Plan:
        """The plan of item `index` of the family: its form, its stratum, and the answer about its first picture.

        The form is found first: items take the forms in turn. Then the stratum: the items of a form take its strata in
        turn, so that `turn` says how many items the stratum had before. Then the answer.

        Open questions: in a stratum, both answers occur equally often (`balanced`). Yes/no questions: in a stratum, yes
        and no alternate. Neighbouring strata begin with opposite answers, so that yes and no occur equally often in all
        strata together, too. If this were all, the place of an item would tell its answer. So `flip`, a random 0 or 1,
        exchanges yes and no; it is the same for two turns of two neighbouring strata, which keeps both balances.
        """
        form = forms[index % len(forms)]
        names = list(self.strata(params, form))
        turn, position = divmod(index // len(forms), len(names))
        stratum = names[position]
        if form == "open":
            return balanced(root, turn, index, form, self.alphabet(params, stratum), stratum)
        flip = root.child("plan", "flip", turn // 2, position // 2).below(2)
        return Plan(index, form, YES_NO[(position + turn + flip) % 2], turn // 2, stratum)

    def draw(self, stream: Stream, plan: Plan, params: PriorParams, canvas: Canvas) -> Draft:
        """A pair of the usual and the altered thing, otherwise alike, whose first picture has the planned answer."""
        alteration, naming = self.strata(params, plan.form)[plan.stratum]
        usual_first = stream.chance(0.5) if plan.form == "yes-no" else plan.answer == alteration.answers[0]
        usual = self._thing(stream, stream.choice(alteration.usual), params, canvas)
        altered = usual.but(parts=stream.choice(alteration.altered))
        figures, answers = [usual, altered], list(alteration.answers)
        kinds = ((USUAL,), (ALTERED,))
        if not usual_first:
            figures, answers, kinds = figures[::-1], answers[::-1], kinds[::-1]
        question: PartsOf | LightOf
        if self.thing == "traffic light":
            question = LightOf(naming, alteration.answers[0], alteration.place)
        else:
            question = PartsOf(naming, alteration.answers[0], self.thing)
        program = question if plan.form == "open" else Equals(question, answers[plan.answer == "no"])
        plain = msgspec.structs.replace(canvas, background=stream.choice(BACKGROUND_SHADES))
        difficulty = {"parts": max(thing.count for thing in figures), "size": max(usual.half_width, usual.half_height)}
        skill = "order" if self.thing == "traffic light" else "count"
        return Draft(
            plain.scene(figures[0]),
            Restage((figures[1],)),
            program,
            skill,
            difficulty,
            prior=plain.scene(usual),
            kinds=kinds,
        )

    def _thing(self, stream: Stream, parts: str, params: PriorParams, canvas: Canvas) -> Familiar:
        """The thing somewhere on the canvas, in one of its looks."""
        low, high = (canvas.px(percent) for percent in params.size)
        if high < _MIN_SIDE:
            raise NoRoomError(f"size = {list(params.size)} per cent are at most {high} px; {_MIN_SIDE} are needed")
        side = stream.integer(max(low, _MIN_SIDE), high)
        across, down = (side * share // 200 for share in self.aspect)
        margin = canvas.px(_MARGIN)
        x = stream.integer(across + margin, canvas.width - 1 - across - margin)
        y = stream.integer(down + margin, canvas.height - 1 - down - margin)
        flipped = self.mirrored and stream.chance(0.5)
        return Familiar(
            "thing", self.thing, parts, x, y, across, down, stream.below(LOOKS), self._pose(stream), flipped
        )

    def _pose(self, stream: Stream) -> int:
        """The pose of a thing (`Familiar.pose`); 0 for all but a clock, whose pose is the time."""
        return 0


class Die(PriorFamily):
    """The number of pips on a die: as on a usual face, or one more or fewer."""

    name = "prior-die"
    summary = "how many pips does this die show? One more or fewer than on any face of that kind"
    thing: ClassVar[CountedThing] = "die"
    alterations = (
        _altered_count("x.xx.xx.x", "x.xxxxx.x"),
        _altered_count("x.xx.xx.x", "x.xx.x..x", "x.x..xx.x", "..xx.xx.x"),
        _altered_count("x.x.x.x.x", "xxx.x.x.x", "x.xxx.x.x", "x.x.x.xxx"),
        _altered_count("x.x.x.x.x", "..x.x.x.x", "x.x.x...x"),
    )


class TrafficLight(PriorFamily):
    """The colour of a traffic light's top or bottom light, in the usual order or with two lights exchanged."""

    name = "prior-light"
    summary = "what colour is the top light of this traffic light? Two lights change places"
    thing = "traffic light"
    aspect = (42, 100)
    alterations = (
        _altered_light("top", "gyr", "gry"),
        _altered_light("top", "yrg", "ygr"),
        _altered_light("bottom", "gyr", "ygr"),
        _altered_light("bottom", "rgy", "gry"),
    )


class Dog(PriorFamily):
    """The number of a dog's legs: four as usual, or five or three."""

    name = "prior-dog"
    summary = "how many legs does this dog have? Five or three"
    thing: ClassVar[CountedThing] = "dog"
    aspect = (100, 80)
    alterations = (_altered_count("hhff", "hhmff", "hhhff", "hhfff"), _altered_count("hhff", "hff", "hhf"))


class FlagFamily(PriorFamily):
    """The number of stripes on a flag: thirteen as usual, or fourteen or twelve."""

    name = "prior-flag"
    summary = "how many stripes does this flag, of stars and stripes, have? Fourteen or twelve"
    thing: ClassVar[CountedThing] = "flag"
    aspect = (100, 72)
    mirrored = False
    alterations = (_altered_count("rw" * 6 + "r", "rw" * 7), _altered_count("rw" * 6 + "r", "rw" * 6))


class Hand(PriorFamily):
    """The number of fingers of a hand, the thumb included: five as usual, or six or four."""

    name = "prior-hand"
    summary = "how many fingers does this hand have? Six or four, with the thumb"
    thing: ClassVar[CountedThing] = "hand"
    aspect = (90, 100)
    alterations = (_altered_count("tffff", "tfffff"), _altered_count("tffff", "tfff"))


class Clock(PriorFamily):
    """The number of numerals on a clock's dial: twelve as usual, or thirteen or eleven."""

    name = "prior-clock"
    summary = "how many numbers does this clock show? Thirteen or eleven"
    thing: ClassVar[CountedThing] = "clock"
    mirrored = False
    alterations = (_altered_count("n" * 12, "n" * 13), _altered_count("n" * 12, "n" * 11))

    def _pose(self, stream: Stream) -> int:
        """A time in minutes after twelve, at which the hands are well apart."""
        hour = stream.below(12)
        minute = (5 * hour + stream.integer(15, 45)) % 60
        return 60 * hour + minute


PRIORS: dict[str, PriorFamily] = {f.name: f for f in (Die(), TrafficLight(), Dog(), FlagFamily(), Hand(), Clock())}
