"""Runs of a source of pairs, or of questions about pictures, that are there already: how they ended."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from counterbench.asking.asking import Asking
from counterbench.asking.runner import Progress
from counterbench.judges.base import Judge
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.judging.run import asking_about_pictures
from counterbench.runs.pair_queries import PairQuestions
from counterbench.runs.queries import PromptTemplate
from counterbench.suites.sources import Source

OnProgress = Callable[[Progress], None]


def probe(
    source: Source,
    judge: Judge,
    out: Path,
    *,
    template: PromptTemplate | None = None,
    on_progress: OnProgress = lambda progress: None,
    **options: Any,
) -> Progress:
    """Ask every question about the pairs of `source`; `options` are those of `Asking`."""
    templates = () if template is None else (template,)
    return Asking(PairQuestions(source), judge, out, templates=templates, **options).run(on_progress)[-1].end


def judge_pictures(
    questions: PictureQuestions,
    judge: Judge,
    out: Path,
    *,
    on_progress: OnProgress = lambda progress: None,
    **options: Any,
) -> Progress:
    """Ask a protocol's questions about every picture; `options` are those of `asking_about_pictures`."""
    return asking_about_pictures(questions, judge, out, **options).run(on_progress)[-1].end
