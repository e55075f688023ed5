"""The options of calls about models' pictures (see `asking.options`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from counterbench.asking.options import (
    PLAN,
    RESUME_FROM,
    SHARD,
    TEMPLATE,
    UPLOAD,
    AskOptions,
    Flag,
    option,
)

if TYPE_CHECKING:
    from counterbench.evidence.document import Certificate
    from counterbench.files.addresses import PathLike
    from counterbench.judges.base import Judge
    from counterbench.judges.panel import How
    from counterbench.prompts.prompt_set import PromptSet

    OneJudge: TypeAlias = Judge | Callable[..., Any] | str

COLUMNS = Flag("Your names of our columns: prompt=Prompt,question=Q.", str, "A=B,…")
HOW = Flag("With several judges: how the panel joins their answers.", Literal["majority", "all"])
ALLOW_OUTSIDE = Flag("Allow pictures outside the table's folder, or in a store (s3://…).", bool)


@dataclass(frozen=True)
class JudgingOptions(AskOptions):
    """Options of `t2i judge`.

    `images`: a generator's folder, or several, which are one run in random order. `prompts` (also as a set), `protocol`
    and `template`: names, if others are wanted than those of the folder, the prompt set and the protocol. `negated`:
    the share of yes/no checks also asked negated. `forced` and `matches` are of the protocol `pairwise`: no tie;
    so many pairs of models of each sample. `uncertified`: go on without an admission. `out`: the run's folder; by
    default `runs/<prompts>--<generator>--<judge>--<protocol>`. `shard` ("0/4"): a part of the pictures. The others are
    those of `probe`.
    """

    images: PathLike | Sequence[PathLike]
    judge: Judge | Callable[..., Any] | str
    out: PathLike | None = option(
        None, Flag("The run's folder (default: runs/PROMPTS--GENERATOR--JUDGE--PROTOCOL).", Path)
    )
    _: KW_ONLY
    certificate: Certificate | PathLike | None = option(
        None, Flag("The judge's certificate: a file of validate or certify.", Path)
    )
    prompts: str | PromptSet = option(
        "", Flag("Ask what this prompt set asks (default: the prompts that the pictures carry).", str, "SET|FILE")
    )
    protocol: str = option(
        "", Flag("What is asked and how it is scored (see: counterbench list protocols; default: as the prompts say).")
    )
    uncertified: bool = option(False, Flag("Go on with a judge that is not admitted: its numbers are unproven.", bool))
    template: str = option(
        "",
        Flag(
            "How the judge is asked (default: as the certificate says, else the protocol); shown-prompt shows the "
            "prompt."
        ),
    )
    negated: float = option(
        0.0,
        Flag(
            "Ask this share of yes/no checks also negated, to measure a bias to yes.",
            float,
            "SHARE",
            minimum=0,
            maximum=1,
        ),
    )
    forced: bool = option(False, Flag("pairwise: allow no tie: one of two pictures must be the better one.", bool))
    matches: int | None = option(
        None, Flag("pairwise: pairs of models to compare for each prompt and sample (default: all).", int, minimum=1)
    )
    shard: str = option("", SHARD)
    upload: str = option("", UPLOAD)
    resume_from: str = option("", RESUME_FROM)


@dataclass(frozen=True)
class AuditOptions(AskOptions):
    """Options of `t2i audit`.

    `folder`: of a run about pictures. `judge`: the judge that answered it; by default it is opened by the name that the
    run has. `pictures`: the number of groups; `relations`: names, by default all. `template`: the template of the run,
    if it is none of ours.
    """

    folder: PathLike = ""  # the command line takes several
    judge: Judge | Callable[..., Any] | str = option("", Flag("The judge of the run (default: as the run names it)."))
    _: KW_ONLY
    pictures: int = option(60, Flag("Pictures to audit, chosen at random.", int, "N", minimum=1))
    relations: str | Sequence[str] = option(
        "", Flag("Only these metamorphic relations: two-in-one, mirror, gone, denied, exclusive, parts.", str, "A,B")
    )
    template: str = option("", Flag("The run's template, if it is a file of your own.", str, "FILE"))
    repeats: int = 1
    name: str = ""


@dataclass(frozen=True)
class EvaluationOptions(AskOptions):
    """Options of `evaluate`.

    `source`: a table (CSV, JSON Lines, Parquet, a Hugging Face folder) with the columns image and prompt (and model,
    question, answer, …), or a folder PICTURES/MODEL/…. `questions`: the prompts with their questions: a set, or the
    name or file of one; by default the table's own. `columns`: the table's names of our columns. `allow_outside`:
    pictures may lie outside its folder. `author`: a language model that writes questions for prompts that have none;
    without one the judge is asked the prompts' own. `out`: the run's folder; by default `runs/<table>--<judge>`.
    """

    source: PathLike
    judge: Judge | Callable[..., Any] | str
    out: PathLike | None = option(None, Flag("The run's folder (default: runs/TABLE--JUDGE).", Path))
    _: KW_ONLY
    questions: PromptSet | PathLike = option(
        "", Flag("The prompts with their questions (default: the table's own).", str, "TABLE|PROMPTS")
    )
    columns: str | Mapping[str, str] = option("", COLUMNS)
    allow_outside: bool = option(False, ALLOW_OUTSIDE)
    author: Judge | str = option(
        "", Flag("A language model that writes the questions, once; named like --judge.", str, "MODEL")
    )
    protocol: str = option("", Flag("How it is asked and scored (default: as the questions say)."))
    template: str = option("structured", TEMPLATE)


@dataclass(frozen=True)
class EvaluateOptions(EvaluationOptions):
    """Options of the call `evaluate`. `plan`: forecast it only.

    `judge` may be several: each is evaluated by itself, then all as a panel, whose answers are joined by the rule `how`
    (see `judges.panel`).
    """

    judge: OneJudge | Sequence[OneJudge]  # type: ignore[assignment]
    plan: bool = option(False, PLAN)
    how: How = option("majority", HOW)
