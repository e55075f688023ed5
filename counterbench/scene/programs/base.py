"""The bases of all kinds of questions, and the words, traits and ways to find shapes that several kinds share.

A question is an object of a class here or in a module beside this one (a program): it words itself (`phrasings`) and
computes its answer on a scene, the data that say what a picture shows. `BaseProgram` is the base of all, `OpenProgram`
that of kinds with an open answer, which can be asked as yes/no questions, too. The functions below are for the kinds.

A trait is a coarse property of the thing that a question asks about, or of the question. A diagnosis groups the errors
of a judge by traits. The traits and their values:

size            small, medium, large
column, row     left, middle, right; top, middle, bottom third of the picture
edge            yes, if its middle lies in the outer tenth of the picture
colour          the colour of the thing; if the question names several things, that of the first
count           the true number, if the question asks for one
side            "left or right", "above or below" or "both", if the question asks for a side
mentioned       first, second: the place of the right answer in a question that names two
naming          named, unnamed, lied to: the words about a familiar thing

`runs.pair_queries` adds two traits of the picture: "style", if it is not flat, and "treatment", the treatment of a
control pair.
"""

from typing import ClassVar, TypeVar

import msgspec

from counterbench.errors import AmbiguousError
from counterbench.scene.figures import Figure, Sign
from counterbench.scene.geometry import Box
from counterbench.scene.programs.clauses import Clause, missing
from counterbench.scene.scene import Arrow, Container, Scene, Shape
from counterbench.scene.visibility import Description, find, is_absent, is_inside

YES_NO = "yes-no"

NUMBER_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
SIDE_WORDS = {"left": "to the left of", "right": "to the right of", "above": "above", "below": "below"}

# In per cent of the picture's shorter side: a thing whose shorter side is less is small, or else medium; or else large.
SMALL_PERCENT, MEDIUM_PERCENT = 10, 20
EDGE_SHARE = 10  # the outer tenth of the picture's shorter side is its edge

_SIDES = {
    "left or right": ("left", "right", "left wall", "right wall"),
    "above or below": ("above", "below", "up", "down", "ceiling", "floor"),
}
# A shape clearly inside or outside keeps this share of the shorter side between itself and the wall.
CLEAR_WALL_PERCENT = 1

E = TypeVar("E", Arrow, Container)


class BaseProgram(msgspec.Struct, frozen=True, tag_field="op", forbid_unknown_fields=True):
    """Base of the kinds of questions; an object is one question. `answer_type`: a name of `counterbench.answers`."""

    answer_type: ClassVar[str] = YES_NO

    def answer(self, scene: Scene) -> str:
        """The answer on `scene`, canonical ("yes", "4", "red circle"); AmbiguousError if there is no clear one."""
        raise NotImplementedError

    def phrasings(self) -> tuple[str, ...]:
        """Every phrasing of the question, in a fixed order; suites choose one by its place."""
        raise NotImplementedError

    def clause(self, value: str) -> Clause:
        """The clause that is true of a scene exactly if the answer is `value`."""
        raise NotImplementedError

    def true_clause(self, scene: Scene) -> Clause:
        """The clause of this question that is true of `scene`, without "not" where that is possible.

        If a shape that the question describes is not there, it is "there is no …".
        """
        absent = [description for description in self.described if is_absent(scene, description)]
        return missing(absent[0].noun) if absent else self.clause(self.answer(scene))

    @property
    def described(self) -> tuple[Description, ...]:
        """The descriptions of shapes that the question names."""
        return tuple(value for value in msgspec.structs.astuple(self) if isinstance(value, Description))

    def asks_about(self, shape: Shape, scene: Scene) -> bool:
        """True if this shape, its colour or its kind may matter to the answer, as far as the program can tell.

        By default true of each shape that the question describes, or of every shape if it describes none.
        """
        shapes = (find(scene, d) for d in self.described if not is_absent(scene, d))
        return not self.described or any(candidate.id == shape.id for candidate in shapes)

    def labels(self, scene: Scene) -> dict[str, str]:
        """The answers that labels mean ("red circle"), by label ("A"): a judge may answer with either."""
        return {}

    def misreadings(self, scene: Scene) -> dict[str, str]:
        """By misreading, the answer of a judge that misreads the picture in this way.

        A misreading that cannot show on this scene is left out. The misreadings:

        off-by-one, off-by-minus-one            count one more, one less
        at-most-four                            counts up to four
        colour-confusion                        takes a colour for its neighbour
        left-right                              takes one side for the other
        nearest-tail, most-central, largest     name a shape without following the arrow
        first-mentioned                         names the first shape in the question
        text-led                                says the words painted into the picture
        agreeable                               says yes about a missing thing (sycophancy)
        bag-of-words                            sees a red ball if there are a ball and something red
        """
        return {}

    def traits(self, scene: Scene) -> dict[str, str]:
        """Traits by which a diagnosis groups errors, few values each.

        By default those of the first shape that the question describes; empty if that is not there.
        """
        first = self.described[:1]
        return {} if not first or is_absent(scene, *first) else traits_of(find(scene, *first), scene)


class OpenProgram(BaseProgram, frozen=True):
    """Base of the kinds that have a yes/no form as well, "is the answer this value?": see `shapes.Equals`."""

    def yes_no_phrasings(self, value: str) -> tuple[str, ...]:
        """Every phrasing of the yes/no form."""
        raise NotImplementedError

    def lacks(self, value: str, scene: Scene) -> bool:
        """True if something that the yes/no form, "is the answer `value`?", is about is not there.

        By default true if a shape that the question describes is not there, whatever `value` is.
        """
        return is_absent(scene, *self.described)

    def misread_as(self, value: str, scene: Scene) -> dict[str, str]:
        """More misreadings of the yes/no form, "is the answer `value`?", beside those of the open question.

        By misreading the answer, yes or no, as in `misreadings`.
        """
        return {}


def stated(clause: Clause, value: str) -> Clause:
    """The clause itself if `value` is yes; its negation if it is no."""
    return clause if value == "yes" else clause.negated


def yes_no(value: bool) -> str:
    """The canonical answer to a yes/no question."""
    return "yes" if value else "no"


def agreeable_misreading(absent: bool) -> dict[str, str]:
    """The misreading of an agreeable judge, which says yes about a missing thing; none unless the thing is `absent`."""
    return {"agreeable": "yes"} if absent else {}


def counting_misreadings(count: int) -> dict[str, str]:
    """By misreading, the answers of judges that count one more, one less, or up to four; `count`: the true number."""
    saturated = {"at-most-four": "4"} if count > 4 else {}
    fewer = {"off-by-minus-one": str(count - 1)} if count else {}
    return {"off-by-one": str(count + 1), **fewer, **saturated}


def traits_of(thing: Shape | Figure | Sign, scene: Scene) -> dict[str, str]:
    """The traits size, column, row, edge and colour of a thing; the size of a sign is that of its letters."""
    box = thing.box
    narrow = thing.height if isinstance(thing, Sign) else min(box.right - box.left, box.bottom - box.top)
    return {"size": _size(narrow, scene), **place_of(box, scene), "colour": thing.colour}


def place_of(box: Box, scene: Scene) -> dict[str, str]:
    """The traits column, row and, if it is at the edge, edge of the middle of a box."""
    x, y = (box.left + box.right) // 2, (box.top + box.bottom) // 2
    place = {
        "column": ("left", "middle", "right")[3 * x // scene.width],
        "row": ("top", "middle", "bottom")[3 * y // scene.height],
    }
    return place | ({"edge": "yes"} if is_at_edge(x, y, scene) else {})


def is_at_edge(x: int, y: int, scene: Scene) -> bool:
    """True if a point lies in the outer tenth of the picture."""
    return EDGE_SHARE * min(x, y, scene.width - 1 - x, scene.height - 1 - y) < scene.side


def side_trait(*values: str) -> dict[str, str]:
    """The trait "side" of a question about these values ("left", "ceiling"); empty if none of them is a side."""
    matching = [axis for axis, sides in _SIDES.items() if not set(sides).isdisjoint(values)]
    return {"side": matching[0] if len(matching) == 1 else "both"} if matching else {}


def _size(narrow: int, scene: Scene) -> str:
    """The trait "size" of a thing whose shorter side has `narrow` pixels."""
    if 100 * narrow < SMALL_PERCENT * scene.side:
        return "small"
    return "medium" if 100 * narrow < MEDIUM_PERCENT * scene.side else "large"


def inside(scene: Scene, shape: Shape) -> bool:
    """True if a shape is inside the container; AmbiguousError if it is close to its wall."""
    return is_inside(shape, only(scene, Container), max(2, CLEAR_WALL_PERCENT * scene.side // 100))


def unique_name(scene: Scene, shape: Shape) -> str:
    """The name of a shape; AmbiguousError if another shape has it too."""
    if sum(s.name == shape.name for s in scene.shapes) > 1:
        raise AmbiguousError(f"more than one shape is a {shape.name}")
    return shape.name


def only(scene: Scene, kind: type[E]) -> E:
    """The one element of a type; AmbiguousError if there is none or several."""
    elements = [e for e in scene.elements if isinstance(e, kind)]
    if len(elements) != 1:
        raise AmbiguousError(f"the scene has {len(elements)} elements of type {kind.__name__.lower()}, not one")
    return elements[0]


def spelt(value: str) -> str:
    """A number in digits as a word ("two"), up to ten; any other text as it is."""
    number = int(value) if value.isascii() and value.isdecimal() else len(NUMBER_WORDS)
    return NUMBER_WORDS[number] if number < len(NUMBER_WORDS) else value
