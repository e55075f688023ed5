"""Planted scorers: the answer of a planted judge as two numbers with noise, to show what a test of scorers finds."""

from collections.abc import Callable, Iterable
from statistics import NormalDist
from typing import Annotated
from urllib.parse import urlencode

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.answers.outcomes import Failed
from counterbench.errors import unknown
from counterbench.judges.base import Reply
from counterbench.judges.planted.faults import PLANTED
from counterbench.judges.planted.judge import PlantedJudge
from counterbench.judges.scorers import order, statement_in, with_numbers
from counterbench.judges.specs import SCORER, read_options, split_spec
from counterbench.runs.queries import Key, Query
from counterbench.scene.seeds import Stream

ANY_COLOUR = "any-colour"
_MATCHES = {FIRST: (1.0, 0.0), SECOND: (0.0, 1.0), EQUAL: (1.0, 1.0)}
_FAMILIAR = ("prior-die", "prior-dog", "prior-light")  # things whose parts have one colour
# Scorers by name, each with a test for the questions in which it sees no difference between the two pictures.
_UNSEEN: dict[str, Callable[[Key], bool]] = {
    ANY_COLOUR: lambda key: key.skill in ("count", "visible-count") and key.family not in _FAMILIAR,
    "bag-of-words": lambda key: key.skill not in ("presence", "colour"),
}


class NoiseOptions(msgspec.Struct, frozen=True):
    """A planted scorer's own options.

    `sd`: the standard deviation of the noise on each number (a match is 1, none is 0). `margin`: two numbers that
    differ by no more are equal.
    """

    sd: Annotated[float, msgspec.Meta(ge=0, le=1e6)] = 0.0
    margin: Annotated[float, msgspec.Meta(ge=0, le=1e6)] = 0.0


class PlantedScorer(PlantedJudge):
    """A scorer whose numbers are those of a planted judge: 1 for a picture that shows the prompt, by it, and else 0.

    `spec`: "planted:NAME?sd=0.25" with a planted judge's name and options, or "planted:any-colour", which counts shapes
    of any colour. The one called bag-of-words sees in no picture how its things stand, and how many. The noise is a
    function of the seed, the picture and the prompt, so that the same picture always has the same number.
    """

    only_compares = True

    def __init__(self, spec: str, keys: Iterable[Key] | Callable[[], Iterable[Key]]) -> None:
        """Read the options; InputError for an unknown name or option."""
        path, options = split_spec(spec)
        name = path.partition(":")[2]
        own = {key: options.pop(key) for key in NoiseOptions.__struct_fields__ if key in options}
        if name not in _UNSEEN and not {*name.split("+")} <= {*PLANTED}:
            raise unknown("planted scorer", name, {*PLANTED, *_UNSEEN})
        self._unseen = _UNSEEN.get(name)
        super().__init__(f"{'oracle' if name == ANY_COLOUR else name}?{urlencode(options)}", keys)
        self.name = f"{SCORER}:{spec}"
        self._noise, self._seed = read_options(NoiseOptions, own, self.name), int(options.get("seed", 0))

    def reply(self, query: Query) -> Reply:
        """The planted judge's reply as two numbers, with noise."""
        statement, reply = statement_in(query), super().reply(query)
        if reply.failure is not None:
            return reply
        if isinstance(statement, Failed):
            return Reply(failure=statement)
        answer = next((name for name in _MATCHES if query.phrased(name) == reply.text), EQUAL)
        key = next(key for key in self._keys_by_query[query.id] if key.id == query.id)
        matches = _MATCHES[EQUAL if self._unseen is not None and self._unseen(key) else answer]
        first, second = (
            match + self._drawn_noise(picture.digest, statement)
            for match, picture in zip(matches, query.pictures, strict=True)
        )
        text = with_numbers(first, second, order(first, second, self._noise.margin))
        return msgspec.structs.replace(reply, text=text, model=self.name)

    def _drawn_noise(self, picture: str, statement: str) -> float:
        """The noise of one number."""
        if not self._noise.sd:
            return 0.0
        place = (Stream("scorer", self._seed, picture, statement).below(2**32) + 0.5) / 2**32
        return NormalDist(0, self._noise.sd).inv_cdf(place)
