"""Runs one call of `validate`, which tests if a judge may score pictures.

In go a judge and a *target*, the use that it is meant for: a prompt set, a folder of a generator's pictures, or a
suite. Out come a plan of what the test takes (`ValidationPlan`) and, once all is asked, a certificate with the judge's
faults (`Certified`), or results on ladders. The commands `validate` and `evaluate` use the class `Validation`.

The test asks the judge about *pairs* that we draw, pictures with a question whose right answer is known, until the
verdict on each *cell* (questions of one kind) is clear. An *attempt* is a numbered fresh sample of a suite's pairs. A
*ladder* is a series of pairs of rising difficulty. The *doctor* asks a few questions first, to see if the judge works.

A validation takes the steps of every `Job`: `plan`, `askings` (the run to ask) and `conclude`. The properties above
`plan` open, at first use, what the options name.
"""

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

import msgspec

from counterbench.asking.asker import Limits
from counterbench.asking.asking import Asking
from counterbench.asking.doctor import Checkup, check_up
from counterbench.asking.job import Job
from counterbench.asking.limits import ENOUGH, Forecast
from counterbench.asking.probe import open_pairs
from counterbench.diagnosis.diagnose import diagnose
from counterbench.diagnosis.document import DiagnosisDocument
from counterbench.errors import InputError, unknown
from counterbench.evidence.document import NOT_ENOUGH, Certificate, keep_certificate, kept_in
from counterbench.evidence.issue import certify
from counterbench.evidence.ladders import MIN_SIDE, RESULT_FILE, LadderQuestions, LadderResults, choose, ladder_results
from counterbench.evidence.ladders import SUITE as LADDER
from counterbench.evidence.options import ValidationOptions
from counterbench.evidence.policies import Policy, load_policy
from counterbench.evidence.prompt_checks import needed_cells
from counterbench.evidence.sequential import UntilDecided
from counterbench.files import catalog, formats
from counterbench.files.addresses import written
from counterbench.judges.base import Judge, JudgeExtras, called, extras
from counterbench.judges.panel import PanelJudge, panel_of
from counterbench.prompts.files import PROMPTS_FORMAT, load_prompts, names
from counterbench.prompts.items import SUFFIXES
from counterbench.prompts.manifest import IMAGES_FILE, MIN_TESTED_SIDE, read_manifest, smallest_side
from counterbench.prompts.prompt_set import PromptSet
from counterbench.prompts.skills import families_for, shares_of
from counterbench.runs.folder import default_path
from counterbench.runs.pair_queries import PairQuestions, keys
from counterbench.runs.queries import STRUCTURED, Key, PromptTemplate, load_template
from counterbench.suites.families.ladders import LADDERS, Ladder
from counterbench.suites.sources import (
    Source,
    SuiteSource,
    attempt_of,
    cells_of,
    certifying_suite,
    source_of_attempt,
)
from counterbench.suites.suite import is_shipped, suite_for
from counterbench.text import brief, counted, listed, some


class Target(NamedTuple):
    """The use for which a judge is validated: the suite to ask, and the prompt set that it may then score, if any."""

    suite: str  # its name, or a folder of pairs
    laws: tuple[str, ...] = ()  # the laws, or families of pairs, to ask about; empty for all
    prompts: str = ""  # the name of the prompt set
    words: str = ""  # the use in words, for the plan; empty for a shipped suite
    images: str = ""  # the folder of its pictures; empty if they are not drawn yet


class ValidationPlan(msgspec.Struct, frozen=True, kw_only=True):
    """The questions of a validation and what they take, before any is asked."""

    suite: str
    cells: list[str]  # that are asked until each is decided; empty if the pairs are of no attempt: then all are asked
    policy: str
    expected: Forecast  # calls, money and time if the judge is right on all
    most: int | None  # the largest possible number of calls; null if the pairs are of no attempt
    answered: int  # questions that have a reply already
    doctor: Checkup | None  # the doctor's findings; null if it was not needed
    able: bool  # False if a check of the doctor's does not hold

    def __repr__(self) -> str:
        """The plan in a line."""
        return brief(self, f"{self.suite}: {counted(len(self.cells), 'cell')}, {self.expected.calls:,} calls and more")


class Certified(NamedTuple):
    """The result of a run on pairs, and the certificate's file."""

    diagnosis: DiagnosisDocument
    certificate: Certificate
    file: Path


@dataclass(frozen=True)
class Validation(ValidationOptions, Job):
    """One call of `validate`, from its options (`ValidationOptions`) to its result.

    `smallest`: the shorter side, in pixels, of the smallest picture to be judged later; by default that of the folder
    of pictures that the target names. If drawn pictures are larger, small ones are drawn and asked about too. `pairs`:
    by cell, the number of its first pairs to ask, decided or not.
    """

    smallest: int | None = field(default=None, kw_only=True)
    pairs: Mapping[str, int] | None = field(default=None, kw_only=True)

    @cached_property
    def use(self) -> Target:
        """The use that the option `target` names; InputError if there is no such prompt set, folder or suite."""
        return _use_for(self.target if isinstance(self.target, PromptSet) else os.fspath(self.target))

    @cached_property
    def source(self) -> Source:
        """The pairs that may be asked about: those of the suite, at the attempt and size that the options name."""
        source = source_of_attempt(open_pairs(self.use.suite, size=self.size, style=self.style), self.attempt)
        small = self.smallest
        if self.use.images:
            small = smallest_side(read_manifest(Path(self.use.images)).rows)
        if small is None or not isinstance(source, SuiteSource):
            return source
        return SuiteSource(source.suite.with_smallest(max(small, MIN_TESTED_SIDE)))

    @cached_property
    def rules(self) -> Policy:
        """The policy to certify by: the bounds that the judge must be shown to exceed."""
        return load_policy(os.fspath(self.policy))

    @cached_property
    def asked_by(self) -> PromptTemplate:
        """The template in which each question is asked; by default `structured`."""
        return load_template(self.template or STRUCTURED)

    @cached_property
    def path(self) -> Path:
        """The run's folder."""
        if self.out is not None:
            return written(self.out)
        ending = "" if self.asked_by.name == STRUCTURED else f"--{self.asked_by.name}"
        judge = called(self.opened_judge, self.name) + ending
        small = self.source.suite.smallest if isinstance(self.source, SuiteSource) else None
        return default_path(
            self.source.name, judge, style=self.style, size=self.size, attempt=self.attempt, smallest=small
        )

    @cached_property
    def adaptive(self) -> UntilDecided | None:
        """The chooser of the next questions, until each cell is decided; None if all pairs are asked.

        All are asked if the pairs are of no attempt, such as a folder of the user's.
        """
        if not isinstance(self.source, SuiteSource) or attempt_of(self.source.suite) is None:
            return None
        answerable = self.panel.first_pairs() if self.panel is not None else self.pairs
        if self.source.suite.name == LADDER:
            if self.size is not None and self.size < MIN_SIDE:
                raise InputError(f"--size {self.size}: ladders are drawn on {MIN_SIDE} pixels or more")
            return LadderQuestions(self.source, self.rules, self.path, self._ladders(), answerable)
        if self.ladders:
            raise InputError(f"ladders are of the suite {LADDER!r}, not of {self.source.name!r}")
        return UntilDecided(self.source, self.rules, self.path, self.use.laws, answerable)

    @cached_property
    def panel(self) -> PanelJudge | None:
        """The judge, if it is a panel: asked about the pairs that all its members were asked, decided or not."""
        return panel_of(self.judge)

    def wider(self, certificate: Certificate) -> dict[str, int]:
        """By cell, the pairs to ask the members of a panel next; empty if none would decide more.

        They are twice as many of each undecided cell, up to the policy's most; all controls are taken together.
        """
        if self.panel is None or not isinstance(self.source, SuiteSource):
            return {}
        counts = self.panel.first_pairs()
        of_controls = certificate.control.verdict == NOT_ENOUGH
        of_controls |= any(test.verdict == NOT_ENOUGH for test in certificate.treatments.values())
        more = dict(counts)
        for name, cell in cells_of(self.source.suite).items():
            undecided = of_controls if cell.control else name in _undecided(certificate)
            if undecided and counts[name] and counts[name] < self.rules.most:
                more[name] = min(2 * counts[name], self.rules.most)
        return more if more != counts else {}

    def unasked(self, certificate: Certificate) -> str:
        """The cells of a panel that are undecided since not all members were asked more pairs, in words, or ""."""
        cells = _undecided(certificate)
        cells += ["controls"] if certificate.control.verdict == NOT_ENOUGH else []
        if self.panel is None or not cells:
            return ""
        return f"undecided, as not all members were asked more: {some(cells)}; {self.panel.rest}"

    def _ladders(self) -> Mapping[str, Ladder]:
        """The ladders to test, by name: the given ones, the named ones, or those that a prompt set's questions need."""
        if isinstance(self.ladders, Mapping):
            return self.ladders
        given = self.ladders if isinstance(self.ladders, str) else ",".join(self.ladders)
        if given not in names() and not Path(given).is_file():
            return choose(given)
        skills = {*shares_of(load_prompts(given).prompts)}
        needed = {name: ladder for name, ladder in LADDERS.items() if ladder.needs & skills}
        if not needed:
            raise InputError(f"{given}: its questions need no ladder; they need {listed(sorted(skills))}")
        return needed

    @property
    def of_ladders(self) -> bool:
        """True if the validation tests ladders."""
        return isinstance(self.adaptive, LadderQuestions)

    @cached_property
    def opened_judge(self) -> Judge:
        """The judge, opened once, to be named and to be asked by the doctor."""
        return self._open_judge()

    def plan(
        self, on_progress: Callable[[int, int], None] = lambda done, total: None, checkup: Checkup | None = None
    ) -> ValidationPlan:
        """Forecast the calls, money and time, from the run's own replies or from the doctor's questions.

        The doctor is not needed for a run that has begun, for a judge that looks at no pictures (it knows the truth, or
        replays a run), or for a Python object. `on_progress(done, total)` counts the doctor's questions. `checkup`: its
        earlier findings, used if it found this judge able. InputError if the folder holds another run, or if money is
        limited and no price is known.
        """
        adaptive, policy, asking = self.adaptive, self.rules, self.asking(self.opened_judge)
        asking.check()
        figures, expected = asking.figures, asking.plan()
        needs_images = extras(self.opened_judge, JudgeExtras).needs_images
        if figures.replies < ENOUGH and needs_images and self.opened_judge is not self.judge:
            few = msgspec.structs.replace(self.limits or Limits(), max_calls=None, retries=3)
            if checkup is None or checkup.judge != self.opened_judge.name or not checkup.able:
                checkup = check_up(
                    self.opened_judge, self.asked_by, few, on_progress=on_progress, most_unread=policy.outcomes.unparsed
                )
            expected = asking.plan(checkup.figures)
        else:
            checkup = None
        cells = adaptive.cells if adaptive is not None else []
        return ValidationPlan(
            suite=self.source.name,
            cells=cells,
            policy=policy.name,
            expected=expected,
            most=self.repeats * adaptive.most if adaptive is not None else None,
            answered=figures.replies,
            doctor=checkup,
            able=checkup is None or checkup.able,
        )

    def asking(self, judge: Judge | None = None) -> Asking:
        """The run to ask; `judge`: by default one that is opened anew, since the doctor closes the one it asked."""
        adaptive = self.adaptive
        return self.asking_about(
            PairQuestions(self.source if adaptive is None else adaptive.source),
            self._open_judge() if judge is None else judge,
            self.path,
            templates=[self.asked_by],
            adaptive=adaptive,
            write_files=self._remove_ladder_result,
        )

    def _remove_ladder_result(self, path: Path) -> None:
        """Remove an older result of ladders from the folder of a run; `ladder_results` writes it anew."""
        if self.of_ladders:  # the older result may have fewer ladders
            (path / RESULT_FILE).unlink(missing_ok=True)

    def askings(self) -> Iterator[Asking]:
        """The one run of a validation."""
        yield self.asking()

    def conclude(self) -> Certified | LadderResults:
        """The result of the complete run, which is also written into its folder.

        It is the diagnosis and certificate or, for ladders, how far the judge was shown to see on each.
        """
        if isinstance(self.adaptive, LadderQuestions):
            return ladder_results(self.path, self.rules, self.adaptive.attempt)
        diagnosis, certificate = diagnose([self.path]), certify(self.path, self.rules)
        keep_certificate(self.path, certificate)
        return Certified(diagnosis, certificate, kept_in(self.path, self.rules.name))

    def _open_judge(self) -> Judge:
        """The judge, opened anew with the keys of the questions that are asked now."""
        return self.open_judge(self.judge, self._keys)

    def _keys(self) -> Iterator[Key]:
        """The truth of the questions that are asked now, for planted judges."""
        return self.adaptive.keys() if self.adaptive is not None else keys(self.source)


def _undecided(certificate: Certificate) -> list[str]:
    """The cells that a certificate does not decide."""
    return [name for name, cell in certificate.cells.items() if cell.verdict == NOT_ENOUGH]


def _use_for(target: str | PromptSet) -> Target:
    """The use that a name or a prompt set means: pictures in a folder, prompts, or a suite.

    For pictures and prompts it has the suite, and the laws or families in it, that test what their checks ask.
    """
    name = target if isinstance(target, str) else target.name
    if is_drawn := isinstance(target, str) and (Path(name) / IMAGES_FILE).is_file():
        drawn_there = read_manifest(Path(name))
        ids = {row.prompt_id for row in drawn_there.rows}
        prompts = drawn_there.prompts.holding([prompt for prompt in drawn_there.prompts.prompts if prompt.id in ids])
        name, images, target_words = prompts.name, name, f"the pictures in {name}, of the prompt set {prompts.name}"
    elif not isinstance(target, str) or _names_prompts(name):
        prompts = load_prompts(target) if isinstance(target, str) else target
        images, target_words = "", f"the prompt set {prompts.name}"
    else:
        suite, laws = certifying_suite(name)
        rule = f"the families and laws of {name}, by the rule of {suite}, and not with its seed, counts and parameters"
        return Target(suite, laws, words="" if suite == name else rule)
    needed = needed_cells(prompts.prompts)
    if not needed:
        families = families_for(prompts.prompts)
        words = f"{target_words}: the families of drawn pairs that test what its questions need: {', '.join(families)}"
        return Target(suite_for(()), tuple(families), name, words, images)
    words = f"{target_words}{': their' if is_drawn else ', whose'} checks ask about {counted(len(needed), 'law')}"
    return Target(suite_for(needed), tuple(needed), name, words, images)


def _names_prompts(name: str) -> bool:
    """True if a name is that of a prompt set, False if of a suite; InputError if of neither."""
    path = Path(name)
    if name in names() or name.lower().endswith(SUFFIXES):
        return True
    if catalog.is_path(name) and path.is_file():
        return formats.read_toml(path).get("format") == PROMPTS_FORMAT
    suites = catalog.names("scenes")
    if not (catalog.is_path(name) or path.is_dir() or is_shipped(name)):
        raise unknown("prompt set or suite", name, {*names(), *suites})
    return False
