"""A contact sheet of judged pictures: below each what the judge answered, below a group what it was asked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from counterbench.drawing.picture import Picture
from counterbench.errors import InputError
from counterbench.runs.folder import T2I_FILE
from counterbench.t2i.images.gallery import Note, Shown, picture_sheet
from counterbench.t2i.judging.results import JudgedRun
from counterbench.t2i.prompts.prompt_set import Prompt
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.scores.results import CheckResult


def judged_sheet(
    run: JudgedRun,
    out: Path,
    *,
    stamp: str,
    left_out: Mapping[str, str] | None = None,
    each: int = 2,
    folder: Path | None = None,
) -> Shown:
    """Write a PNG of a run's pictures, checks and answers, as `picture_sheet` does; `stamp` stands in its title.

    `left_out`: laws that no score is about, and why, as it is said below their groups.
    The pictures are in `folder`, else where the run says that they were: a path as `t2i judge` was given it.
    InputError if they are not there, or are others.
    """
    info = run.kept.info
    folder = folder or Path(info.images)
    if not folder.is_dir():
        raise InputError(
            f"{run.kept.path}: its pictures are not in {info.images} (its {T2I_FILE} says so); put them back, run this "
            f"in the folder in which they were judged, or say where they are: gallery IMAGES/GENERATOR --run "
            f"{run.kept.path}"
        )
    drawn = [Picture.from_file(folder / row.path, row.picture_digest) for row in run.kept.samples if row.path]
    if drawn and all(picture.damage for picture in drawn):  # another model's may lie at the same paths
        raise InputError(
            f"{run.kept.path}: is not about the pictures in {folder}, but about those of {info.generator}, which were "
            f"in {info.images}"
        )
    notes: dict[str, list[Note]] = {}
    for row in run.rows:
        if row.picture == "ok":
            notes.setdefault(row.sample_id, []).append(_note(run.protocol, row))
    title = [f"{info.generator}: {info.prompts}, judged by {run.info.judge}", *filter(None, [stamp])]
    feet = {group: _checks(run.protocol, levels) for group, levels in run.prompts.groups.items()}
    for group, levels in run.prompts.groups.items():
        law = next(iter(levels.values())).law
        if why := (left_out or {}).get(law):
            feet[group] = [f"Not scored: the judge is not admitted to {law} ({why}).", *feet[group]]
    return picture_sheet(folder, run.kept.samples, out, title=title, each=each, notes=notes, feet=feet)


def _note(protocol: Protocol, row: CheckResult) -> Note:
    mark = protocol.mark(row)
    if mark == "lost":
        return Note(f"{row.check}: {row.outcome}", mark)
    sure = f" (confidence {row.credit:g})" if mark == "right" and row.credit != 1 else ""
    return Note(f"{row.check}: {row.answer or 'not asked'}{sure}", mark)  # another answer settled it


def _checks(protocol: Protocol, levels: Mapping[str, Prompt]) -> Sequence[str]:
    """The questions of a group, each once; with their levels, where it is not asked at all of them."""
    asked: dict[tuple[str, str, str], list[str]] = {}
    for level, prompt in levels.items():
        for check in prompt.checks:
            right = "" if check.dimension in protocol.awards else f" Right: {check.expected}."
            asked.setdefault((check.id, check.text, right), []).append(level)
    lines = []
    for (id, text, right), at in asked.items():
        where = f" ({', '.join(at)})" if len(at) < len(levels) else ""
        lines.append(f"{id}{where}: {text}{right}")
    return lines
