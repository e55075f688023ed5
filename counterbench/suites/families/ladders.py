"""Ladders: rows of families that are alike but for one dial, from trivial to beyond a glance.

A rung is a family at one value of its dial, so that the suite `ladder` is drawn, verified and asked as any other. The
label of a rung says the value in a unit that people know.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import msgspec

from counterbench.suites.families.base import Family, Parameters
from counterbench.suites.families.counting import Counting
from counterbench.suites.families.height import Height
from counterbench.suites.families.presence import Presence


class Ladder(NamedTuple):
    """A row of rungs."""

    says: str  # what a judge sees up to a rung, with {} for its label
    rungs: tuple[str, ...]  # the names of its families, the easiest first

    def label(self, rung: str) -> str:
        """The value of a rung."""
        return rung.partition("-")[2]

    def up_to(self, value: float) -> "Ladder":
        """The ladder of a rising dial as far as its first rung of `value` or more."""
        needed = next((at for at, rung in enumerate(self.rungs) if float(self.label(rung)) >= value), len(self.rungs))
        return self._replace(rungs=self.rungs[: needed + 1])


def _rung(name: str, base: type[Family], preset: Mapping[str, Any]) -> Family:
    """A family with other defaults of its parameters, asked with yes and no."""
    kinds = {field.name: field.type for field in msgspec.structs.fields(base.params_type)}
    fields = [(field, kinds[field], value) for field, value in preset.items()]
    params: type[Parameters] = msgspec.defstruct(  # type: ignore[assignment]
        f"{base.__name__}At{name.title().replace('-', '')}",
        fields,
        bases=(base.params_type,),
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
    )

    class Rung(base):  # type: ignore[misc, valid-type]
        """One rung."""

        params_type: ClassVar[type[Parameters]] = params
        forms = ("yes-no",)

    Rung.name = name
    return Rung()


# By count: n against one fewer, of one colour and shape, among two others at most.
_COUNTS = (1, 2, 3, 4, 5, 6, 8, 12, 20, 40)
# By offset: how much higher one of two like shapes is, in thousandths of the shorter side.
_OFFSETS = (120, 60, 40, 25, 16, 10, 6, 4, 2)
# By size: the width of the thing that is asked about and of the others, in hundredths of the shorter side.
_SIZES = (20, 16, 12, 10, 8, 6, 4, 2)

RUNGS: dict[str, Family] = {
    rung.name: rung
    for rung in (
        *(
            _rung(f"count-{n}", Counting, {"count": (n - 1, n), "shape_size": (3, 3), "gap": 2, "distractors": (0, 2)})
            for n in _COUNTS
        ),
        *(_rung(f"offset-{n}", Height, {"apart": (n, n)}) for n in _OFFSETS),
        *(
            _rung(f"size-{n}", Presence, {"shape_size": (n // 2, n // 2), "distractors": (2, 3), "alone": 0, "gap": 2})
            for n in _SIZES
        ),
    )
}
LADDERS: dict[str, Ladder] = {
    "count": Ladder("counts up to {}", tuple(f"count-{n}" for n in _COUNTS)),
    "offset": Ladder("offsets down to {} thousandths of the side", tuple(f"offset-{n}" for n in _OFFSETS)),
    "size": Ladder("things down to {} % of the side", tuple(f"size-{n}" for n in _SIZES)),
}
