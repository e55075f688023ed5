"""Planted judges: built with the keys, each with one known fault at a stated dose, to show that a metric finds it.

They alone know the truth, and their name says so. `p` is the dose: the share of the questions (or pairs) that the
fault can touch on which it shows. `planted:sticky+off-by-one` has several faults, each with chances of its own: where
more than one shows, the one that acts last on an answer decides. Judges of one fault each and the same seed share their
chances: to compare two of them as independent judges, give them different seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import msgspec

from counterbench.answers import answer_type
from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError, unknown
from counterbench.judges.base import Reply
from counterbench.judges.options import read_options, split_spec
from counterbench.judges.planted_keys import KeyReader
from counterbench.runs.queries import Key, Query
from counterbench.runs.wordings import PROMPT_SHOWN
from counterbench.scene.seeds import Stream

# What to guess from, of types whose answers cannot be listed.
_OPEN = {"integer": tuple(str(n) for n in range(10)), "score": ("0", "0.25", "0.5", "0.75", "1")}
_CONSTANTS = {
    "yes-no": "yes",
    "integer": "3",
    "colour": "red",
    "colour-shape": "red circle",
    "grade": "1",
    "score": "1",
}


class Dose(msgspec.Struct, frozen=True):
    """A planted judge's options: `p` in 0 … 1, the seed of its chance, and the constant judge's answer."""

    p: float
    seed: int = 0
    answer: str = ""


class Asked(msgspec.Struct, frozen=True):
    """What a fault has to work with: the question's words, its key, the truth of the pair's original, and chance.

    `fault` keeps the chances of several faults in one judge apart; it is empty where there is one.
    """

    query: Query
    key: Key
    original: str
    dose: Dose
    fault: tuple[str, ...] = ()

    def chance(self, *parts: str) -> Stream:
        """A stream of this judge's own for `parts`."""
        return Stream("planted", self.dose.seed, *self.fault, *parts)

    @property
    def shows(self) -> bool:
        """Whether the fault shows on this question."""
        return self.chance("query", self.query.id).chance(self.dose.p)

    @property
    def shows_on_pair(self) -> bool:
        """Whether the fault shows on this pair: the same for both of its questions."""
        return self.chance("pair", self.query.group).chance(self.dose.p)

    @property
    def options(self) -> Sequence[str]:
        """The answers to choose from when guessing."""
        return answer_type(self.query.answer_type).alphabet or _OPEN[self.query.answer_type]


# A behaviour gives the reply where its fault shows, and None where it does not: there the judge is right.
Behaviour = Callable[[Asked], str | Failed | None]


def _oracle(a: Asked) -> None:
    return None


def _constant(a: Asked) -> str:
    return a.dose.answer or _CONSTANTS.get(a.query.answer_type, "yes")


def _random(a: Asked) -> str:
    return a.chance("random", a.query.id).choice(a.options)


def _noisy(a: Asked) -> str | None:
    wrong = [option for option in a.options if option != a.key.expected]
    return a.chance("wrong", a.query.id).choice(wrong) if a.shows else None


def _sticky(a: Asked) -> str | None:
    return a.original if a.shows_on_pair else None


def _blind(a: Asked) -> str | None:
    return a.chance("blind", a.query.text).choice(a.options) if a.shows_on_pair else None


def _biased(answer: str) -> Behaviour:
    def fault(a: Asked) -> str | None:
        return answer if a.query.answer_type == "yes-no" and a.shows else None

    return fault


def _misreading(*names: str) -> Behaviour:
    def fault(a: Asked) -> str | None:
        known = [a.key.misreadings[name] for name in names if name in a.key.misreadings]
        return a.chance("which", a.query.id).choice(known) if known and a.shows else None

    return fault


def _arrow_blind(a: Asked) -> str | None:
    return a.key.misreadings.get("nearest-tail") if a.shows_on_pair else None


def _prompt_led(a: Asked) -> str | None:
    return a.key.misreadings.get("prompt-led") if PROMPT_SHOWN in a.query.text and a.shows else None


def _unparsed(a: Asked) -> str | None:
    return "It is hard to say what this picture shows." if a.shows else None


def _refusing(a: Asked) -> str | None:
    return "I'm sorry, but I can't help with that." if a.shows else None


def _failing(a: Asked) -> Failed | None:
    return Failed("planted", "this judge fails by design") if a.shows else None


class Planted(msgspec.Struct, frozen=True):
    """A planted judge: its behaviour, its default dose, and what it does in words."""

    behave: Behaviour
    p: float
    summary: str


# One for each fault name. prior-bound shows on laws' outcomes, prompt-led on generated pictures whose prompt is shown,
# text-led on those with words painted into them.
PLANTED: dict[str, Planted] = {
    "oracle": Planted(_oracle, 0.0, "always right"),
    "constant": Planted(_constant, 1.0, "always the same answer (option: answer)"),
    "random": Planted(_random, 1.0, "a random answer of the right type"),
    "noisy": Planted(_noisy, 0.1, "wrong on a share p of the questions"),
    "sticky": Planted(_sticky, 0.5, "gives the original's answer to both pictures on a share p of the pairs"),
    "blind": Planted(_blind, 1.0, "answers from the words alone on a share p of the pairs"),
    "yes-bias": Planted(_biased("yes"), 0.5, "says yes to a share p of the yes/no questions"),
    "no-bias": Planted(_biased("no"), 0.5, "says no to a share p of the yes/no questions"),
    "off-by-one": Planted(_misreading("off-by-one", "off-by-minus-one"), 0.5, "miscounts by one on a share p"),
    "arrow-blind": Planted(_arrow_blind, 0.8, "names the shape nearest to the arrow's tail on a share p of the pairs"),
    "colour-confusion": Planted(_misreading("colour-confusion"), 0.5, "takes a colour for its neighbour on a share p"),
    "prior-bound": Planted(_misreading("prior-bound"), 0.8, "sees what the real law would give, on a share p"),
    "prompt-led": Planted(_prompt_led, 0.8, "believes the prompt that it is shown, on a share p"),
    "text-led": Planted(_misreading("text-led"), 0.8, "obeys words painted into a picture, on a share p"),
    "unparsed": Planted(_unparsed, 0.3, "rambles on a share p of the questions"),
    "refusing": Planted(_refusing, 0.3, "declines a share p of the questions"),
    "failing": Planted(_failing, 0.3, "fails on a share p of the questions"),
}


# Of several faults, those further to the front act later, on the answer that the others would have given.
_LAST_FIRST = ("failing", "refusing", "unparsed", "yes-bias", "no-bias", "constant", "random", "blind", "sticky")


class PlantedJudge:
    """A judge with a known fault (or several, joined by "+"), built with the keys of the queries that it will be asked.

    `keys`: the keys, or what gives them anew, in the order of the queries (then few are held at a time).
    """

    max_batch = 64
    max_in_flight = 1

    def __init__(self, spec: str, keys: Iterable[Key] | Callable[[], Iterable[Key]]) -> None:
        joined, options = split_spec(spec)
        names = joined.split("+")
        for name in names:
            if name not in PLANTED:
                raise unknown("planted judge", name, PLANTED)
            if names.count(name) > 1:
                raise InputError(f"planted:{joined}: {name!r} is named twice")
        self.name = f"planted:{spec}"
        order = {name: i for i, name in enumerate(_LAST_FIRST)}
        names.sort(key=lambda name: (order.get(name, len(order)), name))
        self._faults = [
            (PLANTED[name].behave, _dose(options, PLANTED[name].p, self.name), (name,) if len(names) > 1 else ())
            for name in names
        ]
        if callable(keys):
            self._of_pair = KeyReader(keys).of_pair
        else:
            pairs: dict[str, list[Key]] = {}
            for key in keys:
                pairs.setdefault(key.group, []).append(key)
            self._of_pair = lambda group: pairs.get(group, [])

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """What this judge's faults make of each question."""
        return [self._reply(query) for query in batch]

    def _reply(self, query: Query) -> Reply:
        pair = self._of_pair(query.group)
        key = next((key for key in pair if key.id == query.id), None)
        if key is None:
            return Reply(failure=Failed("no-key", f"{self.name} was built without the key of {query.id}"))
        if key.truth == "unknown":
            return Reply(failure=Failed("no-truth", f"nobody knows what the picture of {query.id} shows"))
        original = next((other.expected for other in pair if other.role == "original"), key.expected)
        said: str | Failed | None = None
        for behave, dose, fault in self._faults:
            said = behave(Asked(query, key, original, dose, fault))
            if said is not None:
                break
        if isinstance(said, Failed):
            return Reply(failure=said)
        return Reply(text=key.expected if said is None else said, model=self.name, cost=0.0)

    async def close(self) -> None:
        """Nothing to release."""


def _dose(options: dict[str, str], default: float, name: str) -> Dose:
    dose = read_options(Dose, {"p": default, **options}, name)
    if not 0 <= dose.p <= 1:
        raise InputError(f"{name}: p must be from 0 to 1, not {dose.p}")
    return dose
