"""One call of `t2i judge` before anything is asked: the questions, the judge, the wording and the gate."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from counterbench.certificate import Certificate
from counterbench.errors import InputError
from counterbench.judges.base import Judge
from counterbench.runs.queries import Key
from counterbench.runs.wordings import Wording, load_wording, with_prompt
from counterbench.suites.shards import Shard
from counterbench.t2i.images.manifest import Images
from counterbench.t2i.judging.gate import Entry, entry
from counterbench.t2i.judging.picture_queries import PictureQuestions
from counterbench.t2i.prompts.files import load_prompts
from counterbench.t2i.protocols import protocol as protocol_of

# A function from the source of keys to a judge: planted judges answer from the keys.
OpenJudge = Callable[[Callable[[], Iterable[Key]]], Judge]


@dataclass(frozen=True)
class Session:
    """The questions, the judge that answers them, the way it is asked, and its admission."""

    questions: PictureQuestions
    judge: Judge
    wording: Wording
    votes: int
    certificate: Certificate | None
    gate: Entry


def start_session(
    images: Images,
    open_judge: OpenJudge,
    *,
    prompts: str = "",
    protocol: str = "",
    wording: str = "",
    votes: int = 1,
    show_prompt: bool = False,
    negated: float = 0.0,
    shard: Shard | None = None,
    certificate: Certificate | None = None,
) -> Session:
    """The session with all decisions before the first question about a generator's pictures.

    `prompts`, `protocol` and `wording`: names, if others are wanted than those of the folder, the prompt set and the
    protocol. `shard`: only that part of the pictures. InputError if no picture is drawn yet.
    """
    asked = load_prompts(prompts) if prompts else images.prompts
    by = protocol_of(protocol or asked.protocol)
    questions = PictureQuestions(images, asked, by, negated=negated, shard=shard)
    if questions.images.rows and all(row.status == "missing" for row in questions.images.rows):
        raise InputError(f"{images.path}: no picture is drawn yet; the same `t2i generate` goes on")
    judge = open_judge(questions.keys)
    template = load_wording(wording or by.wording)
    if show_prompt or by.shows_prompt:
        template = with_prompt(template)
    gate = entry(
        certificate,
        questions.drawn,
        judge=judge.name,
        wording_digest=template.digest,
        votes=votes,
        prompt_shown=template.shows_prompt,
    )
    return Session(questions, judge, template, votes, certificate, gate)
