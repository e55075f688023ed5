"""The least number of answers that must be wrong, given combinations of which not all can be right.

A clause is such a combination: (name of a question, answer) for some questions. `least_wrong` takes the answers to the
questions of a group, by name, and the clauses of its relations (see `relations`); `result` counts with it.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

import numpy as np

from counterbench.pictures.auditing.relations import AnswerClause, YesOrNo


def broken(answers: Mapping[str, YesOrNo], clauses: Sequence[AnswerClause]) -> list[AnswerClause]:
    """The clauses whose combination of answers was given, so that at least one of these answers is wrong.

    `answers`: by the name of their question.
    """
    return [clause for clause in clauses if all(answers.get(name) == answer for name, answer in clause)]


def least_wrong(answers: Mapping[str, YesOrNo], clauses: Sequence[AnswerClause]) -> int:
    """The size of the smallest repair: the fewest answers to reverse (yes, no) so that no clause is broken.

    The right answers break no clause, so at least this number of answers is wrong. Clauses with an answer that is
    missing (a lost reply) are left out.

    >>> least_wrong({"a": "yes", "b": "yes"}, [(("a", "yes"), ("b", "yes"))])
    1
    """
    if not broken(answers, clauses):
        return 0
    complete = tuple(clause for clause in clauses if all(name in answers for name, _ in clause))
    names = sorted({name for clause in complete for name, _ in clause})
    return _smallest_repair(tuple((name, answers[name]) for name in names), complete)


@lru_cache(4096)
def _smallest_repair(answers: tuple[tuple[str, YesOrNo], ...], clauses: tuple[AnswerClause, ...]) -> int:
    """The number of answers in the smallest repair, by integer programming; every clause has all its answers.

    A variable costs 1 if its answer was no and −1 if it was yes, so that the sum of costs is the number of reversed
    answers less the number of yes before the repair; the last line adds that number again.
    """
    from scipy.optimize import Bounds, LinearConstraint, milp

    # One variable for each answer: 1 if it is yes after the repair. In each clause at least one answer is reversed.
    places = {name: place for place, (name, _) in enumerate(answers)}
    cost = np.array([-1.0 if answer == "yes" else 1.0 for _, answer in answers])
    rows, min_sums = np.zeros((len(clauses), len(answers))), np.ones(len(clauses))
    for row, clause in enumerate(clauses):
        for name, answer in clause:
            rows[row, places[name]] += -1.0 if answer == "yes" else 1.0
            min_sums[row] -= answer == "yes"
    solution = milp(cost, constraints=LinearConstraint(rows, lb=min_sums), integrality=1, bounds=Bounds(0, 1))
    return round(float(solution.fun) + float((cost < 0).sum()))
