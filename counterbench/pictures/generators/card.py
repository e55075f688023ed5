"""`planted:card`: each prompt as a card that shows its words, with a made-up truth for every check at stated rates.

It serves prompts that we cannot draw: a card has a picture's size and shows nothing that is asked about. The true
answers stand in a table that follows from the prompts and a seed, so that every number computed from replies can be
compared with the truth. Only planted judges, which get the table, can answer by it.
"""

import hashlib
from collections.abc import Mapping
from functools import cache

import msgspec
from PIL import Image, ImageDraw

from counterbench.answers import answer_type, scale_of
from counterbench.errors import InputError, unknown
from counterbench.judges.specs import read_options, split_spec
from counterbench.pictures.generators.planted import Chance, KnownGenerator, Rate
from counterbench.prompts.from_laws import FACTUAL, is_real
from counterbench.prompts.manifest import sample_id
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.suites import sheets

KIND = "card"
ALTERED = "altered"  # the rate of prompts that are not `FACTUAL`, in a set that has both
SUMMARY = (
    "the prompt's words on a card; every check's truth is made up, right at rate= (or factual=, altered=, LEVEL=, "
    "DIMENSION=, TAG=)"
)
_RATE = 0.7
_OPEN_ANSWER = "a card"  # the right answer to a check that expects none
_SIDE, _MARGIN, _HEAD, _SIZE = 512, 32, 22, 18  # pixels: the card, its margin, and the letters of head and words
_PAPER, _INK, _GREY = (250, 248, 240), (30, 30, 30), (110, 110, 110)


class CardGenerator(KnownGenerator):
    """A generator of cards that knows the answers; InputError for an option that is no rate of something in the set.

    Options: `rate`, the share of checks whose answer is a right picture's (default 0.7); `NAME=RATE`, the share for the
    checks of prompts with the real rule ("factual") or another one ("altered"), of a level, a dimension or a tag, of
    which the last counts most; `seed`: of the table.
    """

    kind = KIND
    by_id = True  # because its table is by the prompts' ids, not by their words

    def __init__(self, spec: str, prompts: PromptSet, whole: bool = True) -> None:
        """Read the seed and the rates; with `whole`, these are all prompts: a rate for none of them is an error."""
        super().__init__(spec, prompts)
        _, options = split_spec(spec)
        self._seed = read_options(Chance, {"seed": options.pop("seed", 0)}, self.name).seed
        self._rates: dict[str, float] = {}
        for name, value in options.items():
            try:
                self._rates[name] = msgspec.convert(value, Rate, strict=False)
            except msgspec.ValidationError as error:
                raise InputError(f"{self.name}: {name}: {error}") from None
        names = _rated_names(prompts)
        for name in self._rates:
            if whole and name != "rate" and name not in names:
                raise unknown("option", name, ["rate", "seed", *names], self.name)
        self._table = cache(self._true_answers)

    def answers(self, prompt: Prompt, sample: int) -> Mapping[str, str]:
        """The true answers to the checks of a sample, by check.

        In every sample of the set exactly the stated share (to the nearest whole number) of the checks of one level,
        dimension and set of tags is right, and of one rule where it has a rate of its own; a hash chooses them.
        """
        return self._table(sample).get(prompt.id, {})

    def followed(self, prompt: Prompt, sample: int) -> float | None:
        """The share, by weight, of the checks of a sample whose answer is a right picture's; None without a weight."""
        truth = self.answers(prompt, sample)
        right = [(check.weight, truth[check.id] == (check.expected or _OPEN_ANSWER)) for check in prompt.checks]
        total = sum(weight for weight, _ in right)
        return sum(weight for weight, is_right in right if is_right) / total if total else None

    def _true_answers(self, sample: int) -> dict[str, dict[str, str]]:
        """The made-up true answers about one sample of every prompt, by prompt and check, right at the stated rates."""
        alike: dict[tuple[str, str, str, tuple[str, ...]], list[tuple[bytes, str, Check]]] = {}
        for prompt in self._prompts.prompts:
            world = FACTUAL if is_real(prompt) else ALTERED
            for check in prompt.checks:
                place = f"{self._seed}/{sample}/{prompt.id}/{check.id}".encode()
                order = hashlib.blake2b(place, digest_size=8, person=b"cards").digest()
                kind = (world if world in self._rates else "", prompt.level, check.dimension, check.tags)
                alike.setdefault(kind, []).append((order, prompt.id, check))
        table: dict[str, dict[str, str]] = {}
        for (world, level, dimension, tags), checks in alike.items():
            names = ("rate", world, level, dimension, *tags)
            rate = [_RATE, *(self._rates[name] for name in names if name in self._rates)][-1]
            right = int(rate * len(checks) + 0.5)  # the number, rounded
            for rank, (_, id, check) in enumerate(sorted(checks, key=lambda entry: entry[0])):
                table.setdefault(id, {})[check.id] = (check.expected or _OPEN_ANSWER) if rank < right else _wrong(check)
        return table

    def picture(self, prompt: Prompt, sample: int) -> Image.Image:
        """The card of a sample; words for which there is no room are cut off."""
        image = Image.new("RGB", (_SIDE, _SIDE), _PAPER)
        draw, width = ImageDraw.Draw(image), _SIDE - 2 * _MARGIN
        head = sheets.wrapped(sample_id(prompt.group, prompt.level, sample), _HEAD, width, 2)
        words = sheets.wrapped(prompt.text, _SIZE, width, 16)
        y = _MARGIN
        for lines, ink, height in ((head, _GREY, _HEAD), (words, _INK, _SIZE)):
            for line in lines:
                draw.text((_MARGIN, y), line, fill=ink, font=sheets.font(height))
                y += height * 5 // 4
            y += _HEAD
        draw.rectangle((8, 8, _SIDE - 9, _SIDE - 9), outline=_GREY, width=2)
        return image


def _wrong(check: Check) -> str:
    """An answer to a check that earns no credit."""
    ends = scale_of(check.answer_type)
    if ends is not None:
        return ends[1] if check.expected == ends[0] else ends[0]
    if check.answer_type == "integer":
        return str(int(check.expected) + 1)
    alphabet = answer_type(check.answer_type).alphabet or ("nothing", "none")
    return next(value for value in alphabet if value != check.expected)


def _rated_names(prompts: PromptSet) -> list[str]:
    """The names that may have a rate of their own: levels, dimensions, tags, and real and altered rules of a set."""
    checks = [check for prompt in prompts.prompts for check in prompt.checks]
    worlds = [FACTUAL, ALTERED] if len(set(map(is_real, prompts.prompts))) > 1 else []
    dimensions, tags = {check.dimension for check in checks} - {""}, {tag for check in checks for tag in check.tags}
    return list(dict.fromkeys([*worlds, *prompts.levels, *sorted(dimensions), *sorted(tags)]))
