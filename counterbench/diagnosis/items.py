"""Items that look broken, found in the replies of several runs together."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from counterbench.diagnosis.document import ItemProblem
from counterbench.scoring.results import PairResult, RunResults

# The fewest pairs of a subtask, and the fewest different judges of an item, for a problem to be reported.
LEAST_PAIRS, LEAST_RUNS = 5, 2
# Judges agree on a wrong answer if this share of them gives it, and at least two judges do. For yes/no questions at
# least three must, since any two wrong answers are the same.
AGREE, AGREE_YES_NO = 0.75, 3
ByPair = Mapping[str, Sequence[PairResult]]


def item_problems(runs: Sequence[RunResults]) -> list[ItemProblem]:
    """The problems of items that several judges show together; none with one judge.

    Runs of the same suite are compared: the same id in another suite is another pair. If a judge has two runs, the one
    with more replies counts. For each pair only the judges with both replies count.
    """
    suites: dict[str, dict[str, RunResults]] = defaultdict(dict)
    for run in sorted(runs, key=lambda run: sum(pair.both is not None for pair in run.pairs)):
        suites[run.info.suite_digest][run.info.judge] = run
    problems = []
    for judges in suites.values():
        by_pair: dict[str, list[PairResult]] = defaultdict(list)
        for run in judges.values():
            for pair in run.pairs:
                if pair.both is not None:
                    by_pair[pair.key.group].append(pair)
        seen = {id: pairs for id, pairs in by_pair.items() if len(pairs) >= LEAST_RUNS}
        problems += [*_subtasks(seen), *_pairs(seen)]
    return problems


def _subtasks(by_pair: ByPair) -> list[ItemProblem]:
    """Subtasks in which every judge is right on no pair, or on all pairs."""
    by_family: dict[str, list[Sequence[PairResult]]] = defaultdict(list)
    for seen in by_pair.values():
        by_family[seen[0].key.family].append(seen)
    problems = []
    for family, members in by_family.items():
        if len(members) < LEAST_PAIRS:
            continue
        rights = [pair.consistent for seen in members for pair in seen]
        judges = max(len(seen) for seen in members)
        every = "both judges" if judges == 2 else f"all {judges} judges"
        if not any(rights):
            agreed = sum(_most_agreed(seen)[1] == len(seen) for seen in members)
            said = (
                f"{every} are right on none of {len(members)} pairs, and on {agreed} of them they all give one answer "
                "that the key denies: the truth or the scoring is suspect"
            )
            problems.append(ItemProblem("all-zero", family, family, said))
        elif all(rights):
            said = f"{every} are right on all {len(members)} pairs: it tells no judges apart"
            problems.append(ItemProblem("all-right", family, family, said))
    return problems


def _pairs(by_pair: ByPair) -> list[ItemProblem]:
    """Pairs whose replies agree on an answer that the truth denies, and the others that every judge misses."""
    problems = []
    for id, seen in by_pair.items():
        answer, count, role = _most_agreed(seen)
        least = AGREE_YES_NO if seen[0].key.answer_type == "yes-no" else LEAST_RUNS
        if count >= max(least, AGREE * len(seen)):
            key = seen[0].keys[role]
            said = f"{count} of {len(seen)} judges answer {answer!r} on the {key.role}, the truth says {key.expected!r}"
            problems.append(ItemProblem("agreed", id, key.family, said))
        elif not any(pair.consistent for pair in seen):
            said = f"none of {len(seen)} judges is right on both pictures"
            problems.append(ItemProblem("all-miss", id, seen[0].key.family, said))
    return problems


def _most_agreed(seen: Sequence[PairResult]) -> tuple[str, int, int]:
    """The wrong answer that most judges give to one of a pair's questions, their number, and the question's index."""
    best = ("", 0, 0)
    for role in (0, 1):
        said = Counter(
            reply.value
            for pair in seen
            if (reply := pair.replies[role]) is not None and reply.value is not None and not reply.right
        )
        for answer, count in said.most_common(1):
            if count > best[1]:
                best = (answer, count, role)
    return best
