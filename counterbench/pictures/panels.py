"""One call of `evaluate` with several judges: each is evaluated by itself, then all together as a panel.

RUN/<judge>                     the evaluation by each judge, as with that judge alone
RUN/panel--<how>-<judges>       that by the panel, which is asked nothing: its runs join those of its members

The panel has a drawn test of its own (its certificate), on the pairs that all judges were asked, since their errors may
be the same. The stickers and audits are its members'.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking
from counterbench.asking.limits import NOTHING
from counterbench.errors import InputError
from counterbench.evidence.ladders import kept_ladders
from counterbench.evidence.rungs import LADDERS_FOLDER
from counterbench.evidence.validation import Validation
from counterbench.files import formats
from counterbench.files.addresses import written
from counterbench.judges.base import called
from counterbench.judges.panel import NOTHING_NEW, How, PanelJudge
from counterbench.pictures.answer import Evaluated
from counterbench.pictures.evaluation import Evaluation, EvaluationPlan
from counterbench.pictures.options import EvaluateOptions
from counterbench.results.comparison import compare_runs
from counterbench.results.contrasts import ALPHA
from counterbench.results.results import load_results
from counterbench.runs.folder import PLAN_FILE, default_path
from counterbench.stats.intervals import Estimate
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.pictures.options import OneJudge


class PanelGain(msgspec.Struct, frozen=True, kw_only=True):
    """The gain by a panel: its CCS less that of its best member, on the drawn pairs that all members were asked."""

    how: How
    best: str  # the member with the highest CCS on these pairs
    pairs: int
    difference: Estimate  # paired
    # That the panel is no better than every member: the largest p of McNemar's exact test against any of them
    # (intersection-union test, Berger 1982); 1 if it is not ahead of all.
    p: float
    better: bool  # the panel is shown to be better than every member, at the 5 % level

    def __str__(self) -> str:
        """The sentence on it."""
        ends = (self.difference.value, self.difference.low, self.difference.high)
        value, low, high = (100 * (end or 0) for end in ends)
        shown = "better" if self.better else "not shown to be better"
        on = f"on the {counted(self.pairs, 'drawn pair')} that all were asked"
        points = f"{value:+.1f} points of CCS [{low:+.1f}, {high:+.1f}]"
        return f"The panel is {shown} than its best member, {self.best}: {points} {on}."


class PanelEvaluated(msgspec.Struct, frozen=True, kw_only=True):
    """`evaluate --json` with several judges."""

    judges: dict[str, Evaluated]  # by judge, without those that are turned away
    turned_away: dict[str, str]  # the reason, by judge
    panel: Evaluated | None  # null if fewer than two judges are left
    panel_gain: PanelGain | None


class PanelEvaluation:
    """The evaluations of one call with several judges: all `evaluations`, by the judge's name, and the `panel`.

    `turned_away`: the reason why a test does not admit a judge, by its name; the others are the panel's members.
    """

    def __init__(self, options: EvaluateOptions) -> None:
        """Make an evaluation for each judge; they share one budget. InputError for two judges of the same name."""
        if options.name:
            raise InputError("--name names one judge, and there are several: give each a file with its name")
        base = Evaluation.from_options(options, judge="", budget=(options.limits or Limits()).budget())
        self.how = options.how
        self.path = written(options.out) if options.out is not None else base.default_folder("judges")
        self.evaluations: dict[str, Evaluation] = {}
        self.turned_away: dict[str, str] = {}
        for judge in several_judges(options):
            name = called(base.open_judge(judge))
            if name in self.evaluations:
                raise InputError(f"two judges are called {name!r}: name each once, or give them files with their names")
            self.evaluations[name] = replace(base, judge=judge, out=self.path / default_path("", name).name)

    @property
    def members(self) -> dict[str, Evaluation]:
        """The evaluations by the judges that are not turned away, by the judge's name."""
        return {name: found for name, found in self.evaluations.items() if name not in self.turned_away}

    def share_questions(self) -> None:
        """Give the questions that an author wrote for the first judge to all others, and to the panel."""
        first, *others = [*self.evaluations.values()]
        for other in [self.path_of_panel, *(evaluation.path for evaluation in others)]:
            file = other / first.written_file.name
            if first.author and first.written_file.is_file() and not file.is_file():
                file.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(first.written_file, file)

    @property
    def path_of_panel(self) -> Path:
        """The folder of the panel's run."""
        return self.path / default_path("panel", f"{self.how} {' '.join(self.members)}").name

    @cached_property
    def panel(self) -> Evaluation:
        """The evaluation by the panel, once all members' are complete; it is not planned, and not asked by itself."""
        first, *_ = members = [*self.members.values()]
        judge = PanelJudge([member.path for member in members], self.how)
        return replace(first, judge=judge, out=self.path_of_panel, budget=None, limits=None)

    def ask_panel(self, ask: Callable[[Asking], object] = Asking.run) -> None:
        """Join the members' replies about drawn pairs, drawn counts and the pictures; complete members are needed.

        Nothing is joined of fewer than two.
        """
        if len(self.members) < 2:
            return
        self.share_questions()
        members, panel = [*self.members.values()], self.panel
        plan = formats.read_json(members[0].path / PLAN_FILE, EvaluationPlan)
        no_calls: dict[str, Any] = dict.fromkeys(("ladders", "stickers", "audit", "pictures"), NOTHING)
        no_calls |= {"drawn": None, "calls": 0, "most": 0, "cost": 0.0, "most_cost": 0.0, "no_audit": NOTHING_NEW}
        panel.path.mkdir(parents=True, exist_ok=True)
        formats.write_json(panel.path / PLAN_FILE, msgspec.structs.replace(plan, certificate="", **no_calls))
        if panel.certificate_file is None:
            self.validation.run(ask)
        ladders = [member.path / LADDERS_FOLDER for member in members]
        if panel.ladder_test is not None and all(kept_ladders(folder) is not None for folder in ladders):
            replace(panel.ladder_test, judge=PanelJudge(ladders, self.how)).run(ask)
        panel.judging().run(ask)

    @cached_property
    def validation(self) -> Validation:
        """The panel's drawn test."""
        folders = [file.parent for member in self.members.values() if (file := member.certificate_file) is not None]
        return replace(self.panel.validation, judge=PanelJudge(folders, self.how))

    @property
    def unasked(self) -> str:
        """The cells that are undecided since not all judges were asked more pairs, in words, or ""."""
        certificate = self.panel.certificate if len(self.members) > 1 else None
        return self.validation.unasked(certificate) if certificate is not None else ""

    @property
    def drawn_tests(self) -> list[Path]:
        """The folders of the members' drawn tests and, once it is there, the panel's."""
        files = [member.certificate_file for member in (*self.members.values(), self.panel)]
        return [file.parent for file in files if file is not None]

    @property
    def gain(self) -> PanelGain:
        """The gain by the panel, from its drawn test."""
        *members, panel = self.drawn_tests
        compared = compare_runs([load_results(path) for path in (panel, *members)], anyway=True)
        rows = compared.overall.contrasts[: len(members)]  # those of the panel, which comes first
        best = max(rows, key=lambda row: row.ccs_second.value or 0)
        p = max(row.p if row.p is not None and row.only_first > row.only_second else 1.0 for row in rows)
        return PanelGain(
            how=self.how,
            best=[*self.members][rows.index(best)],
            pairs=best.units,
            difference=best.difference,
            p=p,
            better=p <= ALPHA,
        )


def several_judges(options: EvaluateOptions) -> list[OneJudge]:
    """The judges of a call, as the user gives them."""
    judges = options.judge
    return [*judges] if isinstance(judges, Sequence) and not isinstance(judges, str) else [judges]
