"""The comparisons of a run by the protocol `pairwise`, read from its replies: outcomes, and each model's rows."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from statistics import fmean

import msgspec

from counterbench.answers.choices import CHOICE, EQUAL
from counterbench.answers.outcomes import Answer, outcome_name
from counterbench.judges.scorers import numbers_in, with_numbers
from counterbench.pictures.judging.pairwise_questions import AHEAD, BACK, matches_of
from counterbench.pictures.judging.run import T2IRun
from counterbench.pictures.protocols.ground_truth import unanswered
from counterbench.pictures.protocols.replies import outcome_in, question_id
from counterbench.pictures.scores.ratings import Match, Points, Ratings, points, ratings
from counterbench.pictures.scores.results import CheckResult, JudgeOutcome, plain_words
from counterbench.prompts.claims import WHOLE
from counterbench.prompts.manifest import ImageRow
from counterbench.prompts.prompt_set import Check, PromptSet
from counterbench.results.results import Replies
from counterbench.runs.folder import Record

BETTER, ALIKE, WORSE = "better", "equal", "worse"
_OUTCOME = f"{CHOICE}:{BETTER}|{ALIKE}|{WORSE}"


class PictureComparisons(msgspec.Struct, frozen=True):
    """The comparisons of a run by `pairwise`: of two models' pictures of a prompt, each asked in both orders."""

    models: dict[str, str]  # the names of their folders, each with the name for people
    outcomes: dict[Match, Points]
    answers: list[tuple[str, str]]  # to those that were answered in both orders: in the match's order, and turned
    lost: dict[Match, JudgeOutcome]  # the other ones, with what came instead of an answer
    means: dict[str, float] = {}  # of a scorer's or rater's numbers, by model
    words: dict[str, str] = {}  # of each group's prompts, as `plain_words` gives them
    margin: float | None = None  # within which two numbers of a scorer are equal (see `Certificate.margin`)

    @property
    def ratings(self) -> Ratings:
        """The models' ratings; InputError if no comparison has an outcome."""
        by_folder = ratings(list(self.models), self.outcomes, self.answers, len(self.lost), self.words)
        titled = [
            msgspec.structs.replace(rated, model=self.models[rated.model], mean_number=self.means.get(rated.model))
            for rated in by_folder.models
        ]
        return msgspec.structs.replace(by_folder, models=titled, margin=self.margin)


def within(record: Record, margin: float | None) -> Record:
    """The record with the answer "equal" if its reply has two numbers that differ by no more than the margin."""
    if margin is None or (numbers := numbers_in(record.reply or "")) is None or abs(numbers[0] - numbers[1]) > margin:
        return record
    return msgspec.structs.replace(record, reply=with_numbers(*numbers, EQUAL))


def mean_numbers(records: Iterable[Record]) -> dict[str, float]:
    """The mean number of each model's pictures, from the replies of a scorer or rater; empty for other judges."""
    by_model: dict[str, dict[str, float]] = {}
    for record in records:
        sample, _, names = record.id.removesuffix(f"/{AHEAD}").rpartition("/")
        if (numbers := numbers_in(record.reply or "")) and record.id.endswith(f"/{AHEAD}"):
            for model, number in zip(names.split("~"), numbers, strict=True):
                by_model.setdefault(model, {})[sample] = number
    return {model: fmean(numbers.values()) for model, numbers in by_model.items()}


def read_comparisons(models: Sequence[T2IRun], replies: Replies) -> PictureComparisons:
    """The comparisons of a run. A model that refused, or drew nothing, is worse than one with a picture."""
    rows: Mapping[str, dict[str, ImageRow]] = {run.model.name: {row.id: row for row in run.samples} for run in models}
    prompts = models[0].prompts
    words = {prompt.group: plain_words(prompt.text) for prompt in prompts.prompts if len(prompts.levels) == 1}
    result = PictureComparisons({run.model.name: run.model.title for run in models}, {}, [], {}, words=words)
    for match in matches_of({name: list(samples.values()) for name, samples in rows.items()}, models[0].info.matches):
        has_picture = [rows[name][match.sample].status == "ok" for name in (match.first, match.second)]
        if not all(has_picture):
            if any(has_picture):
                result.outcomes[match] = Points(float(has_picture[0]), 0.0, float(has_picture[1]))
            continue
        answers: list[str] = []
        for role in (AHEAD, BACK):
            outcome = outcome_in(replies, question_id(match.id, role))
            if isinstance(outcome, Answer):
                answers.append(outcome.value)
            else:
                result.lost[match] = "unasked" if outcome is None else outcome_name(outcome)  # type: ignore[assignment]
        if len(answers) == 2 and (outcome_points := points(*answers)) is not None:
            result.outcomes[match] = outcome_points
            result.answers.append((answers[0], answers[1]))
    return result


def rows_of(comparisons: PictureComparisons, model: T2IRun) -> Iterator[CheckResult]:
    """The comparisons of one model's pictures as rows: the check is the other model, the credit its points."""
    rows = {row.id: row for row in model.samples}
    matches = [*comparisons.outcomes, *comparisons.lost]
    for match in sorted(match for match in matches if model.model.name in match[1:]):
        row, is_first = rows[match.sample], match.first == model.model.name
        check = _check_against(match.second if is_first else match.first, comparisons.models)
        result = unanswered(model.prompts.by_id[row.prompt_id], check, row.sample, row.status)
        if row.status == "ok" and match in comparisons.outcomes:
            credit = comparisons.outcomes[match].first if is_first else 1 - comparisons.outcomes[match].first
            answer = BETTER if credit > 0.5 else WORSE if credit < 0.5 else ALIKE
            result = msgspec.structs.replace(result, credit=credit, answer=answer, outcome="answer")
        elif match in comparisons.lost:
            result = msgspec.structs.replace(result, outcome=comparisons.lost[match])
        yield result


def asked_first(row: CheckResult, model: str) -> str:
    """The id of the question, about a row's comparison, in which `model`'s picture is the first one."""
    match = Match(row.sample_id, *sorted((model, row.check)))
    return f"{match.id}/{AHEAD if match.first == model else BACK}"


def prompts_of_comparisons(model: T2IRun) -> PromptSet:
    """A model's prompts, with its comparisons with each other model in place of their checks."""
    titles = {info.name: info.title for info in model.info.models}
    checks = tuple(_check_against(name, titles) for name in titles if name != model.model.name)
    return model.prompts.holding([msgspec.structs.replace(prompt, checks=checks) for prompt in model.prompts.prompts])


def _check_against(other: str, titles: Mapping[str, str]) -> Check:
    """The check that stands for the comparison of a picture with that of another model; `titles`: models' by name."""
    text = f"Does it show the prompt better than the picture of {titles[other]} does?"
    return Check(id=other, text=text, dimension=titles[other], skill=WHOLE, expected=BETTER, answer_type=_OUTCOME)
