"""Laws: rules of small worlds, real and altered, that run. One a file, in a folder of its discipline.

In the room: what a law is (`base`), how it is found by its file (`finding`), what its variants do to things (`effects`,
`world`), its pictures and checks (`outcomes`, `strays`, `layout`), the same told of plain symbols (`symbols`), and what
every law must keep (`soundness`). Pairs and prompts about laws are not: see `suites` and `t2i.prompts`.
"""

from __future__ import annotations

from functools import cache

from counterbench.errors import unknown
from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.finding import find_laws
from counterbench.laws.symbols import SUFFIX, InSymbols

# The laws that a suite or prompt set holds unless it names others, in the order in which they are drawn from. Frozen:
# digests of suites and prompt sets rest on it. A law that is added is asked for by its name.
STANDARD: tuple[str, ...] = (
    *("falling", "floating", "wind", "stretching", "collision", "shadows", "mirrors", "pinhole", "lenses"),
    *("warmth", "expansion", "melting", "daylight", "comet-tails", "orbits", "magnet-poles", "circuits", "compasses"),
    *("leaning-plants", "ripening", "dividing-cells", "watering", "heredity"),
    *("mixing", "layers", "crystals", "fizz"),
    *("river", "breeze", "rain-shadow", "frost"),
    *("crossing", "one-way", "sharing", "sorting"),
)


@cache
def all_laws() -> dict[str, Law]:
    """Every law by its name: the standard ones in their order, then any others in that of their names."""
    found = find_laws(__path__, __name__)
    return {name: found[name] for name in (*STANDARD, *sorted(found.keys() - set(STANDARD))) if name in found}


@cache
def _in_symbols(name: str) -> Law:
    return InSymbols(all_laws()[name])


def law(name: str, where: str = "") -> Law:
    """The law called `name`, or with SUFFIX that law in symbols; InputError with the valid names if there is none."""
    plain = name.removesuffix(SUFFIX)
    if plain not in all_laws():
        raise unknown("law", name, all_laws(), where)
    return all_laws()[name] if plain == name else _in_symbols(plain)


__all__ = ["STANDARD", "SUFFIX", "Law", "Role", "Setting", "Variant", "all_laws", "law"]
