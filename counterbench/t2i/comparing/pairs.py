"""Every two runs that asked the same, paired group by group."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations

import msgspec

from counterbench.errors import InputError
from counterbench.t2i.judging.results import JudgedRun
from counterbench.t2i.prompts.prompt_set import Prompt
from counterbench.t2i.protocols.numbers import Countable, Paired, paired
from counterbench.t2i.run_scores import scored_part, scoring_of


def paired_runs(
    runs: Sequence[JudgedRun], names: Sequence[str], scoring_name: str, threshold: float | None
) -> tuple[dict[tuple[int, int], Paired], dict[tuple[int, int], str]]:
    """Every two runs by one protocol that asked the same checks of the same groups and levels, of laws both see.

    The first result holds them by their places among `runs`; the second the reasons why other two are not compared: ""
    if they asked nothing alike. `names`: of the runs.
    """
    parts = [scored_part(run) for run in runs]
    counted_as = cache(
        lambda place: Countable(
            runs[place].protocol, parts[place].rows, scoring_of(runs[place], scoring_name, threshold), names[place]
        )
    )
    couples, not_compared = {}, {}
    for a, b in combinations(range(len(runs)), 2):
        if runs[a].protocol is not runs[b].protocol or not _asked_alike(runs[a], runs[b]):
            not_compared[a, b] = ""
            continue
        if not (alike := _asked_alike(parts[a], parts[b])):
            of = f"{names[a]} and {names[b]}"
            not_compared[a, b] = f"{of} are not compared: their judges are admitted to no law in common"
            continue
        try:
            each = paired(
                counted_as(a),
                counted_as(b),
                names=(names[a], names[b]),
                levels=runs[a].prompts.levels,
                among=alike,
            )
        except InputError as error:
            not_compared[a, b] = str(error)
        else:
            groups = {prompt.group for part in (parts[a], parts[b]) for prompt in part.prompts.prompts if prompt.checks}
            others = len(groups - {id.rpartition("/")[0] for id in alike})
            couples[a, b] = msgspec.structs.replace(each, left_out=each.left_out + others)
    return couples, not_compared


def _asked_alike(first: JudgedRun, second: JudgedRun) -> set[str]:
    """The prompts about which two runs asked the same questions: the same prompts, or other words at the same place."""
    others = second.prompts.by_id
    return {
        prompt.id
        for prompt in first.prompts.prompts
        if prompt.checks and prompt.id in others and _questions(prompt) == _questions(others[prompt.id])
    }


def _questions(prompt: Prompt) -> list[tuple[object, ...]]:
    """The questions about a prompt's pictures, and their weights."""
    return [
        (c.id, c.text, c.answer_type, c.expected, c.weight, c.criteria, c.call, c.after, c.dimension)
        for c in prompt.checks
    ]
