"""Planted judges: built with the keys, each with one known fault at a stated dose, to show that a metric finds it.

Only they know the truth, and their name says so. `p` is the dose: the share of the questions (or pairs) on which the
fault shows, of those that can show it. `planted:sticky+off-by-one` has several faults, each with its own chances: if
more than one shows, the first in the order of `PLANTED` decides. Judges with one fault each and the same seed share
their chances: to compare two of them as independent judges, give them different seeds.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import groupby

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError, unknown
from counterbench.judges.base import JudgeWithoutPictures, Reply
from counterbench.judges.planted.faults import PLANTED, Dose, Fault, Planting
from counterbench.judges.specs import read_options, split_spec
from counterbench.runs.queries import Key, PromptTemplate, Query


class PlantedJudge(JudgeWithoutPictures):
    """A judge with a known fault (or several, joined by "+"), built with the keys of the queries that it will be asked.

    `keys`: the keys, or a function that gives them anew.
    """

    def __init__(self, spec: str, keys: Iterable[Key] | Callable[[], Iterable[Key]]) -> None:
        """Read the faults and their options from `spec`, the judge's name without "planted:".

        A function `keys` is called when they are needed. InputError for an unknown fault, one that is named twice, or
        an option that is not valid.
        """
        joined, options = split_spec(spec)
        names = joined.split("+")
        for name in names:
            if name not in PLANTED:
                raise unknown("planted judge", name, PLANTED)
            if names.count(name) > 1:
                raise InputError(f"planted:{joined}: {name!r} is named twice")
        self.name = f"planted:{spec}"
        names.sort(key=list(PLANTED).index)
        self._planted: list[tuple[str, Fault, Dose]] = [
            (name, PLANTED[name], read_options(Dose, {"p": PLANTED[name].p, **options}, self.name)) for name in names
        ]
        self._cost = self._planted[0][2].price / 1000
        self._keys: Callable[[], Iterable[Key]] = keys if callable(keys) else partial(iter, list(keys))
        self._keys_by_query: dict[str, list[Key]] = {}  # the keys of a question's pair, by the question's id

    def refuse_unplantable(self, template: PromptTemplate) -> None:
        """InputError if no question in this template can show one of its faults: the judge would be as the oracle."""
        hidden = {name: (fault, dose) for name, fault, dose in self._planted if fault.needs}
        for pair in self._pairs() if hidden else ():
            for key in pair:
                # Without words or pictures, but with a prompt, which a template may show.
                fields = {name: getattr(key, name) for name in ("id", "group", "role", "answer_type")}
                query = template.dress(Query(pictures=(), text="", prompt="-", **fields))
                original = _truth_of_original(pair, key)
                hidden = {n: (f, dose) for n, (f, dose) in hidden.items() if not f.can_show(query, key, original, dose)}
            if not hidden:
                return
        if hidden:
            name, (fault, _) = next(iter(hidden.items()))
            raise InputError(
                f"{self.name}: {name!r} can show on none of these questions, the judge would be right on all; it needs "
                f"{fault.needs}: ask it about those, or choose another judge (counterbench list judges)"
            )

    def reply(self, query: Query) -> Reply:
        """The reply with the first fault that shows, else the truth."""
        if query.id not in self._keys_by_query:  # keys may be added later, before those that are known
            for pair in self._pairs():
                is_added = pair[0].id in self._keys_by_query
                self._keys_by_query |= {key.id: pair for key in pair}
                if is_added and query.id in self._keys_by_query:
                    break
        pair = self._keys_by_query.get(query.id, [])
        key = next((key for key in pair if key.id == query.id), None)
        if key is None:
            return Reply(failure=Failed("no-key", f"{self.name} was built without the key of {query.id}"))
        if key.truth == "unknown" and any(fault.needs_truth for _, fault, _ in self._planted):
            return Reply(failure=_no_truth(query))
        original = _truth_of_original(pair, key)
        several = len(self._planted) > 1
        answers = (
            fault.reply(Planting(query, key, original, dose, (name,) if several else ()))
            for name, fault, dose in self._planted
        )
        answer = next((answer for answer in answers if answer is not None), None)
        if isinstance(answer, Failed):
            return Reply(failure=answer)
        if answer is None and key.truth == "unknown":
            return Reply(failure=_no_truth(query))
        return Reply(text=query.phrased(key.expected if answer is None else answer), model=self.name, cost=self._cost)

    def _pairs(self) -> Iterator[list[Key]]:
        """The keys of every pair, read anew at each call."""
        return (list(keys) for _, keys in groupby(self._keys(), lambda key: key.group))


def _no_truth(query: Query) -> Failed:
    """The failure where the truth of a picture is not known."""
    why = f"nobody knows what the picture of {query.id} shows; constant and random answer about any picture"
    return Failed("no-truth", why)


def _truth_of_original(pair: Sequence[Key], key: Key) -> str:
    """The truth of the pair's original; for a picture that is in no pair, its own truth."""
    return next((other.expected for other in pair if other.role == "original"), key.expected)
