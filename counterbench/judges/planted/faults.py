"""The faults that a judge can have: for each its name, the replies of a judge with it, and its symptoms in replies.

`PLANTED`, at the end, is the list. A planted judge is built with one of these faults, at a stated dose: the share `p`
of questions, or of pairs, on which it shows. A diagnosis looks for the same faults in real judges, by the symptoms
named here. A fault's `reply` gets a `Planting` (the question, the truth and the dose) and gives the reply, or None:
then the fault does not show, and the judge gives the right answer.

Example: "off-by-one" replies with a misreading of that name, which is one more than the true number. Which answer a
misreading gives is computed from the scene by the kind of question (`misreadings` in `scene/programs`) and is stored
with the truth. A new fault is an entry here and its test.
"""

import json
import math
from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from counterbench.answers import SUFFIXED, answer_type, choices_of, graded, kind_of, scale_of
from counterbench.answers.choices import EQUAL, FIRST
from counterbench.answers.outcomes import Failed
from counterbench.drawing.styles import STICKER, STYLES
from counterbench.errors import unknown
from counterbench.runs.queries import PROMPT_SHOWN, Key, Query
from counterbench.scene.seeds import Seed, Stream
from counterbench.suites.families.ladders import LADDERS

# Answers to guess from, by answer type, for types whose answers cannot all be listed.
_GUESSES = {
    "integer": tuple(str(n) for n in range(10)),
    "score": ("0", "0.25", "0.5", "0.75", "1"),
    "description": ("a few shapes", "a room", "a street", "an animal", "nothing that can be told"),
    "text": ("apple", "chair", "dog", "left", "many", "nothing", "one", "tree", "up", "water"),
}
Finite = Annotated[float, msgspec.Meta(ge=-1e300, le=1e300)]
# By answer type, the answer of the judge that always says the same; "yes" for other types.
_CONSTANTS = {"integer": "3", "colour": "red", "colour-shape": "red circle", "grade": "1", "score": "1"}


class Dose(msgspec.Struct, frozen=True):
    """A planted judge's options: the dose `p` of its fault, 0 … 1, and the seed of its random numbers.

    `answer`: the answer of the constant judge. `price`: a made-up one, in US dollars for a thousand replies.

    The others are for the threshold judge, which sees only what is easy. Either, of the numbers that say how difficult
    a pair is, `dial` names the one that counts ("" for the first); the judge sees half of the pictures where that
    number is `at`, and fewer above, the more abruptly the larger `slope` is. Or it sees each ladder (a series of
    families of rising difficulty) up to a last level (rung): `count=6&offset=10`, by the ladders' names; it sees all
    else. What it does not see, it answers with `answer`.
    """

    p: Annotated[float, msgspec.Meta(ge=0, le=1)]
    seed: Seed = 0
    answer: str = ""
    price: Annotated[float, msgspec.Meta(ge=0, le=1e6)] = 0
    at: Finite = 4
    slope: Finite = 1
    dial: str = ""
    count: int | None = None
    offset: int | None = None
    size: int | None = None
    touching: int | None = None
    visible: int | None = None
    colour: int | None = None
    words: int | None = None

    def __post_init__(self) -> None:
        for name, rung in self.last.items():
            if rung not in LADDERS[name].values:
                raise unknown(name, str(rung), map(str, LADDERS[name].values))

    @property
    def last(self) -> dict[str, int]:
        """The last rung that the judge sees, by ladder."""
        return {name: rung for name in LADDERS if (rung := getattr(self, name)) is not None}

    def beyond(self, family: str) -> bool:
        """True if a family is a rung above the last one of its ladder that the judge sees."""
        name = family.partition("-")[0]
        if name not in self.last:
            return False
        ladder = LADDERS[name]
        return family in ladder.rungs[ladder.values.index(self.last[name]) + 1 :]


class Planting(msgspec.Struct, frozen=True):
    """The input of a fault: the query, its key (the truth), the right answer about the pair's first picture, the dose.

    `fault`: parts of a name, so that several faults in one judge draw different random numbers; empty for one fault.
    """

    query: Query
    key: Key
    original: str
    dose: Dose
    fault: tuple[str, ...] = ()

    def chance(self, *parts: str) -> Stream:
        """A stream of random numbers for `parts`, of this judge's seed and fault."""
        return Stream("planted", self.dose.seed, *self.fault, *parts)

    @property
    def options(self) -> Sequence[str]:
        """The answers to guess from: those of the answer type, else a few that are like real ones."""
        name = self.query.answer_type
        listed = answer_type(name).alphabet or _GUESSES.get(name) or _scale_steps(name)
        return listed or _ratings_replies(self.key, name) or _GUESSES["text"]


def _scale_steps(name: str) -> Sequence[str]:
    """Five even steps of a rating's scale; empty for other types, also for several ratings in one reply."""
    if kind_of(name) != "rating":
        return ()
    low, high = map(Decimal, scale_of(name) or ("0", "1"))
    return tuple(f"{float(low + (high - low) * i / 4):g}" for i in range(5))


def _ratings_replies(key: Key, kind: str) -> Sequence[str]:
    """Two replies to a question for several ratings: the low end of the scale for every name, and the high end.

    They are JSON objects; none for any other question.
    """
    names = graded(key.expected) if kind_of(kind) == "ratings" and key.expected else {}
    ends = scale_of(kind) or ()
    return [json.dumps(dict.fromkeys(names, json.loads(end)), separators=(",", ":")) for end in ends if names]


# A behaviour gives the reply where its fault shows; None if this question cannot show it: then the judge is right.
Behaviour = Callable[[Planting], str | Failed | None]


class Fault(msgspec.Struct, frozen=True):
    """A fault of a planted judge. `reply` applies it to a question."""

    behave: Behaviour
    p: float  # the default dose
    summary: str  # the behaviour in words
    misreadings: tuple[str, ...] = ()  # the names of the wrong answers that are symptoms of it (`Key.misreadings`)
    outcome: str = ""  # the kind of outcome that is a symptom of it, such as "refused"; "" for none
    needs: str = ""  # the questions that can show it, in words; empty if all can
    needs_truth: bool = True  # False if the judge can answer without knowing the truth
    shows_on: Literal["query", "pair", "all"] = "query"  # the dose is a share of these; "all": it shows on every query

    def reply(self, planting: Planting) -> str | Failed | None:
        """The reply of a judge with this fault; None if the fault does not show, so that the judge is right."""
        if self.shows_on == "all":
            return self.behave(planting)
        name = planting.query.group if self.shows_on == "pair" else planting.query.id
        return self.behave(planting) if planting.chance(self.shows_on, name).chance(planting.dose.p) else None

    def can_show(self, query: Query, key: Key, original: str, dose: Dose) -> bool:
        """True if a judge with this fault at dose 1 would not give the truth to this question."""
        full = msgspec.structs.replace(dose, p=1)
        return self.reply(Planting(query, key, original, full)) not in (None, key.expected)


def _constant(case: Planting) -> str:
    """The answer of the constant judge: of its dose, else by the answer type."""
    kind = case.query.answer_type
    return case.dose.answer or (case.options[-1] if kind_of(kind) in SUFFIXED else _CONSTANTS.get(kind, "yes"))


def _random_answer(case: Planting) -> str:
    """A random answer of the question's type."""
    return case.chance("random", case.query.id).choice(case.options)


def _wrong_answer(case: Planting) -> str:
    """A random answer that is not the truth."""
    wrong_answers = [option for option in case.options if option != case.key.expected]
    return case.chance("wrong", case.query.id).choice(wrong_answers)


def _threshold_answer(case: Planting) -> str | None:
    """The answer where the judge does not see, which a random number decides; None where it sees, and is right.

    It sees with probability 1 / (1 + exp(slope × (difficulty − at))); of ladders, up to its last rung.
    """
    if case.dose.last:
        return _unseen_answer(case) if case.dose.beyond(case.key.family) else None
    numbers = case.key.difficulty
    value = numbers.get(case.dose.dial) if case.dose.dial else next(iter(numbers.values()), None)
    if value is None:
        return None
    sees = 1 / (1 + math.exp(min(case.dose.slope * (value - case.dose.at), 700)))
    if case.chance("sees", case.query.id).chance(sees):
        return None
    return _unseen_answer(case)


def _unseen_answer(case: Planting) -> str:
    """The answer where the judge does not see: of its dose if the type has it, else no, or the type's first."""
    kind = answer_type(case.query.answer_type)
    if case.dose.answer and kind.is_canonical(case.dose.answer):
        return case.dose.answer
    return "no" if case.query.answer_type == "yes-no" else case.options[0]


def _silent_fault(reply: str | Failed, does: str, outcome: str) -> Fault:
    """A fault whose judge replies without an answer, or fails. `does`: the verb phrase for that, for the summary."""
    return Fault(lambda case: reply, 0.3, f"{does} a share p of the questions", outcome=outcome, needs_truth=False)


def _bias_fault(answer: str, grade: str) -> Fault:
    """A fault whose judge says `answer`, or gives the upper end of a scale for yes and the lower for no."""

    def behave(case: Planting) -> str | None:
        """The end of a grade's scale, or the answer; None if the type has neither."""
        name = case.query.answer_type
        if kind_of(name) != "ratings" and (ends := scale_of(name)):
            return ends[answer == "yes"]
        return answer if answer in (answer_type(name).alphabet or ()) else None

    summary = f"says {answer} to a share p of the yes/no questions, or gives the {grade} grade"
    return Fault(behave, 0.5, summary, needs="yes/no questions or grades")


def _preference_fault(answer: str, summary: str) -> Fault:
    """A fault whose judge gives this answer to comparisons of two pictures."""
    return Fault(
        lambda case: answer if answer in choices_of(case.query.answer_type) else None,
        0.8,
        f"{summary} to a share p of the comparisons",
        needs="comparisons of two pictures",
    )


def _misreading_fault(p: float, summary: str, needs: str, *misreadings: str) -> Fault:
    """A fault whose judge gives one of these misreadings of the question as its answer."""

    def behave(case: Planting) -> str | None:
        """One of the misreadings that this question has, by chance; None if it has none."""
        wrong_answers = [case.key.misreadings[name] for name in misreadings if name in case.key.misreadings]
        return case.chance("which", case.query.id).choice(wrong_answers) if wrong_answers else None

    return Fault(behave, p, summary, misreadings, needs=needs)


def _blind_fault(p: float, summary: str, needs: str, trait: str, *values: str) -> Fault:
    """A fault whose judge does not see things with that trait (with one of these values), and guesses about them."""
    return Fault(
        lambda case: _random_answer(case) if case.key.traits.get(trait) in values else None, p, summary, needs=needs
    )


# All faults by name. If a judge has several, the first one in this order that shows decides its reply. In the field,
# `agreeable` is called sycophancy and `first-bias` position bias; `fickle` and `text-led` show on controls (invariance
# tests). The judges constant, random, noisy and oracle are for comparison with the others.
PLANTED: dict[str, Fault] = {
    "agreeable": _misreading_fault(
        0.8,
        "sycophancy: says yes to a share p of the yes/no questions about what is not there",
        "yes/no questions about what is not there",
        "agreeable",
    ),
    "bag-of-words": _misreading_fault(
        1.0,
        "takes a ball and something red for a red ball, on a share p",
        "drawn pictures that lack what is asked about, but have its noun and its colour",
        "bag-of-words",
    ),
    "failing": _silent_fault(Failed("planted", "this judge fails by design"), "fails on", "failed"),
    "refusing": _silent_fault("I'm sorry, but I can't help with that.", "declines", "refused"),
    "unparsed": _silent_fault("It is hard to say what this picture shows.", "rambles on", "unparsed"),
    "yes-bias": _bias_fault("yes", "highest"),
    "no-bias": _bias_fault("no", "lowest"),
    "constant": Fault(_constant, 1.0, "always the same answer (option: answer)", needs_truth=False, shows_on="all"),
    "random": Fault(_random_answer, 1.0, "a random answer of the right type", needs_truth=False, shows_on="all"),
    "blind": Fault(
        lambda case: case.chance("blind", case.query.text).choice(case.options),
        1.0,
        "answers from the words alone on a share p of the pairs",
        shows_on="pair",
    ),
    "sticky": Fault(
        lambda case: case.original,
        0.5,
        "gives the original's answer to both pictures on a share p of the pairs",
        needs="pairs whose two answers differ",
        shows_on="pair",
    ),
    "arrow-blind": Fault(
        lambda case: case.key.misreadings.get("nearest-tail"),
        0.8,
        "names the shape nearest to the arrow's tail on a share p of the pairs",
        ("nearest-tail", "most-central", "largest"),
        needs="arrows in drawn scenes",
        shows_on="pair",
    ),
    "colour-confusion": _misreading_fault(
        0.5, "takes a colour for its neighbour on a share p", "colours in drawn scenes", "colour-confusion"
    ),
    "first-bias": _preference_fault(FIRST, "position bias: says first"),
    "fickle": Fault(
        lambda case: _wrong_answer(case) if "treatment" in case.key.traits else None,
        0.5,
        "gives another answer about treated pictures, on a share p",
        needs="control pairs whose pictures are treated or painted with words",
    ),
    "first-mentioned": _misreading_fault(
        0.8,
        "says the first of the two things that the question names, on a share p",
        "open questions that name two things to choose from",
        "first-mentioned",
    ),
    "lazy": _preference_fault(EQUAL, "says equal"),
    "left-blind": _blind_fault(
        0.8, "guesses about things in the left third, on a share p", "things in drawn scenes", "column", "left"
    ),
    "left-right": _misreading_fault(0.5, "takes left for right on a share p", "sides in drawn scenes", "left-right"),
    "noisy": Fault(_wrong_answer, 0.1, "wrong on a share p of the questions"),
    "edge-blind": _blind_fault(
        0.8,
        "guesses about things in the outer tenth of the picture, on a share p",
        "things in drawn scenes",
        "edge",
        "yes",
    ),
    "off-by-one": _misreading_fault(
        0.5, "miscounts by one on a share p", "counts in drawn scenes", "off-by-one", "off-by-minus-one"
    ),
    "oracle": Fault(lambda case: None, 0.0, "always right"),
    "prettier-wins": _misreading_fault(
        0.8,
        "says that the richer picture is better, on a share p",
        "comparisons of pictures in two styles",
        "prettier-wins",
    ),
    "prior-bound": _misreading_fault(
        0.8,
        "sees what is usual, or the real law would give, on a share p",
        "drawn pictures of altered laws or things",
        "prior-bound",
    ),
    "prompt-led": Fault(
        lambda case: case.key.misreadings.get("prompt-led") if PROMPT_SHOWN in case.query.text else None,
        0.8,
        "believes the prompt that it is shown, on a share p",
        needs="a planted generator's pictures that are not as prompted, and a template that shows the prompt",
    ),
    "saturating": _misreading_fault(
        0.8, "counts no further than four, on a share p", "counts above four in drawn scenes", "at-most-four"
    ),
    "small-blind": _blind_fault(
        0.8, "guesses about small things, on a share p", "small things in drawn scenes", "size", "small"
    ),
    # `needs` is empty: on flat pictures it is right like the oracle; only its runs in other styles differ.
    "style-blind": _blind_fault(
        0.8, "guesses where pictures are not flat, on a share p", "", "style", *STYLES, STICKER
    ),
    "text-led": _misreading_fault(
        0.8, "obeys words painted into a picture, on a share p", "control pairs with such words", "text-led"
    ),
    "threshold": Fault(
        _threshold_answer,
        1.0,
        "misses more as difficulty rises (options: dial, at, slope; or count=6), then says no (option: answer)",
        needs="pairs with a number of that difficulty at which it does not see",
    ),
}
