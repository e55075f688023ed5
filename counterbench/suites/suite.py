"""Suites: a named list of families with counts, parameters and a seed. `suite[i]` is a pure function."""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, count, islice
from pathlib import Path
from typing import Annotated, Any, Literal, overload

import msgspec
from PIL import Image

from counterbench.drawing.render import RENDERER_VERSION, scale_to
from counterbench.drawing.styles import FLAT, check_style
from counterbench.errors import InputError, NoRoomError, errors_at, unknown
from counterbench.files import catalog, formats
from counterbench.laws import STANDARD as STANDARD_LAWS
from counterbench.laws import SYMBOLS_SUFFIX
from counterbench.palette import BACKGROUND
from counterbench.scene.pairs import Pair, QuestionForm
from counterbench.scene.scene import SMALL, Scene
from counterbench.scene.seeds import Seed, check_seed
from counterbench.suites.comparisons import COMPARISONS_VERSION, compared
from counterbench.suites.families import Canvas, Parameters, family, sample
from counterbench.suites.families.base import Diamonds, check_forms, read_params
from counterbench.suites.families.control import BASES, STANDARD, TreatedParams
from counterbench.suites.families.laws import LawParams, LawTreatedParams, checks_by_cell, law_names
from counterbench.text import brief, counted

SUITE_FORMAT: Literal["counterbench.suite/1"] = "counterbench.suite/1"

MAX_ITEMS = 10_000_000  # items of one family
# Limits in pixels of the shorter side of pictures in another size than the suite's own.
SMALLEST, LARGEST = 128, 4096

# The beginning of the name of a suite that certifies on chosen families and laws: "certify=feeding,tally".
CERTIFY = "certify="


ItemCount = Annotated[int, msgspec.Meta(ge=1, le=MAX_ITEMS)]


class FamilyEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A family in a suite file: the number of its pairs, the forms of the question, and its parameters."""

    name: str
    count: ItemCount
    forms: tuple[str, ...] | None = None  # by default the open form, if the family has it
    params: dict[str, Any] = {}


class SuiteFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of a suite file: see `scenes/` for examples."""

    format: Literal["counterbench.suite/1"]
    name: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]*\Z", max_length=80)]
    family: Annotated[tuple[FamilyEntry, ...], msgspec.Meta(min_length=1)]
    description: str = ""
    seed: Seed = 0
    width: int = 512
    height: int = 512
    background: Annotated[int, msgspec.Meta(ge=225, le=255)] = BACKGROUND
    diamonds: Diamonds = "slim"
    compared: bool = False  # each question is about both pictures (see `comparisons`)


class Part(msgspec.Struct, frozen=True):
    """One family of a suite, checked: its parameters typed and in range."""

    family: str
    count: int
    forms: tuple[QuestionForm, ...]
    params: Parameters


@dataclass(frozen=True, eq=False, repr=False)
class Suite:
    """An immutable sequence of pairs. Item i is drawn at each access, and is the same in any order and any process.

    >>> suite = load_suite("smoke")
    >>> suite[3] == suite[3:4][0] == list(suite)[3]
    True
    """

    name: str
    seed: int
    canvas: Canvas
    parts: tuple[Part, ...]
    description: str = ""
    side: int | None = None  # the pictures' shorter side in pixels; None: that of the canvas
    smallest: int | None = None  # the shorter side of small pictures, in pixels; None: there are none
    style: str = FLAT
    compared: bool = False  # its pairs are `comparisons`

    def __post_init__(self) -> None:
        """InputError for a family of comparisons in a suite that asks about one picture at a time."""
        for part in self.parts:
            if family(part.family).category == "comparison" and not self.compared:
                raise InputError(
                    f"the family {part.family!r} asks about two pictures at once: only a suite file with the line "
                    "compared = true  can have it"
                )

    def __repr__(self) -> str:
        families = counted(len(self.parts), "family", "families")
        return brief(self, f"{self.name}: {counted(len(self), 'pair')} of {families}, seed {self.seed}")

    def __len__(self) -> int:
        return sum(part.count for part in self.parts)

    @overload
    def __getitem__(self, index: int) -> Pair: ...
    @overload
    def __getitem__(self, index: slice) -> list[Pair]: ...
    def __getitem__(self, index: int | slice) -> Pair | list[Pair]:
        """The pair at a position (negative: from the end), or the pairs of a slice."""
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        position = operator.index(index)
        if position < 0:
            position += len(self)
        if not 0 <= position < len(self):
            raise IndexError(f"suite {self.name!r} has {len(self)} pairs; there is no pair {index}")
        return self.sample(*self.locate(position))

    def locate(self, position: int) -> tuple[Part, int]:
        """The family at a position from 0 to len - 1, and the index within it."""
        for part in self.parts:
            if position < part.count:
                return part, position
            position -= part.count
        raise IndexError(position)

    def __iter__(self) -> Iterator[Pair]:
        for position in range(len(self)):
            yield self[position]

    def sample(self, part: Part, index: int) -> Pair:
        """Item `index` of one of the suite's families."""
        try:
            pair = sample(family(part.family), part.params, part.forms, self.canvas, self.seed, index)
        except NoRoomError as error:
            raise NoRoomError(f"suite {self.name!r}, {error}") from None
        return compared(pair) if self.compared else pair

    def ground(self, pair: Pair) -> Image.Image | None:
        """The picture below a pair's things; None where a style draws the ground."""
        return None

    def keep_ground(self, pair: Pair, folder: Path) -> None:
        """Write the picture below a pair's things, if there is one, into a folder."""

    def positions(self, limit: int | None = None) -> Sequence[int]:
        """The positions of all pairs or, with `limit`, of the first items of every family in turn."""
        chosen = shares(self.counts, limit)
        if sum(chosen.values()) == len(self):
            return range(len(self))
        starts = accumulate((part.count for part in self.parts), initial=0)
        return [start + i for start, share in zip(starts, chosen.values(), strict=False) for i in range(share)]

    @property
    def counts(self) -> dict[str, int]:
        """The number of pairs of each family."""
        return {part.family: part.count for part in self.parts}

    def reseeded(self, seed: int) -> Suite:
        """The same suite with other items."""
        return self if seed == self.seed else replace(self, seed=seed)

    def sized(self, side: int | None) -> Suite:
        """The same pairs in pictures whose shorter side has `side` pixels; None: the size of the suite's canvas.

        InputError if `side` is not from SMALLEST to LARGEST and not the canvas's own.
        """
        own = min(self.canvas.width, self.canvas.height)
        if side not in (None, own) and not SMALLEST <= side <= LARGEST:
            raise InputError(f"--size must be from {SMALLEST} to {LARGEST} pixels, not {side}")
        side = None if side == own else side
        return self if side == self.side else replace(self, side=side)

    def with_smallest(self, side: int | None) -> Suite:
        """The same suite with the treatment `small`: controls whose second picture has a shorter side of `side` pixels.

        Unchanged for None, where its own pictures are no larger, and where it has no treatments.
        """
        if side is None or side >= min(self.size) or self.smallest is not None:
            return self
        parts = tuple(
            replace_part(part, interventions=(*part.params.interventions, SMALL))
            if isinstance(part.params, TreatedParams)
            else replace_part(part, treatments=(*part.params.treatments, SMALL))
            if isinstance(part.params, LawTreatedParams)
            else part
            for part in self.parts
        )
        return self if parts == self.parts else replace(self, parts=parts, smallest=side)

    def side_of(self, scene: Scene) -> int | None:
        """The shorter side in pixels in which a scene of the suite is drawn; None: that of the scene."""
        return self.smallest if scene.treatment == SMALL else self.side

    def styled(self, style: str) -> Suite:
        """The same pairs, questions and truths, drawn in a style; InputError if there is no such style."""
        return self if check_style(style) == self.style else replace(self, style=style)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the pictures, in pixels."""
        return self.size_at(self.side)

    def size_at(self, side: int | None) -> tuple[int, int]:
        """Width and height, in pixels, of pictures with a shorter side of `side` pixels (None: the canvas's)."""
        scale = scale_to(self.canvas.scene(), side)
        return scale.length(self.canvas.width), scale.length(self.canvas.height)

    @property
    def definition(self) -> dict[str, Any]:
        """Everything that the suite's pairs and pictures depend on, as plain data."""
        canvas: dict[str, Any] = msgspec.to_builtins(self.canvas)  # it names only diamonds that are not square
        size = {} if self.side is None else {"size": self.side}
        size |= {} if self.smallest is None else {"smallest": self.smallest}
        style = {} if self.style == FLAT else {"style": self.style}
        return {
            **size,
            **style,
            **({"compared": COMPARISONS_VERSION} if self.compared else {}),
            "name": self.name,
            "seed": self.seed,
            "canvas": {name: value for name, value in canvas.items() if value != "square"},
            "renderer": RENDERER_VERSION,
            "families": [
                {
                    "name": part.family,
                    **family(part.family).versions(part.forms),
                    "count": part.count,
                    "forms": list(part.forms),
                    "params": part.params.plain,
                    "basis": family(part.family).basis(part.params),
                }
                for part in self.parts
            ],
        }

    @property
    def digest(self) -> str:
        """A hex digest of the definition: two suites with the same digest hold the same pairs."""
        text = msgspec.json.encode(self.definition, order="sorted")
        return hashlib.blake2b(text, digest_size=16).hexdigest()


def replace_part(part: Part, **params: Any) -> Part:
    """A part of a suite with some parameters replaced."""
    return msgspec.structs.replace(part, params=msgspec.structs.replace(part.params, **params))


def shares(counts: Mapping[str, int], limit: int | None) -> dict[str, int]:
    """The number of pairs of each family among the first `limit`, with families in turn; InputError below 1."""
    if limit is not None and limit < 1:
        raise InputError(f"--limit must be at least 1, not {limit}")
    if limit is None or limit >= sum(counts.values()):
        return dict(counts)
    chosen = dict.fromkeys(counts, 0)
    turns = (name for turn in count() for name in counts if turn < counts[name])
    for name in islice(turns, limit):
        chosen[name] += 1
    return chosen


def load_suite(name: str | Path, seed: int | None = None, size: int | None = None, style: str = FLAT) -> Suite:
    """The suite in a file, or the shipped suite of that name; `seed` replaces the file's.

    For `size` see `sized`, for `style` see `styled`.

    Raises InputError that names the file, the place and the valid choices.
    """
    if isinstance(name, str) and name.startswith(CERTIFY):
        suite = _certifying(name)
    else:
        path = name if isinstance(name, Path) else catalog.find("scenes", "suite", name)
        suite = parse_suite(formats.read_toml(path), str(path))
    suite = suite if seed is None else suite.reseeded(check_seed(seed))
    return suite.sized(size).styled(style)


def parse_suite(data: dict[str, Any], where: str) -> Suite:
    """A suite from a suite file's content, everything in it checked."""
    formats.refuse_other_format(data, SUITE_FORMAT, where)
    file = formats.convert(data, SuiteFile, where)
    parts: list[Part] = []
    for number, entry in enumerate(file.family, 1):
        kind = family(entry.name, f"{where}, family {number}")
        place = f"{where}, family {entry.name!r}"
        if any(part.family == entry.name for part in parts):
            raise InputError(f"{place}: is named twice; a suite has each family once")
        forms = kind.forms[:1] if entry.forms is None else entry.forms
        check_forms(kind, forms, place)
        parts.append(Part(entry.name, entry.count, forms, read_params(kind, entry.params, where)))  # type: ignore[arg-type]
    with errors_at(where):
        canvas = Canvas(file.width, file.height, file.background, file.diamonds)
    return Suite(file.name, file.seed, canvas, tuple(parts), file.description, compared=file.compared)


def suite_of_families(
    families: Sequence[str], count: int | None = None, *, seed: int = 0, size: int | None = None, style: str = FLAT
) -> Suite:
    """A suite of these families, each with its own parameters and forms.

    `count`: of all pairs, as many of each family as of the others, or one more; by default 100.

    InputError with the valid names for an unknown family.
    """
    kinds = [family(name) for name in families]
    count = max(100, len(kinds)) if count is None else count
    if not kinds or len(set(families)) != len(kinds) or not len(kinds) <= count <= MAX_ITEMS:
        raise InputError(
            f"a suite needs one family or more, without repeats, and a pair of each (at most {MAX_ITEMS:,} in all); "
            f"not {count} of {', '.join(families) or 'none'}"
        )
    share, rest = divmod(count, len(kinds))
    parts = (Part(k.name, share + (i < rest), k.forms, k.params_type()) for i, k in enumerate(kinds))
    suite = Suite(f"{'-'.join(families)}-{count}", check_seed(seed), Canvas(), tuple(parts))
    return suite.sized(size).styled(style)


def suite_for(names: Iterable[str]) -> str:
    """The name of the suite with the cells of these families and laws: a shipped one, or one for them alone.

    Without names, `certify`, which shows that a judge sees at all.
    """
    wanted = set(names)
    in_symbols = {name + SYMBOLS_SUFFIX for name in STANDARD_LAWS}
    for shipped, contents in (("certify", {*STANDARD}), ("laws", {*STANDARD_LAWS}), ("rules", in_symbols)):
        if wanted <= contents:
            return shipped
    return CERTIFY + ",".join(sorted(wanted))


def is_shipped(name: str) -> bool:
    """True if a suite of this name is the same for everybody: a shipped file, or CERTIFY with names that are known."""
    named = name.removeprefix(CERTIFY).split(",") if name.startswith(CERTIFY) else []
    return name in catalog.names("scenes") or (bool(named) and set(named) <= {*BASES, *law_names(tuple(named))})


def hashed_seed(text: str) -> int:
    """A seed that nobody chooses: 63 bits of a hash of `text`."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def _certifying(name: str) -> Suite:
    """The suite that certifies on the families and laws in `name`, by the rules of `certify` and `laws`.

    Its seed is a hash of the names. A family that is not in `certify` has 240 pairs and its default parameters and
    forms; laws have 10 pairs for each cell. So whoever is certified on the suite chooses nothing but the names.
    """
    named = sorted(set(name.removeprefix(CERTIFY).split(",")))
    laws = LawParams(laws=tuple(law_names(tuple(named))))
    for unknown_ in set(named) - {*BASES, *laws.laws}:
        raise unknown("family or law", unknown_, [*BASES, *STANDARD_LAWS], name)
    certify, of_laws = ({part.family: part for part in load_suite(base).parts} for base in ("certify", "laws"))
    kinds = [BASES[family] for family in BASES if family in named]
    parts = [certify.get(k.name) or Part(k.name, 240, k.forms, k.params_type()) for k in kinds]
    for control in (certify["control"], certify["treated"]) if kinds else ():
        params = msgspec.structs.replace(control.params, bases=tuple(k.name for k in kinds))
        forms = tuple(form for form in control.forms if any(form in k.forms for k in kinds))
        parts.append(Part(control.family, control.count * len(kinds) // len(STANDARD), forms, params))
    if laws.laws:
        parts.append(Part("laws", 10 * len(checks_by_cell(laws.laws)), of_laws["laws"].forms, laws))
        parts += [replace_part(of_laws[name], laws=laws.laws) for name in ("law-control", "law-treated")]
    name = CERTIFY + ",".join(named)
    return Suite(name, hashed_seed(f"counterbench attempt 1 of {name}"), Canvas(), tuple(parts))
