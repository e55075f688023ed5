"""People beside a judge: the scores of both on the drawn pairs that both answered."""

from pathlib import Path

import msgspec

from counterbench.results.comparison import same_keys
from counterbench.results.results import load_results
from counterbench.results.scores import Score, score
from counterbench.runs.folder import PEOPLE_FOLDER, templates_in


class PersonBeside(msgspec.Struct, frozen=True):
    """A person and the judge of a run, each scored on the pairs that both answered, with both pictures."""

    person: str  # "person:NAME"
    run: str  # the folder of the person's answers
    answered: int  # pairs that the person answered
    of: int  # pairs of the judge's run
    scores: Score
    judge_scores: Score


def people_beside(path: Path, scoring_name: str) -> list[PersonBeside]:
    """Each person who answered questions of the run in `path`, beside its judge; empty if nobody did."""
    folders = templates_in(path, PEOPLE_FOLDER)
    judge_pairs = {pair.key.group: pair for pair in load_results(path, scoring_name).pairs} if folders else {}
    beside = []
    for folder in folders:
        run = load_results(folder, scoring_name)
        answered = [pair for pair in run.pairs if pair.both is not None]
        both = [
            (pair, other)
            for pair in answered
            if (other := judge_pairs.get(pair.key.group)) is not None and other.both and same_keys(pair, other)
        ]
        scores, judge_scores = (score(pair[i] for pair in both) for i in range(2))
        beside.append(PersonBeside(run.info.judge, str(folder), len(answered), len(judge_pairs), scores, judge_scores))
    return beside
