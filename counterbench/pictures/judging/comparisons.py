"""The comparisons of a run by the protocol `pairwise`, read from its replies: outcomes, and each model's rows."""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from counterbench.answers.choices import CHOICE
from counterbench.answers.outcomes import Answer, outcome_name
from counterbench.pictures.judging.pairwise import AHEAD, BACK, matches_of
from counterbench.pictures.judging.run import T2IRun
from counterbench.pictures.protocols.ground_truth import unanswered
from counterbench.pictures.scores.ratings import Match, Points, Ratings, points, ratings
from counterbench.pictures.scores.results import CheckResult, JudgeOutcome
from counterbench.prompts.manifest import ImageRow
from counterbench.prompts.prompt_set import Check, PromptSet
from counterbench.prompts.skills import WHOLE
from counterbench.results.results import Replies
from counterbench.results.rules import Judged

BETTER, ALIKE, WORSE = "better", "equal", "worse"
_OUTCOME = f"{CHOICE}:{BETTER}|{ALIKE}|{WORSE}"


class PictureComparisons(msgspec.Struct, frozen=True):
    """The comparisons of a run."""

    models: dict[str, str]  # the names of their folders, each with the name for people
    outcomes: dict[Match, Points]
    answers: list[tuple[str, str]]  # of those that were answered in both orders
    lost: dict[Match, JudgeOutcome]  # the other ones, with what came instead of an answer

    @property
    def ratings(self) -> Ratings:
        """The models' ratings; InputError if no comparison has an outcome."""
        found = ratings(list(self.models), self.outcomes, self.answers, len(self.lost))
        named = [msgspec.structs.replace(rated, model=self.models[rated.model]) for rated in found.models]
        return msgspec.structs.replace(found, models=named)


def read_comparisons(models: Sequence[T2IRun], replies: Replies) -> PictureComparisons:
    """The comparisons of a run. A model that refused, or drew nothing, is worse than one with a picture."""
    rows: Mapping[str, dict[str, ImageRow]] = {run.model.name: {row.id: row for row in run.samples} for run in models}
    found = PictureComparisons({run.model.name: run.model.title for run in models}, {}, [], {})
    for match in matches_of({name: list(samples.values()) for name, samples in rows.items()}, models[0].info.matches):
        shown = [rows[name][match.sample].status == "ok" for name in (match.first, match.second)]
        if not all(shown):
            if any(shown):
                found.outcomes[match] = Points(float(shown[0]), 0.0, float(shown[1]))
            continue
        answers: list[str] = []
        for role in (AHEAD, BACK):
            reply = replies.get(f"{match.id}/{role}")
            outcome = reply.outcome if isinstance(reply, Judged) else reply
            if isinstance(outcome, Answer):
                answers.append(outcome.value)
            else:
                found.lost[match] = "unasked" if outcome is None else outcome_name(outcome)  # type: ignore[assignment]
        if len(answers) == 2 and (outcome_points := points(*answers)) is not None:
            found.outcomes[match] = outcome_points
            found.answers.append((answers[0], answers[1]))
    return found


def rows_of(found: PictureComparisons, model: T2IRun) -> Iterator[CheckResult]:
    """The comparisons of one model's pictures as rows: the check is the other model, the credit its points."""
    rows = {row.id: row for row in model.samples}
    every = [*found.outcomes, *found.lost]
    for match in sorted(match for match in every if model.model.name in match[1:]):
        row, ahead = rows[match.sample], match.first == model.model.name
        check = _against(match.second if ahead else match.first, found.models)
        result = unanswered(model.prompts.by_id[row.prompt_id], check, row.sample, row.status)
        if row.status == "ok" and match in found.outcomes:
            credit = found.outcomes[match].first if ahead else 1 - found.outcomes[match].first
            answer = BETTER if credit > 0.5 else WORSE if credit < 0.5 else ALIKE
            result = msgspec.structs.replace(result, credit=credit, answer=answer, outcome="answer")
        elif match in found.lost:
            result = msgspec.structs.replace(result, outcome=found.lost[match])
        yield result


def asked_first(row: CheckResult, model: str) -> str:
    """The id of the question of a model's row in which its own picture is the first one."""
    match = Match(row.sample_id, *sorted((model, row.check)))
    return f"{match.id}/{AHEAD if match.first == model else BACK}"


def as_checks(model: T2IRun) -> PromptSet:
    """The prompts of a model, whose checks are its comparisons with the other models."""
    titles = {info.name: info.title for info in model.info.models}
    checks = tuple(_against(name, titles) for name in titles if name != model.model.name)
    return model.prompts.holding([msgspec.structs.replace(prompt, checks=checks) for prompt in model.prompts.prompts])


def _against(other: str, titles: Mapping[str, str]) -> Check:
    text = f"Does it show the prompt better than the picture of {titles[other]} does?"
    return Check(id=other, text=text, dimension=titles[other], skill=WHOLE, expected=BETTER, answer_type=_OUTCOME)
