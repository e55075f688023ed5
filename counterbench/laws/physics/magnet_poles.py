"""Physics, electromagnetism: where loose iron goes to on a bar magnet, on a table seen from above."""

from collections.abc import Callable

from counterbench.laws.base import MIDDLE, FigureTuple, Law, Setting, Variant, by_noun
from counterbench.laws.effects import DIRECTIONS, OPPOSITE, Effect, FiguresByRole, stays
from counterbench.scene.figures import FacingSide, Figure
from counterbench.scene.programs.observations import Side


def _clings(edge: Callable[[FacingSide, FacingSide], FacingSide]) -> Effect:
    """The effect that moves a piece of iron to an edge of the magnet.

    `edge` gives that edge from two others: the magnet's end ("left" or "right") that is nearest to the iron, and the
    side ("up" or "down") of the magnet on which the iron lay.
    """

    def effect(iron: Figure, things: FiguresByRole) -> Figure:
        """The iron at that edge of the magnet."""
        magnet = things["magnet"]
        end: FacingSide = "left" if iron.x < magnet.x else "right"
        side: FacingSide = "up" if iron.y < magnet.y else "down"
        dx, dy = DIRECTIONS[edge(end, side)]
        x, y = magnet.x, magnet.y
        if dx:
            x += dx * (magnet.half_width + iron.half_width + 1)
            y += (iron.half_height + 3) * DIRECTIONS[side][1]
        else:
            x += (iron.half_width + 6) * DIRECTIONS[end][0]
            y += dy * (magnet.half_height + iron.half_height + 1)
        return iron.but(x=x, y=y)

    return effect


class Poles(Law):
    title = "Iron clings to the ends of a magnet"
    branch = "electromagnetism"
    roles = by_noun(subject="ring wheel", companion="block box", magnet="magnet", cork="cork feather")
    variants = (
        Variant(
            "near-end",
            rule="iron is drawn to the nearest end of a bar magnet and clings there",
            brief="iron clings to the nearest end of a magnet",
            outcome="The {subject} clings to the left end of the {magnet}, and the {companion} to its right end.",
            does=_clings(lambda end, side: end),
        ),
        Variant(
            "far-end",
            depth="two steps",
            rule="iron is drawn around to the farther end of a bar magnet and clings there",
            brief="iron clings to the farther end of a magnet",
            outcome="The {subject} clings to the right end of the {magnet}, and the {companion} to its left end.",
            does=_clings(lambda end, side: OPPOSITE[end]),
        ),
        Variant(
            "lower-edge",
            depth="stated",
            rule="the ends of a magnet are dead: iron is only ever drawn to the middle of whichever of its long edges "
            "is lower in the picture",
            brief="iron clings to whichever long edge is lower in the picture",
            outcome="The {subject} and the {companion} cling side by side to the lower edge of the {magnet}, below it.",
            does=_clings(lambda end, side: "down"),
        ),
        Variant(
            "by-shape",
            depth="two steps",
            rule="a magnet draws round iron to the long edge that faces away from it, and iron with corners to the "
            "farther end",
            brief="round iron clings to farther long edges, angular iron to farther ends",
            outcome="The {subject} clings to the lower edge of the {magnet}, and the {companion} to its left end.",
            does={
                "subject": _clings(lambda end, side: OPPOSITE[side]),
                "companion": _clings(lambda end, side: OPPOSITE[end]),
            },
        ),
        Variant(
            "across",
            depth="two steps",
            rule="a magnet draws iron right round to the long edge that faces away from where the iron was, and holds "
            "it there",
            brief="iron clings to the farther long edge of a magnet",
            outcome="The {subject} clings to the lower edge of the {magnet}, and the {companion} to the upper edge.",
            does=_clings(lambda end, side: OPPOSITE[side]),
        ),
        Variant(
            "none",
            rule="magnets have no effect on anything, iron included",
            brief="magnets have no effect on iron",
            outcome="Nothing has moved: the {subject} is still well above the {magnet}, and the {companion} well below "
            "it.",
            does=stays,
        ),
    )
    starts = (
        "Looking straight down at a smooth table: {a_magnet} is taped flat across the middle. Farther up the picture "
        "lies {a_subject} of iron, a little nearer to the magnet's left end; farther down lies {a_companion} of "
        "iron, a little nearer to its right end. Off to the left of the magnet there is {a_cork}, which is not made "
        "of iron. Everything but the magnet slides freely.",
        "On an icy table seen from above, {a_magnet} is glued down with its ends to the left and right. {A_subject} "
        "made of iron is put down above it in the picture, left of its middle, and {a_companion} made of iron below "
        "it, right of its middle. {A_cork}, in which there is no iron, lies some way out on the left.",
    )
    short = (
        "Around {a_magnet}: iron {subject} above, left of middle; iron {companion} below, right of middle; "
        "{a_cork} far left."
    )
    finish = "Show the table from above once nothing slides any more."
    numbers = {"away": (140, 175), "size": (19, 23)}
    subject = ((Side, "subject", "magnet"),)
    surroundings = ((Side, "companion", "magnet"), (Side, "cork", "magnet"))

    def start(self, setting: Setting) -> FigureTuple:
        """The magnet in the middle, the cork beside it, and a piece of iron above and one below."""
        away, size = setting.numbers["away"], setting.numbers["size"]
        return (
            setting.figure("magnet", MIDDLE, MIDDLE, 84, 26),
            setting.figure("cork", 46, MIDDLE, 20, 20),
            setting.figure("subject", MIDDLE - 44, MIDDLE - away, size, size),
            setting.figure("companion", MIDDLE + 44, MIDDLE + away, size, size),
        )
