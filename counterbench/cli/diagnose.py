"""The command `diagnose`: faults of a judge, and items that look broken."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.options import AsJson, ScoringOption
from counterbench.cli.printing import command, print_json, say, say_all, say_next
from counterbench.text import counted, points

if TYPE_CHECKING:
    from counterbench.diagnosis.document import Diagnosis, ItemProblem, PriorStrength
    from counterbench.results.scores import Provenance

DOSE = "dose: the share of the questions or pairs that a fault can affect on which it shows"
SHOWN = 10  # pairs of a kind printed in full; more are counted
_OF_SUBTASKS = ("all-zero", "all-right")  # the kinds of problems of whole subtasks; the others are of pairs
# The suite of the next step after few pairs, and a number of its pairs of which FEW (100) or more are relevant.
LARGER, ENOUGH_PAIRS = "counterbench-550", 200


def diagnose(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="One run folder, or several of the same suite."),
    scoring: ScoringOption = "default",
    as_json: AsJson = False,
    verbose: bool = typer.Option(False, "-v", "--verbose", help="Every item that looks broken."),
) -> None:
    """Name the faults that a judge shows, and what each costs.

    Each has its evidence, its effect in points of CCS and example pairs. Several runs together also show items that
    look broken. Example: counterbench diagnose runs/certify--pixels
    """
    from counterbench.cli.tables import judge_lines, places_of, provenance_line
    from counterbench.diagnosis.diagnose import FEW
    from counterbench.diagnosis.diagnose import diagnose as run_diagnose
    from counterbench.runs.usage import short_names

    document = run_diagnose(runs, scoring)
    if as_json:
        print_json(document)
        return
    provenances = [diagnosis.provenance for diagnosis in document.runs]
    names, places = short_names(provenances), places_of(provenances)
    for name, diagnosis in zip(names, document.runs, strict=True):
        style = f" ({diagnosis.provenance.style})" if "style" in places else ""
        say_all([*diagnosis_lines(name + style, diagnosis), *(f"  note: {note}" for note in diagnosis.notes)])
    say_all(item_lines(document.items, verbose))
    if any(diagnosis.faults for diagnosis in document.runs):
        say(DOSE)
    if len({provenance.suite_digest for provenance in provenances}) > 1:
        say("the runs are on different suites: broken items are searched within each suite")
    say_all([*judge_lines(names, provenances), *dict.fromkeys(map(provenance_line, provenances))])
    certifiable = all(provenance.suite != "stickers" for provenance in provenances)
    answered = [run for run, diagnosis in zip(runs, document.runs, strict=True) if _was_answered(diagnosis)]
    if any(run.prior_strength is not None for run in document.runs):  # it has no controls, so nothing to certify
        say_next(command("card", *runs[:1], "--out", "card"))
    elif answered and certifiable and not any(answered[0].glob("certificate-*.json")):
        few = all(diagnosis.measures.flips.of < FEW for diagnosis in document.runs)
        say_next(
            _more_pairs(answered[0], provenances[runs.index(answered[0])]) if few else command("certify", answered[0])
        )
    elif not answered:
        say_next(f"see why nothing was answered: {command('score', runs[0])}")


def diagnosis_lines(judge: str, diagnosis: Diagnosis) -> list[str]:
    """The faults of one judge in words, the largest effect first."""
    from counterbench.diagnosis.document import MIN_SHOWN

    # The head is a finding that comes before all faults.
    head = filter(None, [diagnosis.head, _fault_words(diagnosis)])
    lines = [f"{judge}: {'; '.join(head)}"]
    for fault in diagnosis.faults:
        costs = f"costs {points(fault.effect)} of CCS"
        effect = "its failures are left out of CCS" if fault.name == "failing" else costs
        lines.append(f"  {fault.name} (dose {fault.dose:.2f}): {effect}; {fault.evidence}")
        if fault.pairs:
            lines.append(f"    see {', '.join(fault.pairs)}")
    if diagnosis.unexplained >= MIN_SHOWN:
        lines.append(f"  {points(diagnosis.unexplained)} of CCS are lost to errors that no fault explains")
    if diagnosis.prior_strength is not None and diagnosis.prior_strength.overall.of:
        lines.append(f"  {_prior_words(diagnosis.prior_strength)}")
    for residual in diagnosis.residuals:
        lines.append(f"    {100 * residual.effect:.1f} of them in {residual.words}; see {', '.join(residual.pairs)}")
    return lines


def _more_pairs(run: Path, provenance: Provenance) -> str:
    """The next step after few pairs: a larger probe of the same judge; the same run goes on where it can."""
    from counterbench.cli.certify import is_opened_by_name

    judge = provenance.judge if is_opened_by_name(provenance.judge) else "JUDGE"
    template = ("--template", provenance.template) if provenance.template != "default" else ()
    goes_on = ("--out", run) if provenance.suite == LARGER else ()
    probing = command("probe", LARGER, "--judge", judge, *template, "--limit", ENOUGH_PAIRS, *goes_on)
    return f"ask more pairs, as these are few: {probing}"


def _prior_words(strength: PriorStrength) -> str:
    """The prior strength in words, overall and by naming: the question names the thing, does not, or lies.

    It is the share of pictures of altered things answered as if these were usual, less the reverse share of usual ones.
    """
    from counterbench.results.scores import in_percent

    overall = strength.overall
    low, high = (f"{100 * (end or 0):.1f}" for end in (overall.low, overall.high))
    by_naming = ", ".join(f"{naming} {in_percent(share)}" for naming, share in strength.by_naming.items())
    things = f"these {counted(len(strength.by_thing), 'thing')}"
    altered = f"{in_percent(overall)} [{low}, {high}] more of {counted(overall.of, 'altered picture')}"
    reverse = f"than usual ones as altered ({overall.hits} against {overall.mirrored})"
    return f"prior strength, of {things}: {altered} answered as usual ({by_naming}) {reverse}"


def _fault_words(diagnosis: Diagnosis) -> str:
    """The names of the faults, or the reason why there are none."""
    if diagnosis.faults:
        return ", ".join(fault.name for fault in diagnosis.faults)
    if not _was_answered(diagnosis):
        return "no diagnosis: no pair has an answer to both pictures"
    if diagnosis.residuals:
        return f"no known fault shows, but errors lie in {'; '.join(r.place for r in diagnosis.residuals)}"
    return "no known fault shows"


def _was_answered(diagnosis: Diagnosis) -> bool:
    """True if both pictures of any pair were answered."""
    return bool(diagnosis.measures.flips.of or diagnosis.measures.false_flips.of)


def item_lines(items: list[ItemProblem], everything: bool = False) -> list[str]:
    """Lines on items that look broken: on each subtask, then on the first pairs of each kind.

    `everything`: all pairs have a line.
    """
    lines = [f"{item.where}: {item.evidence}" for item in items if item.kind in _OF_SUBTASKS]
    for kind, words in (("agreed", "judges agree on a wrong answer"), ("all-miss", "every judge misses it")):
        pairs = [item for item in items if item.kind == kind]
        if not pairs:
            continue
        families = ", ".join(f"{family} {count}" for family, count in Counter(p.family for p in pairs).most_common())
        lines.append(f"{counted(len(pairs), 'pair')}: {words} ({families})")
        shown = pairs if everything else pairs[:SHOWN]
        lines += [f"  {item.where}: {item.evidence}" for item in shown]
        if len(shown) < len(pairs):
            lines.append(f"  … and {len(pairs) - len(shown)} more (-v prints all)")
    return lines
