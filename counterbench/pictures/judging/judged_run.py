"""A run about generated pictures, read once: every check of every sample, as the judge answered it.

A sample is one picture that a model drew of a prompt; a check is one question about it, and `CheckResult` is a check's
row: the answer and its credit (0 … 1). `load_models` reads a run's folder (keys, journal, and files of `judging.run`)
and gives a `JudgedRun` for each model. Scores, labels and comparisons of models are all computed from these; none of
them reads a journal itself. "Negated" checks are asked a second time in a frame that denies them.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial, wraps
from pathlib import Path
from typing import TypeVar

import msgspec

from counterbench.answers.outcomes import Failed, Outcome, outcome_name
from counterbench.answers.soft import SoftAnswer
from counterbench.errors import InputError
from counterbench.judges.specs import gives_numbers
from counterbench.pictures.importing.pictures import IMPORTED, NO_PICTURE
from counterbench.pictures.judging.comparisons import (
    PictureComparisons,
    asked_first,
    mean_numbers,
    prompts_of_comparisons,
    read_comparisons,
    rows_of,
    within,
)
from counterbench.pictures.judging.negation import BothForms, BothWays, asked_both_ways, both_ways
from counterbench.pictures.judging.picture_queries import asked_id, asked_sample_ids
from counterbench.pictures.judging.run import T2IRun, read_t2i_run
from counterbench.pictures.protocols.asks import CONTEXT, CheckReply, answer_to
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.ground_truth import answered, unanswered
from counterbench.pictures.protocols.replies import outcome_in, question_id, reply_to, waves
from counterbench.pictures.scores.document import NotShared
from counterbench.pictures.scores.results import CheckResult, JudgeOutcome, PictureScore, PictureStatus, group_results
from counterbench.pictures.scores.rules import DEFAULT, Scoring
from counterbench.prompts.prompt_set import Prompt, PromptSet
from counterbench.results.results import Replies
from counterbench.results.rules import number_chances, soft_answers
from counterbench.runs.folder import KEYS_FILE, RunInfo, read_keys, read_run_info, records_of, refuse_shard
from counterbench.runs.usage import UsageCounter

T = TypeVar("T")


class JudgedRun(msgspec.Struct, frozen=True, dict=True):
    """A run about one model's pictures, or the part about this model, with the rows of all its checks.

    Checks of missing pictures have a row, too.
    """

    kept: T2IRun  # the run's files
    info: RunInfo
    prompts: PromptSet
    protocol: Protocol
    rows: tuple[CheckResult, ...]  # one for each check of each sample
    both_forms: tuple[BothForms, ...]  # the answers to checks that were also asked negated
    models: tuple[str, ...]  # the ids under which replies came
    replied_at: str  # the time of the last reply; empty before the first
    comparisons: PictureComparisons | None = None  # of all the run's models, by the protocol pairwise
    sampled_prompts: frozenset[str] = frozenset()  # the prompts of which the model has a sample
    not_shared: NotShared | None = None  # the prompts that not all models loaded with it have; None if all have all
    # The contradictions between checks and their negations, over all models of its run; None if none was asked negated.
    asked_negated: BothWays | None = None
    # The skills that people's labels of all these models show the judge to see, and those that they show it not to.
    seen_skills: frozenset[str] = frozenset()
    unseen_skills: frozenset[str] = frozenset()

    @property
    def asked_as(self) -> dict[str, str]:
        """The settings, by name, that two runs must share: then they differ in their models alone."""
        info, t2i = self.info, self.kept.info
        return {
            "prompts": t2i.prompts + (f" ({t2i.prompts_digest[:8]})" if self.prompts.variant_of else ""),
            "levels": ", ".join(self.prompts.levels),
            "protocol": f"{t2i.protocol} (version {t2i.protocol_version})",
            "judge": info.judge,
            "template": f"{info.template} ({info.template_digest[:8]})",
            "repeats": str(info.repeats),
            "the prompt": "shown" if t2i.prompt_shown else "not shown",
        }

    def may_count(self, prompt: str) -> bool:
        """True if numbers may be about the prompt with this id: all models have it, or they share no prompt."""
        return self.not_shared is None or not self.not_shared.shared or prompt not in self.not_shared.lacking

    @cached_property
    def asked_rows(self) -> list[CheckResult]:
        """The rows of samples that were asked about; other samples with the same picture file share their replies."""
        asked_ids = asked_sample_ids(self.kept.samples, self.kept.prompts)
        return [row for row in self.rows if asked_ids[row.sample_id] == row.sample_id]

    def pictures(self, scoring: Scoring | None = None) -> Iterator[tuple[PictureScore, float | None]]:
        """Every picture with its number by the protocol (None without one); `scoring`: by default the default one."""
        used = scoring or self.protocol.scorings[DEFAULT]
        for group in group_results(self.rows, self.prompts.levels):
            for picture in group.every_picture:
                yield picture, next(iter(self.protocol.of_picture(picture, used).values()), None)

    @property
    def numbers(self) -> dict[str, float]:
        """The number of each picture that has one, by the id of its sample."""
        return {picture.id: number for picture, number in self.pictures() if number is not None}

    def question_ids(self) -> Callable[[CheckResult], str]:
        """A function that gives the id of the question that a row's answer is from.

        Of the two orders of a comparison it is the one in which the row's own model is first.
        """
        if self.comparisons is not None:
            return lambda row: asked_first(row, self.kept.model.name)
        asked_ids, prefix = asked_sample_ids(self.kept.samples, self.kept.prompts), self.kept.prefix
        return lambda row: question_id(asked_id(prefix, asked_ids[row.sample_id]), row.question or row.check)


def cached_on_run(compute: Callable[[JudgedRun], T]) -> Callable[[JudgedRun], T]:
    """Decorate a function of a run: it is computed at the first call for a run, and its result is kept with the run."""

    @wraps(compute)
    def cached(run: JudgedRun) -> T:
        """The kept result for this run, computed if there is none yet."""
        results = vars(run)
        if compute.__name__ not in results:
            results[compute.__name__] = compute(run)
        result: T = results[compute.__name__]
        return result

    return cached


def load_judged(path: Path) -> JudgedRun:
    """The run about one model in `path`; InputError if it is about several, is no such run, or is damaged."""
    runs = load_models(path)
    if len(runs) > 1:
        names = ", ".join(run.kept.model.title for run in runs)
        raise InputError(f"{path}: is about {len(runs)} models ({names}); give a list, for a result for each of them")
    return runs[0]


def load_models(path: Path) -> list[JudgedRun]:
    """The run in `path`, model by model (see `on_same_prompts`); InputError if it is no such run, or is damaged."""
    of_models = read_t2i_run(path)
    info = read_run_info(path)
    refuse_shard(path, info)
    observer = UsageCounter()
    replies = Replies(read_keys(path), "default", info.repeats, str(path))
    if len(replies) * info.repeats < info.queries:
        raise InputError(
            f"{path / KEYS_FILE}: lines are missing, it has {len(replies)} of {info.queries // info.repeats}; put back "
            "what was there, or judge into another --out"
        )
    certificate = of_models[0].certificate
    margin = None if certificate is None or certificate.judge != info.judge else certificate.margin
    for record in observer.watch(records_of(path, info)):
        replies.add(within(record, margin))
    chances: dict[str, SoftAnswer | float] = {}
    if observer.probabilities or info.repeats > 1:
        yes_no = {key.id for key in read_keys(path) if key.answer_type == "yes-no"}
        chances |= {id: soft for id, (_, soft) in soft_answers(records_of(path, info), yes_no, info.repeats).items()}
        expected_numbers = {
            question_id(asked_id(kept.prefix, row.id), check.id): check.expected
            for kept in of_models
            for row in kept.samples
            for check in kept.prompts.by_id[row.prompt_id].checks
            if check.answer_type == "integer"
        }
        chances |= number_chances(records_of(path, info), expected_numbers, info.repeats) if expected_numbers else {}
    usage = observer.observations(path)
    runs = []
    comparisons = read_comparisons(of_models, replies) if of_models[0].protocol.compares else None
    if comparisons is not None:
        means = mean_numbers(records_of(path, info)) if gives_numbers(info.judge) else {}
        comparisons = msgspec.structs.replace(comparisons, means=means, margin=margin)
    for kept in of_models:
        prompts = kept.prompts if comparisons is None else prompts_of_comparisons(kept)
        ids = asked_sample_ids(kept.samples, kept.prompts)
        rows: list[CheckResult] = [] if comparisons is None else list(rows_of(comparisons, kept))
        forms: list[BothForms] = []
        sampled_prompts = set[str]()
        for row in kept.samples if comparisons is None else ():
            # A user's file that is gone or broken says nothing of its model; a generator's refusal does.
            is_lost = row.status in ("missing", "unreadable") and kept.model.generator.startswith(IMPORTED)
            if row.message != NO_PICTURE and not is_lost:
                sampled_prompts.add(row.prompt_id)
            prompt, sample = kept.prompts.by_id[row.prompt_id], asked_id(kept.prefix, ids[row.id])
            outcome_of, chances_of = _about(sample, partial(outcome_in, replies)), _about(sample, chances.get)
            rows += results_of(kept.protocol, prompt, row.sample, row.status, outcome_of, chances_of)
            if kept.info.negated:
                forms += asked_both_ways(prompt, asked_id(kept.prefix, row.id), row.id, partial(reply_to, replies))
        of_model = (kept, info, prompts, kept.protocol, tuple(rows), tuple(forms), tuple(usage.models), usage.last)
        runs.append(JudgedRun(*of_model, comparisons, frozenset(sampled_prompts)))
    if of_models[0].info.negated:
        asked_negated = both_ways(of_models[0].prompts, (forms for run in runs for forms in run.both_forms))
        runs = [msgspec.structs.replace(run, asked_negated=asked_negated) for run in runs]
    return on_same_prompts(runs)


def _about(sample: str, get: Callable[[str], T]) -> Callable[[str], T]:
    """A function that gives of a question about a sample, by the end of its id, what `get` gives for its whole id."""
    return lambda ask: get(question_id(sample, ask))


def on_same_prompts(runs: Sequence[JudgedRun]) -> list[JudgedRun]:
    """The runs, each with its field `not_shared` set: the prompts that some of the runs with the same settings lack.

    Runs of pairwise comparisons get none: a model that lacks some prompts is rated by the others.
    """
    by_settings, marked = defaultdict[tuple[str, ...], list[JudgedRun]](list), list[JudgedRun]()
    for run in runs:
        by_settings[tuple(run.asked_as.values())].append(run)
    not_shared = {key: _not_shared(group) for key, group in by_settings.items() if group[0].comparisons is None}
    for run in runs:
        unshared = not_shared.get(tuple(run.asked_as.values()))
        marked.append(run if unshared == run.not_shared else msgspec.structs.replace(run, not_shared=unshared))
    return marked


def _not_shared(runs: Sequence[JudgedRun]) -> NotShared | None:
    """The prompts that some of these runs lack, with the models that lack each; None if all have the same."""
    ids = dict.fromkeys(prompt.id for run in runs for prompt in run.prompts.prompts if prompt.id in run.sampled_prompts)
    lacking = {id: [run.kept.model.title for run in runs if id not in run.sampled_prompts] for id in ids}
    lacking = {id: list(dict.fromkeys(models)) for id, models in lacking.items() if models}
    return NotShared(shared=len(ids) - len(lacking), lacking=lacking) if lacking else None


def results_of(
    protocol: Protocol,
    prompt: Prompt,
    sample: int,
    status: PictureStatus,
    outcome_of: Callable[[str], Outcome | None],
    chances_of: Callable[[str], SoftAnswer | float | None] = lambda ask: None,
) -> Iterator[CheckResult]:
    """The row of every check of one sample, from the judge's replies about it.

    `sample`: its number. `status`: the state of its picture; unless that is "ok", no check has an answer.
    `outcome_of` gives the outcome of a question by its id, None if it was not asked. `chances_of` gives the judge's
    probabilities for a yes/no question, or that of the expected whole number; None if its reply does not tell them.
    """
    checks = [check for check in prompt.checks if check.answer_type != CONTEXT]
    unasked = {check.id: unanswered(prompt, check, sample, status) for check in checks}
    rows = dict(unasked)
    if status != "ok":
        yield from rows.values()
        return

    def replied(ask: str) -> CheckReply | None:
        """The reply to a question by its id; None if it was not asked, or failed."""
        outcome = outcome_of(ask)
        return None if outcome is None or isinstance(outcome, Failed) else CheckReply(outcome)

    dialogue = waves(partial(protocol.ask, prompt), replied)
    for ask in dialogue.asks.values():
        reply = dialogue.replies.get(ask.id)
        credits = protocol.credits(ask, reply) if reply is not None else {}
        for check in (check for check in ask.checks if check.id in rows):
            result = unasked[check.id]
            if ask.id != check.id:
                rows[check.id] = result = msgspec.structs.replace(result, question=ask.id)
            if reply is not None and reply.answer is not None:
                answer = answer_to(ask, check, reply) or ""
                rows[check.id] = answered(result, answer, credits.get(check.id), chances_of(ask.id))
            elif (outcome := outcome_of(ask.id)) is not None:
                name: JudgeOutcome = outcome_name(outcome)  # type: ignore[assignment]
                rows[check.id] = msgspec.structs.replace(result, outcome=name)
    for id, credit in protocol.follows(prompt, dialogue.replies).items():
        rows[id] = msgspec.structs.replace(rows[id], credit=credit, outcome="answer", follows=True)
    yield from rows.values()
