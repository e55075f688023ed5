"""Laws: rules of small worlds, real and altered, that run. One a file, in a folder of its discipline.

The room has the base of a law (`base`), the search for its file (`finding`), effects of its variants on things
(`effects`, `world`), its pictures and checks (`outcomes`, `flaws`, `strays`, `damage`, `layout`), laws in plain symbols
(`symbols`), and the checks that every law must pass (`soundness`). Pairs about laws are in `suites`, prompts in
`t2i.prompts`.
"""

from __future__ import annotations

from functools import cache

from counterbench.errors import unknown
from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.finding import find_laws
from counterbench.laws.symbols import SUFFIX, InSymbols

# The laws of suites and prompt sets that name no others, in the order of drawing. Frozen, because digests of suites and
# prompt sets depend on it. A new law is asked for by its name.
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
    laws = find_laws(__path__, __name__)
    return {name: laws[name] for name in (*STANDARD, *sorted(laws.keys() - set(STANDARD))) if name in laws}


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
