"""Laws: rules of small worlds, real and altered, that run. Each is a file in the folder of its discipline.

The package has the base of a law (`base`), effects of its variants on things (`effects`), its pictures and checks
(`outcomes`, `flaws`), laws in plain symbols (`symbolic`: discs and tiles in place of things), and the checks that every
law must pass (`soundness`). Pairs about laws are in `suites`, prompts in `prompts`.
"""

import importlib
import pkgutil
from collections.abc import Iterable
from functools import cache

from counterbench.errors import InputError, unknown
from counterbench.laws.base import Law, Role, Setting, Variant
from counterbench.laws.soundness import mistakes
from counterbench.laws.symbolic import SYMBOLS_SUFFIX, InSymbols

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
    """The law called `name` with plain symbols for its things."""
    return InSymbols(all_laws()[name])


def law(name: str, where: str = "") -> Law:
    """The law called `name`, or with SYMBOLS_SUFFIX that law in symbols; InputError with the valid names if none."""
    plain = name.removesuffix(SYMBOLS_SUFFIX)
    if plain not in all_laws():
        raise unknown("law", name, all_laws(), where)
    return all_laws()[name] if plain == name else _in_symbols(plain)


def find_laws(path: Iterable[str], package: str) -> dict[str, Law]:
    """The laws in the packages under the folders `path` by their names; InputError that names a file without a law.

    `package`: the import name of the package that has these folders as its `__path__`.
    """
    files: dict[str, str] = {}
    laws: dict[str, Law] = {}
    for folder in pkgutil.iter_modules(path, f"{package}."):
        if not folder.ispkg:
            continue
        for module in pkgutil.iter_modules(importlib.import_module(folder.name).__path__, f"{folder.name}."):
            file = module.name.replace(".", "/") + ".py"
            loaded = _load(module.name, file)
            if loaded.name in laws:
                raise InputError(f"{file}: {files[loaded.name]} has a law {loaded.name!r} already; rename this file")
            laws[loaded.name], files[loaded.name] = loaded, file
    return laws


def _load(module: str, file: str) -> Law:
    """The law of a module; InputError if it cannot be used. `file`: its file as messages name it."""
    try:
        members = vars(importlib.import_module(module)).values()
        laws = [cls() for cls in members if isinstance(cls, type) and issubclass(cls, Law) and cls.__module__ == module]
    except Exception as error:  # a file may raise anything
        raise InputError(f"{file}: it cannot be read: {type(error).__name__}: {error}") from error
    if len(laws) != 1:
        raise InputError(f"{file}: it has {len(laws) or 'no'} laws; a file has one subclass of Law")
    if wrong := mistakes(laws[0]):
        raise InputError(f"{file}: {'; '.join(wrong)}")
    return laws[0]


__all__ = ["STANDARD", "SYMBOLS_SUFFIX", "Law", "Role", "Setting", "Variant", "all_laws", "law"]
