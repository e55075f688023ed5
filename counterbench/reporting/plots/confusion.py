"""What was said where something else was true: matrices of colours and of counts, one judge each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from counterbench.diagnosis.document import Confusion
from counterbench.reporting.figures import INK, MUTED, NEUTRAL, WRONG, Plot, panel
from counterbench.reporting.gather import JudgeRun, ReportData
from counterbench.reporting.labels import shortened
from counterbench.reporting.words import listed, plural

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_CELL = 0.36  # inches; ten answers are as wide as any other plot
_ARROWS = {
    "right": "pointed to",
    "nearest-tail": "at the tail",
    "most-central": "central",
    "largest": "largest",
    "other": "another",
}
_LONGEST = 14  # signs of an answer
_PALEST, _DARKEST = 0.14, 0.55  # opacity of a cell: its number stays legible on it


def confusions(data: ReportData) -> list[Plot]:
    """A matrix of colours and one of counts for every judge that mistook any."""
    found = []
    for n, run in enumerate(data.runs, 1):
        for kind, confusion in (("colours", run.diagnosis.measures.colours), ("counts", run.diagnosis.measures.counts)):
            if _errors(confusion):
                found.append(_plot(run, n, kind, confusion))
    return found


def arrows(data: ReportData) -> list[Plot]:
    """What every judge named where an arrow points: the right shape, or the one that a known fault would name."""
    found = {
        run.label: run.diagnosis.measures.arrows for run in data.runs if any(run.diagnosis.measures.arrows.values())
    }
    if not found:
        return []
    named = {label: {_ARROWS[kind]: count for kind, count in counts.items()} for label, counts in found.items()}
    return [
        Plot(
            name="arrows",
            section="confusion",
            title="What is named where an arrow points",
            caption="Open arrow questions that got an answer, by the shape that was named. Outlined: right.",
            alt=f"Matrix of the shapes named in arrow questions by {listed(list(named))}.",
            columns=("judge", "named", "count"),
            rows=[(label, kind, str(count)) for label, counts in named.items() for kind, count in counts.items()],
            draw=lambda: _draw(named, list(_ARROWS.values()), dict.fromkeys(named, _ARROWS["right"])),
        )
    ]


def without_errors(data: ReportData, kind: str) -> list[str]:
    """The judges that were asked about `kind` ("colours" or "counts") and mistook none."""
    measures = [(run.label, getattr(run.diagnosis.measures, kind)) for run in data.runs]
    return [label for label, confusion in measures if confusion and not _errors(confusion)]


def _errors(confusion: Confusion) -> int:
    return sum(count for truth, said in confusion.items() for answer, count in said.items() if answer != truth)


def _plot(run: JudgeRun, n: int, kind: str, confusion: Confusion) -> Plot:
    total = sum(sum(said.values()) for said in confusion.values())
    wrong = _errors(confusion)
    mistakes = [(c, t, s) for t, said in confusion.items() for s, c in said.items() if s != t]
    count, truth, answer = max(mistakes, key=lambda mistake: mistake[0])
    off_by_one = sum(c for c, t, s in mistakes if t.isdecimal() and s.isdecimal() and abs(int(t) - int(s)) == 1)
    more = f" {off_by_one} of the {wrong} are off by one." if kind == "counts" else ""
    return Plot(
        name=f"{kind}-{n}",
        section="confusion",
        title=f"{kind.capitalize()} said by {run.label}",
        caption=f"{plural(wrong, 'mistake')} in {plural(total, 'open question')} that got an answer. Outlined: right. "
        "The stronger its colour, the larger a cell's share of its row.",
        alt=f"Matrix of the {kind} said by {run.label} against the truth: {wrong} of {total} wrong. Most often "
        f"{answer} was said for {truth} ({count} times).{more}",
        columns=("truth", "said", "count"),
        rows=[(truth, answer, str(count)) for truth, said in confusion.items() for answer, count in said.items()],
        draw=lambda: _draw(confusion, _answers(confusion), {truth: truth for truth in confusion}),
    )


def _answers(confusion: Confusion) -> list[str]:
    answers = list(dict.fromkeys([*confusion, *(answer for said in confusion.values() for answer in said)]))
    return sorted(answers, key=int) if all(name.isdecimal() for name in answers) else answers


def _draw(confusion: Confusion, answers: list[str], right: Mapping[str, str]) -> Figure:
    """A matrix with a row for each key of `confusion`, whose `right` answer is outlined."""
    truths = list(confusion)
    figure, axes = panel(max(2.4, 0.9 + 0.36 * len(truths)), max(3.4, 1.1 + _CELL * len(answers)))
    for row, truth in enumerate(truths):
        total = sum(confusion[truth].values())
        for column, answer, count in _cells(confusion[truth], answers):
            _cell(axes, row, column, count, count / total, right[truth] == answer)
    axes.set_xlim(-0.5, len(answers) - 0.5)
    axes.set_ylim(len(truths) - 0.5, -0.5)
    turned = any(len(answer) > 3 for answer in answers)
    axes.set_xticks(
        range(len(answers)),
        [shortened(answer, _LONGEST) for answer in answers],
        rotation=45 if turned else 0,
        ha="right" if turned else "center",
    )
    axes.set_yticks(range(len(truths)), [shortened(truth, _LONGEST) for truth in truths])
    axes.tick_params(length=0)
    axes.set_xlabel("said")
    axes.set_ylabel("true" if right.keys() == set(right.values()) else "")
    for spine in axes.spines.values():
        spine.set_visible(False)
    return figure


def _cells(said: dict[str, int], answers: list[str]) -> Iterator[tuple[int, str, int]]:
    for column, answer in enumerate(answers):
        if said.get(answer):
            yield column, answer, said[answer]


def _cell(axes: Axes, row: int, column: int, count: int, share: float, right: bool) -> None:
    from matplotlib.patches import Rectangle

    alpha = _PALEST + (_DARKEST - _PALEST) * share
    corner = (column - 0.47, row - 0.47)
    axes.add_patch(Rectangle(corner, 0.94, 0.94, facecolor=NEUTRAL if right else WRONG, alpha=alpha, linewidth=0))
    if right:
        axes.add_patch(Rectangle(corner, 0.94, 0.94, facecolor="none", edgecolor=MUTED, linewidth=0.9))
    axes.text(column, row, str(count), ha="center", va="center", color=INK, fontsize=8.5)
