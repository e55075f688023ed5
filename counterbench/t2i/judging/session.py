"""One call of `t2i judge`: what is asked, of whom and how, whether it may be, and the certified pairs asked again."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from counterbench.asking.asker import Limits
from counterbench.asking.probe import probe
from counterbench.asking.runner import Progress
from counterbench.certificate import Certificate
from counterbench.errors import InputError
from counterbench.judges.base import Judge
from counterbench.runs import pair_queries
from counterbench.runs.queries import Key
from counterbench.runs.wordings import Wording, load_wording, with_prompt
from counterbench.scene.pairs import ROLES
from counterbench.suites.cells import CellSource
from counterbench.suites.shards import Shard
from counterbench.t2i.images.manifest import Images
from counterbench.t2i.judging.drift import Drift, When, can_be_asked, drift, drift_run, pairs_again
from counterbench.t2i.judging.gate import Entry, entry
from counterbench.t2i.judging.picture_queries import PictureQuestions, prompts_of
from counterbench.t2i.judging.sure import Sure, refuse_unsure
from counterbench.t2i.protocols import protocol as protocol_of
from counterbench.t2i.scores.rules import DEFAULT
from counterbench.t2i.scores.rules import scoring as scoring_of

# A judge, given where to get the keys of what it is asked: planted ones answer from them.
Opened = Callable[[Callable[[], Iterable[Key]]], Judge]


@dataclass(frozen=True)
class Again:
    """Certified pairs to ask once more, before or after the pictures of a run, in a folder of their own in it."""

    certificate: Certificate
    path: Path
    source: CellSource
    judge: Judge
    wording: Wording
    votes: int

    @property
    def questions(self) -> int:
        """How many questions that takes in all."""
        return len(ROLES) * len(self.source) * self.votes

    def ask(
        self, limits: Limits, on_progress: Callable[[Progress], None] = lambda progress: None
    ) -> tuple[Progress, Drift | None]:
        """Ask them, or go on; and what they show by then."""
        end = probe(
            self.source,
            self.judge,
            self.path,
            wording=self.wording,
            votes=self.votes,
            limits=limits,
            again=True,
            on_progress=on_progress,
        )
        return end, drift(self.path, self.certificate)


@dataclass(frozen=True)
class Session:
    """What `begun` found. `judge`: who is asked about the pictures; `soft`: whether it must say how sure it is.

    `gate`: whether a certificate opens it.
    """

    questions: PictureQuestions
    judge: Judge
    wording: Wording
    votes: int
    soft: bool
    certificate: Certificate | None
    gate: Entry
    opened: Opened

    def again(self, run: Path, when: When) -> Again | None:
        """The certified pairs to ask again; None where nothing is certified, asked, or can be asked anew."""
        known = self.certificate
        if not isinstance(known, Certificate) or not can_be_asked(known):
            return None
        shard = self.questions.shard
        if not self.gate.admitted or not (len(self.questions) or shard):
            return None
        source = pairs_again(known).sharded(shard)
        judge = self.opened(lambda: pair_queries.keys(source))
        return Again(known, drift_run(run, known, when), source, judge, self.wording, self.votes)


def begun(
    images: Images,
    opened: Opened,
    *,
    prompts: str = "",
    protocol: str = "",
    wording: str = "",
    votes: int = 1,
    show_prompt: bool = False,
    negated: float = 0.0,
    shard: Shard | None = None,
    scoring: str = DEFAULT,
    certificate: Certificate | None = None,
) -> Session:
    """What is asked of a judge about a generator's pictures, before anything is.

    `prompts`, `protocol` and `wording`: other ones than the pictures carry, these name and that has. `scoring`: how it
    will be counted. `shard`: of the pictures, and of the certified pairs, only that part. InputError if no picture is
    there, or the judge cannot say what the scoring counts.
    """
    asked = prompts_of(images, prompts)
    by = protocol_of(protocol or asked.protocol)
    questions = PictureQuestions(images, asked, by, negated=negated, shard=shard)
    if questions.images.rows and all(row.status == "missing" for row in questions.images.rows):
        raise InputError(f"{images.path}: no picture is drawn yet; the same `t2i generate` goes on")
    judge = opened(questions.keys)
    soft = scoring_of(scoring, by.scorings).soft
    if soft:
        refuse_unsure(judge, votes, questions.drawn)
    put = load_wording(wording or by.wording)
    if show_prompt or by.shows_prompt:
        put = with_prompt(put)
    gate = entry(
        certificate,
        questions.drawn,
        judge=judge.name,
        wording_digest=put.digest,
        votes=votes,
        prompt_shown=put.shows_prompt,
    )
    who = Sure(judge) if soft and votes == 1 else judge
    return Session(questions, who, put, votes, soft, certificate, gate, opened)
