"""Diagnoses runs: the faults of each judge with evidence and effect and, from several runs, items that look broken."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from counterbench.diagnosis.document import DiagnosedFault, Diagnosis, DiagnosisDocument, ItemProblem
from counterbench.diagnosis.faults import EXAMPLES, FoundFault, find_faults
from counterbench.diagnosis.measures import EVIDENCE, measure, prior_strength
from counterbench.diagnosis.patterns import MISREADINGS, misreadings_of
from counterbench.diagnosis.plain import PROMPT_BLIND, all_compare, head
from counterbench.diagnosis.residuals import find_residuals
from counterbench.results.results import PairResult, RunResults, judged_pairs, load_results
from counterbench.results.rules import DEFAULT
from counterbench.results.scores import SUSPECT_PAIRS, is_strong, provenance_of, share, unfinished, why_nothing
from counterbench.text import counted

# Faults that only altered laws and altered things can show; no note says that another suite cannot.
_ALTERED_ALONE = ("prior-bound",)
FEW = 100  # with fewer relevant pairs a diagnosis says little
# The fewest pairs of a subtask, and the fewest different judges of an item, for a problem to be reported.
MIN_PAIRS, MIN_RUNS = 5, 2
# Judges agree on a wrong answer if this share of them gives it, and at least two judges do. For yes/no questions at
# least three must, since any two wrong answers are the same.
AGREE, AGREE_YES_NO = 0.75, 3
ByPair = Mapping[str, Sequence[PairResult]]  # by the id of a pair: the result of each judge that replied to both


def diagnose(paths: Sequence[Path], scoring_name: str = DEFAULT) -> DiagnosisDocument:
    """The diagnosis of the run in each folder, and the problems of items that the runs show together."""
    return diagnose_runs([load_results(path, scoring_name) for path in paths])


def diagnose_runs(runs: Sequence[RunResults]) -> DiagnosisDocument:
    """The diagnosis of each of these runs, and the problems of items that the runs show together."""
    return DiagnosisDocument([diagnose_run(run) for run in runs], item_problems(runs))


def diagnose_run(run: RunResults) -> Diagnosis:
    """The faults of one judge, with their evidence and effect; the largest effect first."""
    run = msgspec.structs.replace(run, pairs=list(judged_pairs(run.pairs, run.info)))
    finding = find_faults(run.pairs)
    pair_count = sum(pair.both is not None for pair in run.pairs)
    faults = [_fault(named, run.pairs, pair_count) for named in finding.named]
    return Diagnosis(
        run=str(run.path),
        judge=run.info.judge,
        suite=run.info.suite,
        head=head(run.pairs),
        faults=sorted(faults, key=lambda fault: -fault.effect),
        unexplained=float(finding.unexplained.sum()) / pair_count if pair_count else 0.0,
        residuals=find_residuals(run.pairs, finding.unexplained),
        measures=measure(run.pairs),
        prior_strength=prior_strength(run.pairs),
        notes=notes(run),
        provenance=provenance_of(run.info, (pair.key.truth for pair in run.pairs), run.scoring),
        complete=run.complete,
    )


def _fault(fault: FoundFault, pairs: Sequence[PairResult], pair_count: int) -> DiagnosedFault:
    """A fault with examples; `pair_count`: the number of pairs over which its effect, a share of CCS, is taken."""
    order = np.argsort(-fault.blame, kind="stable")
    examples = [pairs[i].key.group for i in order[:EXAMPLES] if fault.blame[i] > 0]
    if fault.name == "failing":  # outside CCS, so it takes no blame
        examples = [pair.key.group for pair in pairs if pair.failed][:EXAMPLES]
    name = PROMPT_BLIND if fault.name == "blind" and all_compare(pairs) else fault.name
    return DiagnosedFault(
        name=name,
        effect=float(fault.blame.sum()) / pair_count if pair_count else 0.0,
        dose=fault.dose,
        evidence=EVIDENCE[name](pairs),
        pairs=examples,
        p=fault.p,
    )


def notes(run: RunResults) -> list[str]:
    """The limits of a run's diagnosis, a sentence each."""
    texts = []
    if not run.complete:
        failed = sum(pair.failed for pair in run.pairs)
        texts.append(f"the run is incomplete: {unfinished(run.missing, failed, run.uncounted)}")
    relevant = [pair for pair in run.pairs if pair.key.relevant and any(reply is not None for reply in pair.replies)]
    if not relevant:
        texts.append("no relevant pair was answered: only unparsed, refusing and failing are looked for")
        return texts
    if len(relevant) < FEW:
        were = "was" if len(relevant) == 1 else "were"
        few = f"only {counted(len(relevant), 'relevant pair')} {were} answered"
        texts.append(f"{few}: a fault that does not show may still be there")
    keys = [key for pair in relevant for key in pair.keys]
    shown = {MISREADINGS[name] for key in keys for name in misreadings_of(key) if name in MISREADINGS}
    if untested := [name for name in dict.fromkeys(MISREADINGS.values()) if name not in {*shown, *_ALTERED_ALONE}]:
        why = " (the truth is published, scenes are unknown)" if any(k.truth == "published" for k in keys) else ""
        texts.append(f"not tested, as no answered question can show it: {', '.join(untested)}{why}")
    yes_no = {key.skill for key in keys if key.answer_type == "yes-no"}
    if not yes_no:
        texts.append("no relevant yes/no question was answered: yes-bias and no-bias cannot show")
    elif len(yes_no) == 1 and shown:
        skill = next(iter(yes_no))
        texts.append(
            f"yes/no questions test only {skill}, where a bias and a misreading look alike: neither may be named"
        )
    return texts


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
        common = {id: pairs for id, pairs in by_pair.items() if len(pairs) >= MIN_RUNS}
        problems += [*_subtasks(common, list(judges.values())), *_pairs(common)]
    return problems


def _is_strong_beside(run: RunResults, family: str) -> bool:
    """True if a judge is surely right on most pairs outside this family."""
    rights = [(pair.key.family, pair.consistent) for pair in run.pairs if pair.consistent is not None]
    inside = [consistent for name, consistent in rights if name == family]
    return is_strong(share(sum(consistent for _, consistent in rights), len(rights)), share(sum(inside), len(inside)))


def _subtasks(by_pair: ByPair, runs: Sequence[RunResults]) -> list[ItemProblem]:
    """Problems of subtasks, which are families: those in which every judge is right on no pair, or on all pairs."""
    by_family: dict[str, list[Sequence[PairResult]]] = defaultdict(list)
    for results in by_pair.values():
        by_family[results[0].key.family].append(results)
    problems = []
    for family, members in by_family.items():
        if len(members) < MIN_PAIRS:
            continue
        rights = [pair.consistent for results in members for pair in results]
        judges = max(len(results) for results in members)
        every = "both judges" if judges == 2 else f"all {judges} judges"
        if not any(rights):
            agreed = sum(_most_agreed(results)[1] == len(results) for results in members)
            why = why_nothing(members[0][0].key.truth)
            if len(members) < SUSPECT_PAIRS or not any(_is_strong_beside(run, family) for run in runs):
                why = "too few pairs, or judges too weak elsewhere, to blame the items"
            evidence = (
                f"{every} are right on none of {len(members)} pairs, and on {agreed} of them all give the same wrong "
                f"answer: {why}"
            )
            problems.append(ItemProblem("all-zero", family, family, evidence))
        elif all(rights):
            evidence = f"{every} are right on all {len(members)} pairs, so these tell no judges apart"
            problems.append(ItemProblem("all-right", family, family, evidence))
    return problems


def _pairs(by_pair: ByPair) -> list[ItemProblem]:
    """Pairs whose replies agree on an answer that the truth denies, and the others that every judge misses."""
    problems = []
    for id, pairs in by_pair.items():
        answer, count, role = _most_agreed(pairs)
        minimum = AGREE_YES_NO if pairs[0].key.answer_type == "yes-no" else MIN_RUNS
        if count >= max(minimum, AGREE * len(pairs)):
            key = pairs[0].keys[role]
            why = f"{count} of {len(pairs)} judges answer {answer!r} on the {key.role}, the truth says {key.expected!r}"
            problems.append(ItemProblem("agreed", id, key.family, why))
        elif not any(pair.consistent for pair in pairs):
            why = f"none of {len(pairs)} judges is right on both pictures"
            problems.append(ItemProblem("all-miss", id, pairs[0].key.family, why))
    return problems


def _most_agreed(results: Sequence[PairResult]) -> tuple[str, int, int]:
    """The wrong answer that most judges give to one of a pair's questions, their number, and the question's index."""
    wrong_answers = Counter(
        (reply.value, role)
        for role in (0, 1)
        for pair in results
        if (reply := pair.replies[role]) is not None and reply.value is not None and not reply.right
    )
    (answer, role), count = max(wrong_answers.items(), key=lambda item: item[1], default=(("", 0), 0))
    return answer, count, role
