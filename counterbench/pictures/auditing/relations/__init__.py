"""The relations, by name. A new one is a file with a class, and a line here."""

from collections.abc import Sequence

from counterbench.pictures.auditing.relations.base import Relation
from counterbench.pictures.auditing.relations.denied import Denied
from counterbench.pictures.auditing.relations.exclusive import Exclusive
from counterbench.pictures.auditing.relations.framed import Framed
from counterbench.pictures.auditing.relations.gone import Gone
from counterbench.pictures.auditing.relations.mirror import Mirror
from counterbench.pictures.auditing.relations.parts import Parts
from counterbench.pictures.auditing.relations.two_in_one import TwoInOne
from counterbench.pictures.auditing.relations.unchanged import Unchanged
from counterbench.prompts.claims import Beside, Both, Claim, Coloured, Count, Present

_ALL: tuple[Relation, ...] = (TwoInOne(), Mirror(), Gone(), Denied(), Exclusive(), Parts())
RELATIONS: dict[str, Relation] = {relation.name: relation for relation in _ALL}
UNCHANGED = Unchanged()
FRAMED = Framed()
# The relations tried on drawings.
TRIED = RELATIONS | {FRAMED.name: FRAMED}

# A claim of each kind that relations take, as many relations take as can.
_EXAMPLES: tuple[Claim, ...] = (
    Present("red ball"),
    Count("balls", 2),
    Beside("ball", "left", "box"),
    Coloured("ball", "red"),
    Both(Present("ball"), Present("box")),
)


def takes(claim: Claim, words: str) -> bool:
    """True if any relation makes further questions of a claim."""
    return any(relation.tie(claim, words).extras for relation in RELATIONS.values())


def most_answers(relations: Sequence[str]) -> int:
    """The most answers about one question under these relations, its own included."""
    counts = [sum(len(RELATIONS[name].tie(claim, claim.text).extras) for name in relations) for claim in _EXAMPLES]
    return 1 + max(counts, default=0)
