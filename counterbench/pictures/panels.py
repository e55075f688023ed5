"""One call of `evaluate` with several judges: each is evaluated by itself, then all together as a panel.

RUN/<judge>                     the evaluation by each judge, as with that judge alone
RUN/panel--<how>-<judges>       that by the panel: its runs join those of its members; `members` has their drawn tests
                                with further pairs

The panel has a drawn test of its own (its certificate), since its members' errors may be the same: on the pairs that
all members were asked, and on more where these decide too little. The stickers and audits are its members'.
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
from counterbench.pictures.evaluation_jobs import DRAWN
from counterbench.pictures.options import EvaluateOptions
from counterbench.results.comparison import compare_runs
from counterbench.results.contrasts import ALPHA
from counterbench.results.results import load_results
from counterbench.runs.folder import PLAN_FILE, default_path, read_run_info
from counterbench.stats.intervals import Estimate
from counterbench.text import counted

if TYPE_CHECKING:
    from counterbench.pictures.options import OneJudge

_MEMBERS = "members"


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
            folder = self.path / default_path("", name).name
            if name in self.evaluations:
                raise InputError(f"two judges are called {name!r}: name each once, or give them files with their names")
            if folder in [found.out for found in self.evaluations.values()]:
                raise InputError(f"{folder}: two judges have names that give this folder: give them files with names")
            self.evaluations[name] = replace(base, judge=judge, out=folder)

    @property
    def members(self) -> dict[str, Evaluation]:
        """The evaluations by the judges that are not turned away, by the judge's name."""
        return {name: found for name, found in self.evaluations.items() if name not in self.turned_away}

    def refuse_further(self) -> None:
        """InputError if questions follow from the replies to others: each judge would be asked other ones.

        Questions that an author will write follow from none.
        """
        first = next(iter(self.evaluations.values()))
        if not first.needs_author and first.judging().questions.min_remaining:
            raise InputError(
                f"{first.source}: some questions follow from the replies to others, and no panel can join these; "
                "evaluate with one judge at a time"
            )

    def share_questions(self) -> None:
        """Give the questions that an author wrote for one judge to all others, and to the panel."""
        files = [found.written_file for found in self.evaluations.values() if found.author]
        source = next((file for file in files if file.is_file()), None)
        for file in [*files, *(self.path_of_panel / file.name for file in files[:1])]:
            if source is not None and not file.is_file():
                file.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(source, file)

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
        self._test_panel(ask)
        ladders = [member.path / LADDERS_FOLDER for member in members]
        if panel.ladder_test is not None and all(kept_ladders(folder) is not None for folder in ladders):
            replace(panel.ladder_test, judge=PanelJudge(ladders, self.how)).run(ask)
        panel.judging().run(ask)

    def _test_panel(self, ask: Callable[[Asking], object]) -> None:
        """Ask the panel's drawn test. Where it decides too little, its members are asked more pairs, in copies of runs.

        So it ends as a test of one judge does: decided, or with the most pairs of a cell that the policy allows.
        """
        while True:
            test, own = self.validation, self.panel.path / DRAWN
            if own.is_dir() and test.panel is not None and read_run_info(own).members != test.panel.members:
                shutil.rmtree(own)  # joined from fewer replies, at no call
            if self.panel.certificate_file is None:
                test.run(ask)
            if (certificate := self.panel.certificate) is None or not (more := test.wider(certificate)):
                return
            for name, member in self.members.items():
                copy = self.panel.path / _MEMBERS / self.evaluations[name].path.name
                if not copy.is_dir():
                    shutil.copytree(self._drawn_test(name), copy, ignore=shutil.ignore_patterns("certificate-*"))
                asked_more = replace(member.validation, out=copy, pairs=more).asking()
                ask(asked_more)
                if not asked_more.complete:
                    return

    def _drawn_test(self, name: str) -> Path:
        """The folder of a member's drawn test, with the pairs that it was asked for the panel."""
        copy, file = self.panel.path / _MEMBERS / self.evaluations[name].path.name, self.members[name].certificate_file
        return copy if copy.is_dir() or file is None else file.parent

    @property
    def validation(self) -> Validation:
        """The panel's drawn test, of the members' replies so far."""
        judge = PanelJudge([self._drawn_test(name) for name in self.members], self.how)
        return replace(self.panel.validation, judge=judge)

    @property
    def unasked(self) -> str:
        """The cells that stay undecided, in words, or ""."""
        certificate = self.panel.certificate if len(self.members) > 1 else None
        return self.validation.unasked(certificate) if certificate is not None else ""

    @property
    def drawn_tests(self) -> list[Path]:
        """The folders of the members' drawn tests and, once it is there, the panel's."""
        own = self.panel.certificate_file
        return [*(self._drawn_test(name) for name in self.members), *([own.parent] if own is not None else [])]

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
