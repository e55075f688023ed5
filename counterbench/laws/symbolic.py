"""Laws in plain symbols: the same settings, simulations and facts, of discs, tiles and darts.

Knowledge of the world is in the words and nouns of a law. In symbols only the rule is left (CF-World, section 5.1).
"""

from typing import Any, get_type_hints

import msgspec

from counterbench.laws.base import Elements, Known, Law, Setting
from counterbench.scene.figures import Figure
from counterbench.scene.nouns import NOUNS, SYMBOLS
from counterbench.scene.programs.named import Named
from counterbench.scene.scene import Element

SYMBOLS_SUFFIX = "-in-symbols"
# The symbols of roles by law, where the traits of the role's noun do not decide them (`_symbol_for`).
_ROLES: dict[str, dict[str, str]] = {
    "falling": {"subject": "disc", "companion": "tile", "fixed": "cross"},
    "floating": {"subject": "disc", "companion": "disc", "heavy": "tile", "fixed": "cross"},
    "stretching": {"load": "disc"},
    "collision": {"subject": "disc", "struck": "tile", "other": "disc", "other_struck": "tile"},
    "shadows": {"thing": "tile"},
    "mirrors": {"mirror": "slash"},
    "lenses": {"subject": "disc", "companion": "tile", "plain": "cross", "twin": "kite"},
    "expansion": {"subject": "disc", "companion": "tile", "cooled": "hoop", "plain": "cross", "twin": "kite"}
    | {"ice": "wedge"},
    "melting": {"subject": "column", "companion": "column", "fixed": "column", "ice": "disc", "dry": "cross"}
    | {"sun": "star"},
    "daylight": {"sun": "star"},
    "comet-tails": {"sun": "star"},
    "orbits": {"companion": "disc", "sun": "star"},
    "magnet-poles": {"subject": "disc", "companion": "tile", "cork": "cross"},
    "compasses": {"mountain": "wedge", "sun": "star"},
    "ripening": {"subject": "disc", "companion": "hoop"},
    "dividing-cells": {"companion": "kite", "bead": "tile"},
    "watering": {"wall": "tile"},
    "heredity": {"companion": "badge", "dog": "badge"},
    "mixing": {"subject": "vessel", "companion": "column", "fixed": "tile"},
    "layers": {"fixed": "tile"},
    "crystals": {"companion": "badge"},
    "fizz": {"companion": "disc", "cup": "column", "soda": "badge"},
    "river": {"mountain": "wedge", "lake": "tile", "sun": "star"},
    "breeze": {"sea": "tile", "land": "tile", "sun": "star"},
    "rain-shadow": {"subject": "column", "companion": "column", "mountain": "wedge", "cloud": "kite"},
    "frost": {"subject": "tile", "companion": "disc", "mountain": "wedge", "sun": "star"},
    "crossing": {"signal": "hoop", "corner": "tile"},
    "sharing": {"subject": "disc", "companion": "tile", "fixed": "cross", "child": "kite"},
    "sorting": {"subject": "tile", "metal": "cross", "companion": "tile", "copper": "disc"},
}


class InSymbols(Law):
    """A law with symbols for things. Its words are in `probes/t2i/rules.toml`."""

    def __init__(self, law: Law) -> None:
        for field in get_type_hints(Law):
            setattr(self, field, getattr(law, field))
        self._law = law

    @property
    def name(self) -> str:
        """The name of the law that is shown in symbols, with SYMBOLS_SUFFIX."""
        return self._law.name + SYMBOLS_SUFFIX

    @property
    def discipline(self) -> str:
        """The discipline of the law that is shown in symbols."""
        return self._law.discipline

    def setting(self, seed: int, index: int) -> Setting:
        """The law's own setting, each thing a symbol."""
        setting_, known = self._law.setting(seed, index), _ROLES.get(self._law.name, {})
        things = {
            role: Named(known.get(role) or _symbol_for(named.noun), named.colour)
            for role, named in setting_.things.items()
        }
        return msgspec.structs.replace(setting_, law=self.name, things=Known("role", f"law {self.name!r}", things))

    def start(self, setting: Setting) -> Elements:
        """The elements at the start of the law that is shown in symbols, each thing a symbol."""
        return tuple(map(self._as_symbol, self._law.start(setting)))

    def run(self, setting: Setting, does: Any) -> Elements:
        """The elements at the end of the law that is shown in symbols, each thing a symbol."""
        return tuple(map(self._as_symbol, self._law.run(setting, does)))

    def _as_symbol(self, element: Element) -> Element:
        """The element as a symbol, also if it is a thing that the law itself names, such as wire."""
        if not isinstance(element, Figure) or element.noun in SYMBOLS:
            return element
        return element.but(noun=_symbol_for(element.noun))


def _symbol_for(noun: str) -> str:
    """The symbol for a noun by the first trait in `shown` that the noun has ("fan" faces, so it is a "dart").

    A noun with none of these traits is a "bar".
    """
    shown = {
        "faces": "dart",
        "lights": "panel",
        "forms": "token",
        "holds": "vessel",
        "fills": "column",
        "plain": "patch",
    }
    return next((symbol for trait, symbol in shown.items() if getattr(NOUNS[noun], trait)), "bar")
