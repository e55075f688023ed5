"""The model of faults: its chances add up to 1, steps gain likelihood, and doses come back from simulated pairs."""

import itertools
import random

import numpy as np
import pytest
from handmade import pair
from hypothesis import given, settings
from hypothesis import strategies as st

from counterbench.answers import answer_type
from counterbench.diagnosis.mixture import MODELLED, Doses, _start, _Step, fit
from counterbench.diagnosis.patterns import MISREADINGS, Patterns
from counterbench.results.results import PairResult

NUMBERS = tuple(str(n) for n in range(10))
OFF = ({"off-by-one": "5", "off-by-minus-one": "3"}, {"off-by-one": "6", "off-by-minus-one": "4"})
COLOURS = ({"colour-confusion": "orange"}, {"colour-confusion": "green"})
KINDS = {
    "yes-no": (("yes", "no"), ("yes", "no"), ({}, {})),
    "yes-no, misread": (("yes", "no"), ("yes", "no"), ({"off-by-one": "no"}, {"off-by-one": "no"})),
    "integer": (("4", "5"), NUMBERS, OFF),
    "colour": (("red", "yellow"), answer_type("colour").alphabet or (), COLOURS),
}


def every_reply(name: str) -> list[PairResult]:
    """One pair for each two replies that the model thinks possible."""
    truths, alphabet, misreadings = KINDS[name]
    kind = name.partition(",")[0]
    return [pair(truths, two, kind=kind, misreadings=misreadings) for two in itertools.product(alphabet, repeat=2)]


small = st.floats(0, 0.3)


@pytest.mark.parametrize("name", KINDS)
@given(data=st.data())
def test_the_chances_of_all_replies_add_up_to_one(name: str, data: st.DataObject) -> None:
    patterns = Patterns(every_reply(name))
    draw = data.draw
    alphabet = max(patterns.alphabets)
    words = np.array(draw(st.lists(st.floats(0.01, 1), min_size=alphabet, max_size=alphabet)))
    doses = Doses(
        blind=draw(st.floats(0, 1)),
        sticky=draw(st.floats(0, 1)),
        yes=draw(st.floats(0, 0.5)),
        no=draw(st.floats(0, 0.5)),
        misread=np.array([draw(small) for _ in MISREADINGS]),
        other_truth=np.zeros(1) if name.startswith("yes-no") else np.array([draw(st.floats(0, 0.1))]),
        any_wrong=np.array([draw(small)]),
        words=[words / words.sum()],
    )
    # Each pattern stands for the replies that it counts; unlike replies share one and are as likely each.
    total = float(patterns.count @ _Step(patterns, doses).total)
    assert total == pytest.approx(1, abs=1e-9)


@settings(max_examples=20)
@given(st.integers(0, 10**6))
def test_every_step_gains_likelihood(seed: int) -> None:
    patterns = Patterns(simulated(seed, {"sticky": 0.3, "yes-bias": 0.2, "off-by-one": 0.3}, 60))
    doses = _start(patterns, set())
    before = -np.inf
    for _ in range(30):
        step = _Step(patterns, doses)
        loglik = float(patterns.count @ np.log(step.total))
        assert loglik >= before - 0.2  # the smoothed words of the blind may cost a little
        before = loglik
        doses = step.improved(patterns.count * patterns.relevant)


def simulated(seed: int, faults: dict[str, float], n: int, noise: float = 0.0) -> list[PairResult]:
    """n pairs of each kind, answered by a judge with these faults; by this file's own reading of what they are."""
    chance = random.Random(seed)
    found = []
    for name, (truths, alphabet, misreadings) in KINDS.items():
        for i in range(n):
            answers = truths[::-1] if i % 2 else truths
            known = misreadings[::-1] if i % 2 else misreadings
            blind, sticky = chance.random() < faults.get("blind", 0), chance.random() < faults.get("sticky", 0)
            guess = chance.choice(alphabet)
            two = []
            for truth, readings in zip(answers, known, strict=True):
                answer = truth
                wrong = [value for value in alphabet if value != truth]
                if chance.random() < noise:
                    answer = chance.choice(wrong)
                for fault in ("off-by-one", "colour-confusion"):  # miscounts upwards alone
                    if fault in readings and chance.random() < faults.get(fault, 0):
                        answer = readings[fault]
                if sticky:
                    answer = answers[0]
                if blind:
                    answer = guess
                if name.startswith("yes-no"):
                    for bias in ("yes", "no"):
                        if chance.random() < faults.get(f"{bias}-bias", 0):
                            answer = bias
                two.append(answer)
            kind = name.partition(",")[0]
            found.append(pair(answers, (two[0], two[1]), id=f"{name}-{i}", kind=kind, misreadings=known, skill=name))
    return found


@pytest.mark.parametrize(
    "faults",
    [
        {},
        *(
            pytest.param(doses, marks=pytest.mark.slow)
            for doses in (
                {"blind": 0.4},
                {"sticky": 0.4},
                {"yes-bias": 0.3},
                {"no-bias": 0.3},
                {"off-by-one": 0.3},
                {"colour-confusion": 0.4},
                {"sticky": 0.3, "colour-confusion": 0.3},
            )
        ),
        {"yes-bias": 0.3, "off-by-one": 0.3},
    ],
    ids=str,
)
def test_planted_doses_are_recovered(faults: dict[str, float]) -> None:
    doses = fit(Patterns(simulated(7, faults, 800))).doses
    for name in MODELLED:
        assert doses.dose_of(name) == pytest.approx(faults.get(name, 0.0), abs=0.06), name


def test_blame_is_shared_out_wholly_among_wrong_answers() -> None:
    patterns = Patterns(simulated(5, {"blind": 0.2, "yes-bias": 0.3, "off-by-one": 0.3}, 200, noise=0.05))
    blame = fit(patterns).blame
    wrong = (patterns.present & ~patterns.right).any(axis=1)
    assert blame[wrong].sum(axis=1) == pytest.approx(1, abs=1e-6)
    assert (blame[~wrong] == 0).all()
