"""Ladders: rows of families that are alike but for one dial, from trivial to beyond a glance.

A rung is a family at one value of its dial, so that the suite `ladder` is drawn, verified and asked as any other. The
value of a rung is in a unit that people know.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec

from counterbench.suites.families.alike import Shades
from counterbench.suites.families.base import Family, Parameters
from counterbench.suites.families.counting import Counting
from counterbench.suites.families.covered import Covered
from counterbench.suites.families.height import HeightFamily
from counterbench.suites.families.letters import Letters
from counterbench.suites.families.presence import Presence
from counterbench.suites.families.touching import Touching


class Ladder(NamedTuple):
    """A dial of difficulty: families of pairs (the rungs) at rising difficulty, the easiest first."""

    sentence: str  # what a judge sees up to a rung, with {} for its value
    rungs: tuple[str, ...]  # the names of its families, the easiest first
    unit: str  # of its values
    needs: frozenset[str]  # the skills of checks (`t2i.prompts.skills`) that depend on the dial

    @property
    def titled(self) -> str:
        """The name of the ladder with its unit, for a table: "offset ‰"."""
        name, symbol = self.rungs[0].partition("-")[0], self.unit.split()[0]
        return name if symbol.isalpha() and symbol.isascii() else f"{name} {symbol}"

    @property
    def values(self) -> list[int]:
        """The values of its rungs."""
        return list(map(self.value, self.rungs))

    def value(self, rung: str) -> int:
        """The value of a rung."""
        return int(rung.partition("-")[2])

    def after(self, value: int | None) -> int | None:
        """The value after one of its own, the first after None; None after the last."""
        values = [None, *self.values, None]
        return values[values.index(value) + 1]

    def up_to(self, value: int) -> "Ladder":
        """The ladder of a dial whose values rise, up to its first rung of `value` or more, that one included."""
        needed = next((at for at, rung in enumerate(self.rungs) if self.value(rung) >= value), len(self.rungs))
        return self._replace(rungs=self.rungs[: needed + 1])


def _rung(name: str, base: type[Family], preset: Mapping[str, Any]) -> Family:
    """The family `name`: `base` with the values of `preset` as defaults of its parameters, asked with yes and no."""
    types = {field.name: field.type for field in msgspec.structs.fields(base.params_type)}
    fields = [(field, types[field], value) for field, value in preset.items()]
    params: type[Parameters] = msgspec.defstruct(  # type: ignore[assignment]
        f"{base.__name__}At{name.title().replace('-', '')}",
        fields,
        bases=(base.params_type,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )

    globals()[params.__name__] = params  # where a process that is spawned looks for it

    class LadderFamily(base):  # type: ignore[misc, valid-type]
        """A family of pairs at one value of a dial, asked with yes and no."""

        params_type: ClassVar[type[Parameters]] = params
        forms = ("yes-no",)

    LadderFamily.name = name
    return LadderFamily()


# By count: n against one fewer, of one colour and shape, among others, mostly with rivals (`counts`).
_COUNTS = (1, 2, 3, 4, 5, 6, 8, 12, 20, 40)
# By offset: how much higher one of two like shapes is, in thousandths of the shorter side.
_OFFSETS = (120, 60, 40, 25, 16, 10, 6, 4, 2)
# By size: the width of the thing that is asked about and of the others, in hundredths of the shorter side.
_SIZES = (20, 16, 12, 10, 8, 6, 4, 2)
# By count, of things that touch: packed without a gap, of one shape, among others, often more of another colour.
_TOUCHING = (2, 3, 4, 5, 6, 8, 10, 13, 17, 23)
# By visible share, in per cent of a thing's coloured inside; below 3 its line of colour is as thin as outlines.
_VISIBLE = (60, 40, 25, 15, 10, 6, 3)
# By colour difference (CIEDE2000) of two like things; 2 is about what people notice side by side.
_COLOURS = (40, 25, 16, 10, 7, 5, 3, 2)
# By height of the letters of a word, in thousandths of the shorter side. The last has 7 px of 1,024 (see `MIN_WORD`).
_WORDS = (80, 60, 40, 30, 20, 15, 12, 10, 8, 7)

# Four groups, as where colours are exchanged, find no room where there are 40 things, or large ones.
_TWO_GROUPS: Mapping[str, Any] = {"changes": ("added", "recoloured")}

RUNGS: dict[str, Family] = {
    rung.name: rung
    for rung in (
        *(
            _rung(
                f"count-{n}",
                Counting,
                {**_TWO_GROUPS, "count": (n - 1, n), "shape_size": (3 if n < 20 else 2, 3), "gap": 2 if n < 40 else 1},
            )
            for n in _COUNTS
        ),
        *(_rung(f"offset-{n}", HeightFamily, {"apart": (n, n)}) for n in _OFFSETS),
        *(
            _rung(
                f"size-{n}",
                Presence,
                {**_TWO_GROUPS, "shape_size": (n // 2, n // 2), "distractors": (2, 3), "alone": 0, "gap": 2},
            )
            for n in _SIZES
        ),
        *(_rung(f"touching-{n}", Touching, {"count": (n - 1, n)}) for n in _TOUCHING),
        *(_rung(f"visible-{n}", Covered, {"shown": (n, n)}) for n in _VISIBLE),
        *(_rung(f"colour-{n}", Shades, {"apart": (n, n)}) for n in _COLOURS),
        *(_rung(f"words-{n}", Letters, {"letters": (n, n)}) for n in _WORDS),
    )
}


def _ladder(name: str, says: str, unit: str, *needs: str) -> Ladder:
    """The ladder of the rungs whose names begin with `name`; `says`, `unit` and `needs` are fields of `Ladder`."""
    return Ladder(says, tuple(rung for rung in RUNGS if rung.partition("-")[0] == name), unit, frozenset(needs))


LADDERS: dict[str, Ladder] = {
    "count": _ladder("count", "counts up to {}", "things", "count"),
    "offset": _ladder(
        "offset", "offsets down to {} thousandths of the side", "‰ of the side", "above-below", "left-right"
    ),
    "size": _ladder("size", "things down to {} % of the side", "% of the side", "presence"),
    "touching": _ladder("touching", "counts of touching things up to {}", "touching things", "count"),
    "visible": _ladder("visible", "things of which {} % shows", "% visible", "presence", "visible-count"),
    "colour": _ladder("colour", "colour differences down to ΔE {}", "ΔE", "colour"),
    "words": _ladder("words", "words in letters down to {} thousandths of the side", "‰ of the side", "text"),
}
