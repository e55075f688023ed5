"""Physics, mechanics: the length of things under a load."""

from counterbench.laws.base import MIDDLE, Elements, Law, Setting, Variant, by_noun
from counterbench.laws.effects import resized
from counterbench.scene.programs.observations import Contact, Height


class Stretching(Law):
    title = "Loads stretch springs"
    branch = "mechanics"
    roles = by_noun(subject="spring", companion="rope", fixed="post", load="weight stone ball", beam="plank block")
    variants = (
        Variant(
            "stretch",
            rule="a load stretches what it hangs from, and the heavier the load, the more",
            brief="loads stretch what they hang from, heavier ones more",
            outcome="The {subject} has become longer than the {fixed}, and the {companion} has become longer still.",
            does=(1, 2),
        ),
        Variant(
            "shrink",
            depth="stated",
            rule="a load shortens what it hangs from, and the heavier the load, the more",
            brief="loads shorten what they hang from, heavier ones more",
            outcome="The {subject} has become shorter than the {fixed}, and the {companion} has become shorter still.",
            does=(-1, -2),
        ),
        Variant(
            "rigid",
            rule="no load, however heavy, changes the length of anything",
            brief="no load changes the length of anything",
            outcome="The {subject} and the {companion} are still exactly as long as the {fixed}.",
            does=(0, 0),
        ),
        Variant(
            "threshold",
            depth="two steps",
            rule="light loads pull up and squeeze what they hang from, and heavy ones change nothing",
            brief="small loads squeeze what they hang from, and large ones change nothing",
            outcome="The {subject} has become shorter than the {fixed}, and the {companion} is still exactly as long "
            "as it.",
            does=(-1, 0),
        ),
        Variant(
            "alike",
            rule="loads pull up and squeeze what they hang from, and all to the same length, however heavy they are",
            brief="loads squeeze what they hang from, large ones no more than small",
            outcome="The {subject} and the {companion} have become shorter than the {fixed}, and are equally long.",
            does=(-1, -1),
        ),
        Variant(
            "lightest-most",
            rule="loads pull up instead of down and squeeze what they hang from, the light ones harder than "
            "the heavy ones",
            brief="loads squeeze what they hang from, small ones more than large ones",
            outcome="The {companion} has become shorter than the {fixed}, and the {subject} has become shorter still.",
            does=(-2, -1),
        ),
    )
    starts = (
        "From {a_beam} hang {a_subject}, an elastic {companion} and a stiff wooden {fixed}, side by side and all "
        "equally long. Then a small {load} is hung from the {subject}, and a large, much heavier {load} from the "
        "{companion}. Nothing is hung from the {fixed}.",
        "Under {a_beam} there hang, next to each other and of exactly the same length, {a_subject}, an elastic "
        "{companion} and a stiff wooden {fixed}. Someone hangs a small {load} from the {subject} and a large, "
        "much heavier one from the {companion}, and leaves the {fixed} alone.",
    )
    short = (
        "{A_fixed}, {a_subject} with a small {load} and {a_companion} with a large one hang equally long from {a_beam}."
    )
    finish = "Show all of it from the front, hanging still, with changes of length easy to see."
    subject_roles = ("subject", "load-1")
    numbers = {"half": (48, 58), "apart": (110, 140)}
    subject = ((Height, "subject", "fixed"),)
    surroundings = ((Height, "companion", "fixed"), (Height, "companion", "subject"), (Contact, "fixed", "beam"))

    def start(self, setting: Setting) -> Elements:
        """The beam, and all hanging things at first, equally long, with their loads."""
        return self.run(setting, (0, 0))

    def run(self, setting: Setting, does: tuple[int, int]) -> Elements:
        """The beam, the post, and the spring and the rope with their loads, does[0] and does[1] steps longer."""
        half, apart = setting.numbers["half"], setting.numbers["apart"]
        beam = setting.figure("beam", MIDDLE, 50, 200, 12)
        top = beam.box.bottom + 1
        spring, rope = (resized(half, steps) for steps in does)
        small, large = 18, 32
        return (
            beam,
            setting.figure("fixed", MIDDLE - apart, top + half, 10, half),
            setting.figure("subject", MIDDLE, top + spring, 22, spring),
            setting.figure("companion", MIDDLE + apart, top + rope, 10, rope),
            setting.figure("load", MIDDLE, top + 2 * spring + 1 + small, small, small, id="load-1"),
            setting.figure("load", MIDDLE + apart, top + 2 * rope + 1 + large, large, large, id="load-2"),
        )
