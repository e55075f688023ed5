"""The plots about judges (CCS, gap, stability; by category and difficulty), and tables of answers against truth."""

import math
import re
from collections.abc import Callable, Mapping

import msgspec

from counterbench.diagnosis.document import Confusion
from counterbench.reporting.frame import Plot, Series, dot_plot, share_columns
from counterbench.reporting.gather import ReportData
from counterbench.reporting.words import counted
from counterbench.scoring.scores import Score, Share

_OVERALL = "overall"
_INTERVALS = "with 95 % Wilson intervals."
_CAPTIONS = {
    "CCS": f"Pairs right on both pictures, {_INTERVALS} Further right is better.",
    "gap": f"Pairs right on the original and wrong on the intervened picture, {_INTERVALS} Further left is better; a "
    "large gap is a judge that answers from the prior and misses the change.",
    "stability": f"Pairs whose change must not matter: the same answer to both pictures, {_INTERVALS} A judge that is "
    "stable and not right repeats a mistake.",
}
# A family's name that can be an id; an imported family may have any name.
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")
# Words for the parameters; other parameters are shown by their names.
_UNITS = {"offset": "offset (px)", "size": "size of shapes (px)", "covered": "covered (%)"}

_SHADES = 5  # classes in the style sheet
_ARROWS = {
    "right": "pointed to",
    "nearest-tail": "at the tail",
    "most-central": "central",
    "largest": "largest",
    "other": "another",
}

Cell = tuple[int, str]  # the number of times that an answer was said, and its class in the style sheet


def all_plots(data: ReportData) -> list[Plot]:
    """Every plot that these runs have data for, in the order of the page."""
    return [
        *_by_category(data, "CCS", lambda score: score.ccs),
        *_by_category(data, "gap", lambda score: score.gap),
        *_by_category(data, "stability", lambda score: score.stability),
        *_by_difficulty(data),
    ]


def _by_category(data: ReportData, name: str, measure: Callable[[Score], Share]) -> list[Plot]:
    def shares(scores: dict[str, Score]) -> dict[str, Share]:
        return {group: share for group, score in scores.items() if (share := measure(score)).of}

    by_run = [shares({_OVERALL: run.document.overall} | dict(run.document.categories)) for run in data.runs]
    groups = [group for group in (_OVERALL, *data.categories) if any(group in of for of in by_run)]
    return dot_plot(
        name.lower(),
        "scores",
        f"{name[:1].upper()}{name[1:]} by category",
        _CAPTIONS[name],
        {group: (group,) for group in groups},
        [Series(run.label, [of.get(group) for group in groups]) for run, of in zip(data.runs, by_run, strict=True)],
        ("pairs", "judge", *share_columns(name)),
        to_one=name == "CCS",
        rule_after=1,
    )


def _by_difficulty(data: ReportData) -> list[Plot]:
    """One plot a family, a row for each bin of each parameter that varies in it."""
    families: dict[str, dict[tuple[str, str], dict[int, Share]]] = {}
    for n, run in enumerate(data.runs):
        for difficulty in run.diagnosis.measures.difficulty:
            for bin in difficulty.bins if len(difficulty.bins) > 1 else ():
                row = (difficulty.parameter, str(bin.low) if bin.low == bin.high else f"{bin.low} to {bin.high}")
                families.setdefault(difficulty.family, {}).setdefault(row, {})[n] = bin.ccs
    return [
        plot
        for number, (family, of) in enumerate(families.items(), 1)
        for plot in dot_plot(
            f"difficulty-{family if _PLAIN.fullmatch(family) else number}",
            "difficulty",
            f"Difficulty: {family}",
            "CCS of relevant pairs in bins of each parameter, with 95 % Wilson intervals.",
            {f"{_UNITS.get(row[0], row[0])} {row[1]}": row for row in of},
            [Series(run.label, [shares.get(n) for shares in of.values()]) for n, run in enumerate(data.runs)],
            ("parameter", "bin", "judge", *share_columns("CCS")),
        )
    ]


class Matrix(msgspec.Struct, frozen=True, kw_only=True):
    """A table of counts: a row for each truth (or judge), with a cell for each answer."""

    title: str
    caption: str
    answers: list[str]
    rows: dict[str, list[Cell]]


def matrices(data: ReportData) -> list[Matrix]:
    """A matrix of colours and one of counts for every judge that mistook any, and one of arrows for all judges."""
    tables = []
    for run in data.runs:
        for kind in ("colours", "counts"):
            confusion: Confusion = getattr(run.diagnosis.measures, kind)
            if not (wrong := _errors(confusion)):
                continue
            answers = list(dict.fromkeys([*confusion, *(answer for said in confusion.values() for answer in said)]))
            if all(name.isdecimal() for name in answers):
                answers.sort(key=int)
            asked = counted(sum(sum(said.values()) for said in confusion.values()), "open question")
            tables.append(
                Matrix(
                    title=f"{kind.capitalize()} said by {run.label}",
                    caption=f"{counted(wrong, 'mistake')} in {asked} that got an answer: a row for each truth. "
                    "Outlined: right. The stronger its colour, the larger a cell's share of its row.",
                    answers=answers,
                    rows={truth: _row(said, answers, truth) for truth, said in confusion.items()},
                )
            )
    arrows = {run.label: of for run in data.runs if any((of := run.diagnosis.measures.arrows).values())}
    if arrows:
        tables.append(
            Matrix(
                title="Shapes named for arrows",
                caption="Open arrow questions that got an answer, by the shape that was named. Outlined: right.",
                answers=list(_ARROWS.values()),
                rows={label: _row(of, list(_ARROWS), "right") for label, of in arrows.items()},
            )
        )
    return tables


def without_errors(data: ReportData, kind: str) -> list[str]:
    """The judges that were asked about `kind` ("colours" or "counts") and mistook none."""
    measures = [(run.label, getattr(run.diagnosis.measures, kind)) for run in data.runs]
    return [label for label, confusion in measures if confusion and not _errors(confusion)]


def _errors(confusion: Confusion) -> int:
    return sum(count for truth, said in confusion.items() for answer, count in said.items() if answer != truth)


def _row(said: Mapping[str, int], answers: list[str], right: str) -> list[Cell]:
    counts = [(answer, said.get(answer, 0)) for answer in answers]
    shade = {answer: math.ceil(_SHADES * count / max(1, sum(said.values()))) for answer, count in counts}
    hit = {answer: "hit" if answer == right else "miss" for answer in answers}
    return [(count, f"{hit[answer]} shade-{shade[answer]}" if count else "") for answer, count in counts]
