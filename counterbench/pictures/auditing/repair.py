"""The least number of answers that must be wrong, given combinations of which not all can be right."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from counterbench.pictures.auditing.relations import AnswerClause, YesOrNo


def broken(answers: Mapping[str, YesOrNo], clauses: Sequence[AnswerClause]) -> list[AnswerClause]:
    """The clauses whose answers were all given, so that not all of them can be right."""
    return [clause for clause in clauses if all(answers.get(name) == answer for name, answer in clause)]


def least_wrong(answers: Mapping[str, YesOrNo], clauses: Sequence[AnswerClause]) -> int:
    """The size of the smallest repair: the fewest answers to turn round so that no clause is broken.

    The right answers break none, so at least so many are wrong. Clauses with an answer that is missing (a lost reply)
    are left out.

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
    """The number of answers in the smallest repair, by integer programming; every clause has all its answers."""
    import numpy as np
    from scipy.optimize import Bounds, LinearConstraint, milp

    # One variable an answer: 1 if it is yes after the repair. Of a clause, at least one answer must be the other one.
    places = {name: place for place, (name, _) in enumerate(answers)}
    cost = np.array([-1.0 if answer == "yes" else 1.0 for _, answer in answers])
    rows, min_sums = np.zeros((len(clauses), len(answers))), np.ones(len(clauses))
    for row, clause in enumerate(clauses):
        for name, answer in clause:
            rows[row, places[name]] += -1.0 if answer == "yes" else 1.0
            min_sums[row] -= answer == "yes"
    solution = milp(cost, constraints=LinearConstraint(rows, lb=min_sums), integrality=1, bounds=Bounds(0, 1))
    return round(float(solution.fun) + float((cost < 0).sum()))
