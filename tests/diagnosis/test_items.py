"""Item health: what several judges together say about the items, and never what one says alone."""

import msgspec
from handmade import FAILS, pair, run_results

from counterbench.diagnosis.diagnose import item_problems
from counterbench.results.results import RunResults

RIGHT = ("red", "blue")


def runs(*replies: list[tuple[str | None, str | None]]) -> list[RunResults]:
    return [
        run_results([pair(RIGHT, two, id=f"p{n}", kind="colour") for n, two in enumerate(of_judge)], str(i))
        for i, of_judge in enumerate(replies)
    ]


def problems_found(found: list[RunResults]) -> list[tuple[str, str]]:
    return [(problem.kind, problem.where) for problem in item_problems(found)]


def test_a_pair_that_every_judge_misses_is_named() -> None:
    assert problems_found(runs([RIGHT, ("red", "pink")], [RIGHT, ("green", "blue")])) == [("all-miss", "p1")]


def test_replies_that_agree_against_the_truth_are_named() -> None:
    made = runs([("red", "pink")], [("red", "pink")], [("green", "pink")], [RIGHT])
    (problem,) = item_problems(made)
    assert (problem.kind, problem.where) == ("agreed", "p0")
    assert "3 of 4" in problem.evidence
    assert "'pink'" in problem.evidence
    assert "'blue'" in problem.evidence


def test_subtasks_where_all_judges_score_0_or_1_are_named() -> None:
    nought = runs([("pink", "pink")] * 5, [("pink", "pink")] * 5)
    assert ("all-zero", "f") in problems_found(nought)
    assert "on 5 of them" in item_problems(nought)[0].evidence
    assert problems_found(runs([RIGHT] * 5, [RIGHT] * 5)) == [("all-right", "f")]
    assert problems_found(runs([RIGHT] * 4, [RIGHT] * 4)) == []  # too few pairs to say


def test_computed_truth_is_not_suspect_and_weak_judges_accuse_no_items() -> None:
    def judged(right: int, name: str, truth: str = "published") -> RunResults:
        """Twelve pairs that are all wrong, and thirty others, so many right."""
        pairs = [pair(RIGHT, ("pink", "pink"), id=f"p{n}", kind="colour") for n in range(12)]
        pairs += [pair(RIGHT, RIGHT if n < right else ("pink", "pink"), id=f"g{n}", family="g") for n in range(30)]
        keys = [tuple(msgspec.structs.replace(key, truth=truth) for key in result.keys) for result in pairs]
        with_keys = zip(pairs, keys, strict=True)
        return run_results([msgspec.structs.replace(result, keys=new_keys) for result, new_keys in with_keys], name)

    def evidence(*judges: RunResults) -> str:
        return next(item.evidence for item in item_problems(judges) if (item.kind, item.where) == ("all-zero", "f"))

    assert evidence(judged(28, "a"), judged(3, "b")).endswith("truth or scoring is suspect")
    assert "suspect" not in evidence(*(judged(5, str(n)) for n in range(4)))
    assert evidence(judged(28, "a", "computed"), judged(3, "b", "computed")).endswith("no judge sees this")


def test_one_judge_accuses_no_item() -> None:
    assert problems_found(runs([("pink", "pink")] * 9)) == []
    run = run_results([pair(RIGHT, ("pink", "pink"), kind="colour")])
    assert problems_found([run, run]) == []


def test_a_pairs_health_counts_the_judges_that_answered_it() -> None:
    assert problems_found(runs([("red", "pink")], [("red", FAILS)])) == []
    partial = [("pink", "pink")] * 2 + [("red", FAILS)] * 4
    made = runs([("pink", "pink")] * 6, [("pink", "pink")] * 6, partial)
    assert ("all-zero", "f") in problems_found(made)


def test_of_two_runs_of_a_judge_the_fuller_one_counts() -> None:
    empty = run_results([pair(RIGHT, (FAILS, FAILS), id="p0", kind="colour")], "0")
    assert problems_found([*runs([("pink", "pink")], [("pink", "pink")]), empty]) == [("agreed", "p0")]


def test_two_judges_wrong_on_a_yes_no_question_are_no_agreement() -> None:
    def wrong(name: str) -> RunResults:
        return run_results([pair(("yes", "no"), ("no", "no"))], name)

    assert problems_found([wrong("a"), wrong("b")]) == [("all-miss", "p")]
    assert problems_found([wrong("a"), wrong("b"), wrong("c")]) == [("agreed", "p")]


def test_pairs_are_joined_by_id_whatever_their_order() -> None:
    first, second = runs([RIGHT, ("red", "pink")], [RIGHT, ("green", "blue")])
    second.pairs.reverse()
    assert problems_found([first, second]) == [("all-miss", "p1")]


def test_the_same_id_in_another_suite_is_another_pair() -> None:
    def missed(name: str, suite: str) -> RunResults:
        return run_results([pair(RIGHT, ("pink", "pink"), kind="colour")], name, suite)

    assert problems_found([missed("a", "one"), missed("b", "two")]) == []
    assert problems_found([missed("a", "one"), missed("b", "two"), missed("c", "one")]) == [("agreed", "p")]
