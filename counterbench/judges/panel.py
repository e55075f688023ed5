"""Panel: finished runs of several judges on the same questions as one judge, whose answers are joined, at no call.

A *member* is one of the runs. By `majority` the panel gives the answer of more than half of all members, by `all` the
one that all give; of a yes/no question `all` is "yes" only if all say yes, and "no" as soon as one says no
(T2I-CoReBench, section C.3 and Table 8). Ratings and grades are joined as any other answer, by equal values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import reduce
from itertools import pairwise
from operator import and_
from pathlib import Path
from typing import Literal, cast, get_args

import msgspec

from counterbench.answers import kind_of, read_reply
from counterbench.answers.outcomes import Answer, Failed, Outcome, Refused
from counterbench.answers.parsing import DECLINED
from counterbench.errors import InputError, unknown
from counterbench.files.addresses import fetched, shown
from counterbench.judges.base import JudgeWithoutPictures, Reply
from counterbench.judges.replay import NOT_RECORDED, RecordedReplies
from counterbench.judges.specs import read_options, split_spec
from counterbench.runs.folder import MAX_CHARACTERS, PERSON, RunInfo, about_pictures, refuse_repeats, refuse_shard
from counterbench.runs.queries import Query
from counterbench.runs.usage import short_names
from counterbench.text import quoted

PANEL = "panel:"
NOTHING_NEW = "a panel joins replies that are there and cannot be asked anything new: name the runs of its members"
How = Literal["majority", "all"]
_YES_NO = ("yes-no", "verdict", "finding")  # answer types with a yes and a no
_MAX_VALUE = 40  # characters of a member's answer in the panel's reply


class PanelOptions(msgspec.Struct, frozen=True):
    """The options after a panel's name. `how`: the rule by which answers are joined."""

    how: str = "majority"


def joined_answer(values: Sequence[str | None], answer_type: str, how: How) -> str | None:
    """The answer of a panel whose members gave `values`; None if the rule `how` gives none.

    A member without a readable answer (None) counts as one that gave another answer than all others.
    """
    if how == "all" and "no" in values and kind_of(answer_type) in _YES_NO:
        return "no"
    counts = Counter(value for value in values if value is not None).most_common(1)
    needed = len(values) if how == "all" else len(values) // 2 + 1
    return counts[0][0] if counts and counts[0][1] >= needed else None


class PanelJudge(JudgeWithoutPictures):
    """A judge whose reply joins the last replies of several runs to the same query (by id, words, pixels, template).

    Its name has the members' judges and the rule, not the folders: its run on drawn pairs and its run on pictures are
    of one judge. `members` has the digest of each member's journal by its path, for the panel's `run.json`. Where a
    member's question failed, or was not asked, the panel's has failed. InputError for fewer than two runs, a shard, and
    runs of other questions, templates or repeats than each other.
    """

    def __init__(self, paths: Sequence[Path], how: How = "majority") -> None:
        """Read the members' runs; see the class for the errors."""
        if len(paths) < 2:
            raise InputError(f"{PANEL}{','.join(map(str, paths))}: a panel has two or more runs: {PANEL}RUN,RUN")
        refuse_repeats(paths)
        about_pictures(paths)
        self._members, self._how = [RecordedReplies(path) for path in paths], how
        for member in self._members:
            refuse_shard(member.path, member.info)
            if member.info.judge.startswith(PERSON):
                raise InputError(f"{member.path}: people's answers are no member of a panel; score them by themselves")
        for first, second in pairwise(self._members):
            _refuse_unlike(first, second.info, str(second.path))
        infos = sorted((member.info for member in self._members), key=lambda info: info.judge)
        self.name = f"{PANEL}{how}({', '.join(info.judge for info in infos)})"
        self.short_name = f"{how} of {', '.join(short_names(infos))}"
        if len(self.short_name) > MAX_CHARACTERS:
            self.short_name = f"{how} of {len(infos)} judges"
        self.replies_from = min(filter(None, (member.first for member in self._members)), default="")
        self.members = {shown(member.path.as_posix()): member.digest for member in self._members}

    @classmethod
    def of_spec(cls, rest: str) -> PanelJudge:
        """The panel that `RUN,RUN[?how=all]` names; `rest`: a judge's name without "panel:"."""
        names, options = split_spec(rest)
        how = read_options(PanelOptions, options, PANEL + names).how
        if how not in get_args(How):
            raise unknown("how", how, get_args(How), PANEL + names)
        return cls([fetched(name.strip()) for name in names.split(",")], cast(How, how))

    def refuse_otherwise(self, info: RunInfo) -> None:
        """InputError if a run is not asked as the members' were: of another suite, template or number of repeats."""
        _refuse_unlike(self._members[0], info, "this call")

    def refuse_further(self, name: str, adaptive: object) -> None:
        """InputError if further questions of `adaptive` follow from replies: members were not asked the same ones.

        Pairs that are chosen cell by cell may follow: the panel is asked those that all members were asked.
        """
        if getattr(adaptive, "min_remaining", 0) and not getattr(adaptive, "by_cells", False):
            raise InputError(
                f"panel: in {name!r} questions follow from the replies to others, and its members were asked different "
                "ones: no panel can join them; score the members' own runs"
            )

    def first_pairs(self) -> Counter[str]:
        """By cell, the number of its first pairs that all members were asked."""
        return reduce(and_, (member.first_pairs() for member in self._members))

    @property
    def rest(self) -> str:
        """The command that asks more pairs of the member that was asked fewest, in words."""
        return asks_the_rest(min(self._members, key=lambda member: member.first_pairs().total()))

    def reply(self, query: Query) -> Reply:
        """The joined reply; a failure if any member's is one."""
        replies = [member.reply(query, query.repeat) for member in self._members]
        for member, reply in zip(self._members, replies, strict=True):
            if (failure := reply.failure) is not None:
                if failure.kind == NOT_RECORDED:
                    failure = Failed("not-asked", asks_the_rest(member))
                return Reply(failure=Failed(failure.kind, f"of {member.path}: {failure.message}"))
        outcomes = [_outcome(query, reply) for reply in replies]
        values = [outcome.value if isinstance(outcome, Answer) else None for outcome in outcomes]
        answer = joined_answer(values, query.answer_type, self._how)
        text = _no_answer(values, self._how) if answer is None else query.phrased(answer)
        declines = ["declines" if isinstance(outcome, Refused) else None for outcome in outcomes]
        finish = DECLINED if answer is None and joined_answer(declines, query.answer_type, self._how) else ""
        models = [reply.model or member.model for member, reply in zip(self._members, replies, strict=True)]
        model = "+".join(model or "?" for model in models) if any(models) else ""
        return Reply(text=text, finish=finish, model=model, cost=0.0)


def panel_of(judge: object) -> PanelJudge | None:
    """The panel that a judge, or its name, is; None if it is none."""
    if isinstance(judge, str) and judge.startswith(PANEL):
        return PanelJudge.of_spec(judge.removeprefix(PANEL))
    return judge if isinstance(judge, PanelJudge) else None


def asks_the_rest(member: RecordedReplies) -> str:
    """The command that asks what a member was not asked, in words."""
    info, path = member.info, quoted(member.path)
    if about_pictures([member.path]):
        return f"the command that began {path} asks the rest"
    probe = f"counterbench probe {quoted(info.suite)} --judge {quoted(info.judge)} --template {quoted(info.template)}"
    if not info.by_cells:
        return f"{probe} --out {path} asks the rest"
    return (
        f"{path} stopped when its judge was decided; to join more pairs, ask every member the same ones, such as by "
        f"{probe} --out NEW, and name these runs: panel:NEW,…"
    )


def _refuse_unlike(member: RecordedReplies, other: RunInfo, where: str) -> None:
    """InputError if a member's run has other questions than another run, which is `where` in words."""
    for field in ("suite_digest", "template_digest", "repeats"):
        if (mine := getattr(member.info, field)) != (its := getattr(other, field)):
            name = field.removesuffix("_digest")
            values = [mine, its] if name == field else [getattr(info, name) for info in (member.info, other)]
            alike = (
                " (of the same name, with other content: name the same --limit, --seed, …)"
                if values[0] == values[1]
                else ""
            )
            raise InputError(
                f"panel: {name} {values[0]!r} in {member.path} and {values[1]!r} in {where}{alike}: a panel joins runs "
                "of the same questions, asked in the same way"
            )


def _outcome(query: Query, reply: Reply) -> Outcome:
    """The outcome of a member's reply."""
    return read_reply(
        reply.text or "", query.answer_type, reply.finish, labels=query.labels, answer_line=query.answer_line
    )


def _no_answer(values: Sequence[str | None], how: How) -> str:
    """The reply of a panel without an answer: what its members said, as reasoning, in which no answer is read."""
    texts = ["no answer" if value is None else value[:_MAX_VALUE] for value in values]
    said_by_all = ", ".join(texts).translate(str.maketrans("<>[]|\n", "()()/ "))
    return f"<think>the panel has no answer by {how}; its members: {said_by_all}</think>"
