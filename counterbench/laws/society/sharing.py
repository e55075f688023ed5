"""Society, fairness: the shares of two children in things that they found."""

from counterbench.laws.base import Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import grid
from counterbench.scene.programs.observations import Number

FIXED_APPLES = 3


class Sharing(Law):
    title = "Two share alike"
    branch = "fairness"
    roles = by_noun(subject="stone ball ring", companion="egg mushroom seed", fixed="apple", child="person")
    variants = (
        Variant(
            "halves",
            rule="whatever two children bring home is shared in equal halves, kind by kind",
            brief="two children share each kind of thing in equal halves",
            outcome="The {child} has exactly three {subjects} and exactly four {companions}.",
            does=(3, 4),
        ),
        Variant(
            "finders",
            depth="two steps",
            rule="a finder keeps every thing of the find but one, and that one goes to the other child",
            brief="a finder keeps all things but one, which the other child gets",
            outcome="The {child} has exactly five {subjects} and a single one of the {companions}.",
            does=(5, 1),
        ),
        Variant(
            "givers",
            depth="two steps",
            rule="a finder gives five things of the find to the other child and keeps only what is left",
            brief="a finder gives the other child five things and keeps the rest",
            outcome="The {child} has a single one of the {subjects} and exactly five {companions}.",
            does=(1, 5),
        ),
        Variant(
            "youngest",
            depth="two steps",
            rule="there is no sharing: the youngest child gets everything that is brought home",
            brief="the youngest child gets everything that is brought home",
            outcome="The {child} has exactly six {subjects} and exactly eight {companions}.",
            does=(6, 8),
        ),
        Variant(
            "tallest",
            depth="two steps",
            rule="the taller of two children gets two things of each kind, and the other child gets all the rest",
            brief="the taller child gets two of each kind, the other the rest",
            outcome="The {child} has exactly four {subjects} and exactly six {companions}.",
            does=(4, 6),
        ),
        Variant(
            "town",
            depth="stated",
            rule="each child may keep one thing of each kind, and the town takes all the rest",
            brief="each child keeps one thing of each kind, the town the rest",
            outcome="The {child} has a single one of the {subjects} and a single one of the {companions}.",
            does=(1, 1),
        ),
    )
    starts = (
        "A small girl and her older, taller brother come home. She has found six {subjects}, and he has found eight "
        "{companions}. They lay all of it together and divide it. The girl is shown as {a_child}. She also owns three "
        "{fixeds}, which were hers before and are not divided.",
        "Two children divide what they found: six {subjects}, which the younger and shorter one found, and eight "
        "{companions}, which the older and taller one found. The younger one is shown as {a_child}, and has three "
        "{fixeds} besides, left over from breakfast, which do not count.",
    )
    short = "{A_child}, a girl, found six {subjects}, her older, taller brother eight {companions}; show her things."
    finish = (
        "Show the younger child alone, with all the things that then belong to that child lying on the ground to the "
        "right."
    )
    numbers = {"size": (17, 20), "pitch": (56, 62)}
    subject = ((Number, "subject"),)
    surroundings = ((Number, "companion"), (Number, "fixed"))
    present = "child"

    def start(self, setting: Setting) -> Elements:
        """Everything that the children found, before it is divided."""
        return self.run(setting, (6, 8))

    def run(self, setting: Setting, does: tuple[int, int]) -> Elements:
        """The younger child with its share: does[0] of one kind, does[1] of the other, and the fixed apples."""
        size, pitch = setting.numbers["size"], setting.numbers["pitch"]
        elements = [setting.figure("child", 86, 256, 50, 90)]
        shares = (("subject", 70, does[0]), ("companion", 230, does[1]), ("fixed", 420, FIXED_APPLES))
        for role, top, count in shares:
            for k, (x, y) in enumerate(grid(220, top, pitch, count, across=4), start=1):
                elements.append(setting.figure(role, x, y, size, size, id=f"{role}-{k}"))
        return elements
