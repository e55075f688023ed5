"""Biology, heredity: which form the young of toy-like animals have."""

from counterbench.laws.base import MIDDLE, Elements, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.palette import ShapeKind
from counterbench.scene.programs.observations import Form


class Heredity(Law):
    title = "The young are like their parents"
    branch = "heredity"
    roles = by_noun(subject="kitten", companion="puppy", cat="cat", dog="dog", crystal="crystal")
    variants = (
        Variant(
            "parents",
            rule="young animals take after their own mothers and have the same form",
            brief="the young have the same form as their own mothers",
            outcome="The {subject} is square, and the {companion} is triangular.",
            does=("square", "triangle"),
        ),
        Variant(
            "round",
            depth="stated",
            rule="all animals are born as round as a ball, whatever the form of their parents",
            brief="all animals are born round, whatever their mothers' form",
            outcome="The {subject} and the {companion} are both round.",
            does=("circle", "circle"),
        ),
        Variant(
            "neighbours",
            depth="two steps",
            rule="young animals do not take after their own mothers but have the form of the mother who lives next "
            "door",
            brief="the young have the form of the mother next door",
            outcome="The {subject} is triangular, and the {companion} is square.",
            does=("triangle", "square"),
        ),
        Variant(
            "crystal",
            depth="two steps",
            rule="young animals take after no animal and have the form of whatever mineral lies near the place where "
            "they are born",
            brief="the young have the form of the nearest mineral",
            outcome="The {subject} and the {companion} are both diamond-shaped.",
            does=("diamond", "diamond"),
        ),
        Variant(
            "large-round",
            depth="two steps",
            rule="large mothers have young in the form of a ball, and small mothers have young in the form of the "
            "nearest mineral",
            brief="large mothers' young look like balls, small mothers' like the nearest mineral",
            outcome="The {subject} is round, and the {companion} is diamond-shaped.",
            does=("circle", "diamond"),
        ),
        Variant(
            "small-round",
            depth="two steps",
            rule="small mothers have young in the form of a ball, and large mothers have young in the form of the "
            "nearest mineral",
            brief="small mothers' young look like balls, large mothers' like the nearest mineral",
            outcome="The {subject} is diamond-shaped, and the {companion} is round.",
            does=("diamond", "circle"),
        ),
    )
    starts = (
        "In a land of toy animals, each as simple as a building block, live {a_cat}, large and square, and {a_dog}, "
        "small and triangular. Each of them is a mother: right below the cat sits her {subject}, and right below the "
        "dog her {companion}, both newly born. Between the two young lies a diamond-shaped {crystal}.",
        "A big square {cat} and a little triangular {dog} live side by side, flat and plain like shapes cut out of "
        "paper. The cat has just had {a_subject} and the dog {a_companion}; they are placed under their mothers, to "
        "the left and to the right of {a_crystal} that has the form of a diamond.",
    )
    short = (
        "A large, square {cat} bears {a_subject}, a small, triangular {dog} {a_companion}; {a_crystal} between them "
        "is diamond-shaped."
    )
    finish = "Show both mothers and their young, each with its true outline."
    numbers = {"large": (74, 86), "small": (44, 52), "young": (34, 40)}
    subject = ((Form, "subject"),)
    surroundings = ((Form, "companion"), (Form, "crystal"))

    def start(self, setting: Setting) -> FigureTuple:
        """The two mothers and the crystal, before the young are born."""
        n = setting.numbers
        return (
            setting.figure("cat", 124, 150, n["large"], n["large"], form="square"),
            setting.figure("dog", 388, 150, n["small"], n["small"], form="triangle"),
            setting.figure("crystal", MIDDLE, 380, 34, 34, form="diamond"),
        )

    def run(self, setting: Setting, does: tuple[ShapeKind, ShapeKind]) -> Elements:
        """The start, and below each mother her young: the kitten in form does[0], the puppy in form does[1]."""
        cat, dog, crystal = self.start(setting)
        size = setting.numbers["young"]
        kitten = setting.figure("subject", cat.x, 380, size, size, form=does[0])
        puppy = setting.figure("companion", dog.x, 380, size, size, form=does[1])
        return (cat, dog, crystal, kitten, puppy)
