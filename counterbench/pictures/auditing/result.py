"""The result of an audit: which answers contradict one another, how many are wrong at least, and what that revokes.

An audit asks further questions about some answered ones (see `relations`), so that wrong answers contradict each other.
`audit_result` takes these groups (`AuditGroup`: an audited question with its picture and further questions) and the
replies, and gives an `AuditResult`, which is kept as `audit.json`. Where a policy allows fewer wrong answers, the
judge's admission (its leave to score pictures) is revoked, for a skill or in all. `kept_audit` reads a kept result.

The least number of wrong answers in a group is the number that must be changed until all of them can be right.
"""

import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

import msgspec

from counterbench.files import formats
from counterbench.pictures.auditing.bound import share_low
from counterbench.pictures.auditing.drawn import RelationTrial
from counterbench.pictures.auditing.edits import EDITS
from counterbench.pictures.auditing.groups import AuditGroup
from counterbench.pictures.auditing.relations import ASKED, RELATIONS, UNCHANGED, Extra, YesOrNo, most_answers
from counterbench.pictures.auditing.repair import broken, least_wrong
from counterbench.pictures.judging.negation import EVERYTHING
from counterbench.pictures.protocols.replies import Replied
from counterbench.pictures.scores.document import Audited, Denials, WrongAtLeast
from counterbench.pictures.scores.results import by_key
from counterbench.runs.folder import IDENTIFYING, JOURNAL_FILE, read_run_info
from counterbench.stats.intervals import Estimate
from counterbench.text import listed

AUDIT_FOLDER, AUDIT_FILE = "audit", "audit.json"
MIN_GROUPS = 60  # the smallest number of groups with which the admission to a skill can be revoked
_ALPHA = 0.05  # lower bounds hold with 95 % confidence


class RelationFinding(msgspec.Struct, frozen=True, kw_only=True):
    """The finding of one relation, a kind of further questions."""

    asked: int  # the number of its questions that have an answer
    broken: int  # the number of groups in which its answers cannot all be right
    counts: bool  # true if its answers are counted, since this judge passed its trial on drawn pictures
    drawn: RelationTrial  # that trial


class Noise(msgspec.Struct, frozen=True, kw_only=True):
    """The questions that were asked again after one change, of picture or words, that leaves the right answer."""

    asked: int  # their number
    changed: int  # the number with another answer than before


class SkillFinding(msgspec.Struct, frozen=True, kw_only=True):
    """The finding about the questions that need one skill; the bounds of all skills hold together with 95 %."""

    groups: int
    wrong_at_least: WrongAtLeast


class AnswerInWords(msgspec.Struct, frozen=True, kw_only=True):
    """An answer that stands in a contradiction."""

    question: str
    edit: str  # of the picture; empty for the picture as it is
    reply: YesOrNo

    @property
    def about(self) -> str:
        """The picture that was asked about, in words; empty for the picture as it is."""
        words = EDITS[self.edit].words
        return f" ({words})" if words else ""


class Contradiction(msgspec.Struct, frozen=True, kw_only=True):
    """Answers of a group that cannot all be right."""

    picture: str  # its id in the run
    model: str
    prompt: str
    skill: str
    relations: list[str]
    wrong: int  # answers that are wrong at least
    partner: str  # the id of the other picture, where one was needed
    answers: list[AnswerInWords]


class AuditedCheck(msgspec.Struct, frozen=True):
    """One audited question; `contradicted` is 1 if its answer stands in a contradiction, else 0."""

    model: str
    sample: str
    check: str
    contradicted: int


class AuditResult(msgspec.Struct, frozen=True, kw_only=True):
    """The content of `audit.json`, and of `t2i audit --json`."""

    format: Literal["counterbench.audit/1"] = "counterbench.audit/1"
    run: str
    judge: str
    replies: str = ""  # the digest of the replies that were audited; the result says nothing about later ones
    complete: bool
    pictures: int  # the number of groups: audited questions, each with its further ones
    answers: int  # all that are compared: those of the run (`checks`), and those to the audit's further questions
    # Of all `answers`, not the run's alone; `low` holds for all groups that could be drawn, and there is no `high`.
    wrong_at_least: WrongAtLeast
    most: float  # the share above which the admission is revoked
    relations: dict[str, RelationFinding]  # by name
    noise: dict[str, Noise]  # by the name of the change
    skills: dict[str, SkillFinding]  # by the skill that a question needs: counting, colour, …
    left_out: list[str]  # relations that apply and were left out by --relations: if there are any, nothing is revoked
    revoked: list[str]  # skills whose admission is revoked, or "all"
    contradictions: list[Contradiction]  # the largest first
    checks: list[AuditedCheck]
    calls: int  # replies of the audit
    denials: Denials | None = None  # checks of the run asked as they are and negated; null if none was

    @property
    def finding(self) -> str:
        """The answers that are wrong at least, in words."""
        wrong, run_count = self.wrong_at_least, len(self.checks)
        further_count = wrong.of - run_count  # answers to the audit's own questions
        if not further_count:
            trials = [(name, finding.drawn.edited) for name, finding in self.relations.items()]
            if trials and not any(finding.counts for finding in self.relations.values()):
                shares = ", ".join(f"{name} {100 * (share or 0):.0f} % right" for name, share in trials)
                return f"nothing is shown: the judge failed the trial of every relation on drawn pictures ({shares})"
            return "nothing is shown: no relation that counts for this judge applies to these questions"
        counting_names = (name for name, finding in self.relations.items() if finding.counts and finding.asked)
        subjects = listed(dict.fromkeys(RELATIONS[name].subject for name in counting_names))
        sources = f"{run_count} of the run, {further_count} to the audit's questions about {subjects}"
        if not wrong.count:
            return f"0 of {wrong.of} answers contradict each other ({sources}); they may still be wrong"
        share, low = 100 * (wrong.share.value or 0), 100 * (wrong.share.low or 0)
        bound = f"over all pictures at least {low:.0f} %, with 95 % confidence"
        return f"at least {share:.0f} % of {wrong.of} answers are wrong ({sources}); {bound}"

    @property
    def consequence(self) -> str:
        """The effect on the judge's admission, in words: the part that is revoked, or why nothing is."""
        if self.revoked:
            part = "" if self.revoked == [EVERYTHING] else f" for {listed(self.revoked)}"
            return f"the judge's admission{part} is revoked: the policy allows {100 * self.most:.0f} % wrong answers"
        if self.left_out:
            return f"nothing is revoked, since --relations left out {listed(self.left_out)}"
        return "nothing is revoked, which is no proof that the answers are right"

    @property
    def brief(self) -> Audited:
        """The part of the audit that a file of scores repeats."""
        words = f"{self.finding}. {self.consequence[0].upper()}{self.consequence[1:]}"
        return Audited(wrong_at_least=self.wrong_at_least, revoked=self.revoked, finding=words)

    @property
    def objections(self) -> list[str]:
        """The reason why the judge may not score these pictures; empty unless its whole admission is revoked."""
        if EVERYTHING not in self.revoked:
            return []
        low = f"{100 * (self.wrong_at_least.share.low or 0):.0f} %"
        allowed = f"the policy allows {100 * self.most:.0f} %"
        return [f"revoked: at least {low} of its answers are wrong, since they contradict each other; {allowed}"]


class _AnsweredGroup:
    """An audited question with its further ones, their answers, and the contradictions among these."""

    def __init__(self, group: AuditGroup, relations: Sequence[str], replied: Replied) -> None:
        """Read the replies to the group's questions, and find the clauses (impossible combinations) that they break.

        `replied` gives the reply to a question by its id, None without one. Attributes: `answers`, yes or no by the
        question's name; `wrong_count`, the least number of wrong ones; `broken_relations`, the names of relations with
        a broken clause; `clashing_names`, of the questions in a broken clause, as an ordered set.
        """
        self.group, self.extras = group, group.extras(relations)
        self.answers: dict[str, YesOrNo] = {ASKED: group.answer} if self.extras else {}
        for name in self.extras:
            reply = replied(f"{group.picture.id}/{name}")
            if reply is not None and reply.answer in ("yes", "no"):
                self.answers[name] = reply.answer  # type: ignore[assignment]
        by_relation = {name: related.clauses for name, related in group.related(relations).items()}
        self.wrong_count = least_wrong(self.answers, [clause for clauses in by_relation.values() for clause in clauses])
        broken_clauses = {name: broken(self.answers, clauses) for name, clauses in by_relation.items()}
        self.broken_relations = [name for name, clauses in broken_clauses.items() if clauses]
        in_broken_clause = (clause for clauses in broken_clauses.values() for clause in clauses)
        self.clashing_names = dict.fromkeys(name for clause in in_broken_clause for name, _ in clause)

    @property
    def checked(self) -> AuditedCheck:
        """The audited question, and whether its answer stands in a contradiction."""
        picture = self.group.picture
        return AuditedCheck(picture.model, picture.row.id, self.group.check.id, int(ASKED in self.clashing_names))

    @property
    def contradiction(self) -> Contradiction:
        """The group's answers that cannot all be right, for the result."""
        group, original = self.group, Extra(ASKED, self.group.claim, words=self.group.check.text)
        return Contradiction(
            picture=group.picture.id,
            model=group.picture.model,
            prompt=group.picture.prompt.text,
            skill=group.skill,
            relations=self.broken_relations,
            wrong=self.wrong_count,
            partner=group.partner.id if group.partner is not None and "two-in-one" in self.broken_relations else "",
            answers=[
                AnswerInWords(question=extra.asks, edit=extra.edit, reply=self.answers[name])
                for name in self.clashing_names
                for extra in [self.extras.get(name, original)]
            ],
        )


def audit_result(
    groups: Sequence[AuditGroup],
    relations: Mapping[str, RelationTrial],
    replied: Replied,
    *,
    most: float,
    left_out: Sequence[str] = (),
    **about: object,
) -> AuditResult:
    """The result of an audit of these groups, from the replies so far.

    `relations`: by name, the result of each relation's trial on drawn pictures; relations whose trial holds are used.
    `replied` gives the reply to a question by its id, None without one. `most`: the share of wrong answers above which
    the admission is revoked. `left_out`: relations that apply and that the user left out. `about`: the fields of the
    result that say which run it is.

    With relations left out nothing is revoked, so that nobody can choose relations by what they revoke.
    """
    used_names = [name for name, trial in relations.items() if trial.holds]
    with_replies = (_AnsweredGroup(group, used_names, replied) for group in groups)
    answered = [group for group in with_replies if group.answers]
    max_answers = most_answers(used_names)

    def at_least(members: Sequence[_AnsweredGroup], alpha: float = _ALPHA) -> WrongAtLeast:
        """The least number of wrong answers in these groups, with that of all answers and the share's lower bound."""
        wrong_counts, answer_counts = [m.wrong_count for m in members], [len(m.answers) for m in members]
        count, total = sum(wrong_counts), sum(answer_counts)
        low = share_low(wrong_counts, answer_counts, max_answers, alpha) if total else None
        return WrongAtLeast(count=count, of=total, share=Estimate(count / total if total else None, low, None))

    by_skill = by_key((group.group.skill, group) for group in answered)
    skills = {
        name: SkillFinding(groups=len(members), wrong_at_least=at_least(members, _ALPHA / len(by_skill)))
        for name, members in sorted(by_skill.items())
    }
    pooled = at_least(answered)
    enough = {name: finding for name, finding in skills.items() if finding.groups >= MIN_GROUPS}
    revoked_skills = [name for name, finding in enough.items() if (finding.wrong_at_least.share.low or 0) > most]
    revoked = [EVERYTHING] if (pooled.share.low or 0) > most else revoked_skills
    return AuditResult(
        pictures=len(groups),
        answers=pooled.of,
        wrong_at_least=pooled,
        most=most,
        relations={
            name: RelationFinding(
                asked=sum(question.startswith(f"{name}.") for group in answered for question in group.answers),
                broken=sum(name in group.broken_relations for group in answered),
                counts=trial.holds,
                drawn=trial,
            )
            for name, trial in relations.items()
        },
        noise=_noise(groups, replied),
        skills=skills,
        left_out=[*left_out],
        revoked=[] if left_out else revoked,
        contradictions=sorted((g.contradiction for g in answered if g.broken_relations), key=lambda c: -c.wrong),
        checks=[group.checked for group in answered],
        **about,  # type: ignore[arg-type]
    )


def _noise(groups: Sequence[AuditGroup], replied: Replied) -> dict[str, Noise]:
    """The counts of questions that were asked again, by the name of the change, which leaves the right answer."""
    changed: dict[str, list[bool]] = {}  # by change: for each question, True if the answer is another one
    for group in groups:
        name = group.unchanged().name
        reply = replied(f"{group.picture.id}/{name}")
        if reply is not None and reply.answer is not None:
            changed.setdefault(name.removeprefix(f"{UNCHANGED.name}."), []).append(reply.answer != group.answer)
    return {name: Noise(asked=len(changes), changed=sum(changes)) for name, changes in sorted(changed.items())}


def audit_file(run: Path) -> Path:
    """The file of a run's audit."""
    return run / AUDIT_FOLDER / AUDIT_FILE


def kept_audit(run: Path) -> AuditResult | None:
    """The audit of a run that is kept in its folder; None if there is none of the run's present replies."""
    file = audit_file(run)
    result = formats.read_json(file, AuditResult) if file.is_file() else None
    return result if result is not None and result.replies == replies_digest(run) else None


def replies_digest(run: Path) -> str:
    """A digest of a run's replies, and of the fields of the run that identify its questions and judge."""
    journal, info = run / JOURNAL_FILE, read_run_info(run)
    if not journal.is_file():
        return "none"
    stat = journal.stat()
    return _digest(journal, stat.st_mtime_ns, stat.st_size, tuple(str(getattr(info, name)) for name in IDENTIFYING))


@lru_cache(64)  # a report asks for each model of a run
def _digest(journal: Path, changed: int, size: int, identifying: tuple[str, ...]) -> str:
    """The digest of a journal and of the texts `identifying`.

    `changed` and `size`, of the file, are there for the cache: a changed file is read anew.
    """
    with journal.open("rb") as file:
        digest = hashlib.file_digest(file, "blake2b")
    digest.update("\0".join(identifying).encode())
    return digest.hexdigest()[:32]


def contradicted_checks(run: Path) -> dict[tuple[str, str, str], int]:
    """1 for each audited question whose answer stands in a contradiction, else 0, by model, sample and check.

    Empty without an audit of the present replies.
    """
    audit = kept_audit(run)
    return {} if audit is None else {(row.model, row.sample, row.check): row.contradicted for row in audit.checks}
