"""One judge under several templates: the share of questions whose answer changes with the template.

A template is the words around each question. An answer that changes with it is a flip.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

import msgspec

from counterbench.answers import meant
from counterbench.answers.outcomes import Answer
from counterbench.errors import InputError
from counterbench.results.results import RunReplies, read_replies
from counterbench.results.rules import Judged
from counterbench.results.scores import Share, score, share
from counterbench.runs.folder import templates_in
from counterbench.stats.intervals import wilson

# The replies of one run with the hash of the question as the judge got it, by the question's id.
_HashedReplies = dict[str, tuple[Judged, int]]


class Flips(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The answers of one judge compared over all its templates.

    Intervals are Wilson's for the number of pairs, not of questions: the two questions of a pair may flip together.
    """

    templates: dict[str, Share]  # the judge's CCS on all questions, by template
    rate: Share  # questions whose answers are not all the same, of those with a reply under all templates
    unanswered: int  # of these, questions with an answer under some templates and none under others
    left_out: int  # questions without a reply under some template
    alike: int  # questions that have the same words under all templates; no share counts them

    @property
    def notes(self) -> list[str]:
        """Notes on questions that the shares do not show."""
        notes = (
            (self.unanswered, f"of these, {self.unanswered} got an answer under one template and none under another"),
            (self.alike, f"not counted: {self.alike:,} questions with the same words under all templates"),
            (self.left_out, f"left out: {self.left_out:,} questions without a reply under every template"),
        )
        return [note for count, note in notes if count]


def flips_of(path: Path, scoring_name: str) -> Flips | None:
    """The flips of the run in `path` over the further templates in its folder; None if there are none."""
    others = templates_in(path)
    return flips([read_replies(folder, scoring_name) for folder in (path, *others)]) if others else None


def flips(runs: Iterable[RunReplies]) -> Flips:
    """The flips between one judge's runs, joined by question; InputError if two runs are under the same template."""
    templates: dict[str, Share] = {}
    by_template: dict[str, _HashedReplies] = {}
    truths: dict[str, tuple[str, str, str]] = {}  # a question's pair, expected answer and answer type, by its id
    for run in runs:
        name = run.info.template
        if name in templates:
            raise InputError(f"{run.path}: a second run under the template {name!r}; move it elsewhere")
        pairs, replies = list(run.pairs), by_template.setdefault(name, {})
        templates[name] = score(pairs).ccs
        for key, reply in (question for pair in pairs for question in pair.questions):
            first = truths.setdefault(key.id, (key.group, key.expected, key.answer_type))
            if reply is not None and first == (key.group, key.expected, key.answer_type):
                replies[key.id] = reply, run.replies.question_hash(key.id)
    by_question = {id: [replies[id] for replies in by_template.values() if id in replies] for id in truths}
    replied = [id for id, answers in by_question.items() if len(answers) == len(by_template)]
    compared = [id for id in replied if len({words for _, words in by_question[id]}) > 1]
    outcomes = {id: [reply.outcome for reply, _ in by_question[id]] for id in compared}
    changed = [id for id, answers in outcomes.items() if len({meant(outcome) for outcome in answers}) > 1]
    return Flips(
        templates=templates,
        rate=_share(changed, compared, truths),
        unanswered=sum(len({isinstance(outcome, Answer) for outcome in outcomes[id]}) > 1 for id in changed),
        left_out=len(truths) - len(replied),
        alike=len(replied) - len(compared),
    )


def _share(changed: list[str], compared: list[str], truths: Mapping[str, tuple[str, str, str]]) -> Share:
    """The share of changed questions among those compared, with Wilson's interval for the number of their pairs.

    The number of changed pairs is estimated by the share of questions; it is rounded down for the lower end of the
    interval, and up for the upper one.
    """
    hits, n, pairs = len(changed), len(compared), len({truths[id][0] for id in compared})
    low, high = wilson(hits * pairs // n, pairs) if n else None, wilson(-(-hits * pairs // n), pairs) if n else None
    return share(0, 0) if low is None or high is None else Share(hits / n, low[0], high[1], hits, n)
