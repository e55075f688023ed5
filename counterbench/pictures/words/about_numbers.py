"""Notes on models' scores: what their numbers mean and rest on, what is missing from them, and what stands out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from counterbench.laws.base import NO_CHANGE
from counterbench.pictures.protocols.cf_eval import SCORINGS
from counterbench.pictures.scores.document import (
    ModelDocument,
    NotShared,
    SoftCounts,
)
from counterbench.pictures.words.run_names import cut_list, repeats_words, unit
from counterbench.results.measures import heading, plain, with_interval
from counterbench.stats.clusters import FEWEST
from counterbench.stats.intervals import Estimate
from counterbench.text import counted, listed

# The generator whose truth is made up check by check, so that its pictures may "show" outcomes that exclude each other.
_CARDS = "planted:card"
_MAJORITY = 0.5  # the least share of pictures that counts as most of them


def no_change_lines(document: ModelDocument) -> list[str]:
    """A line with the scores of the groups in which nothing happens, if the headline leaves them out; else none."""
    count = document.slice_units.get("depth", {}).get(NO_CHANGE, 0)
    if count in (0, document.groups):
        return []
    numbers = document.slices["depth"][NO_CHANGE]
    names = [name for name in ("s_l3", "rrr") if name in numbers] or document.headline
    scores = ", ".join(f"{heading(name)} {plain(numbers[name].value)}" for name in names)
    groups = counted(count, f"no-change {unit(document)}")
    return [f"{groups}, left out of the headline: {scores}"]


def shared_lines(documents: Sequence[ModelDocument], in_full: bool = False) -> list[str]:
    """The lines of `shared_line` for all runs, each once; `in_full`: name every prompt that a model lacks."""
    lines = (line for run in documents for line in shared_line(run.not_shared, unit(run) == "prompt", in_full))
    return list(dict.fromkeys(lines))


def shared_line(not_shared: NotShared | None, one_level: bool, in_full: bool = False) -> list[str]:
    """A line on the prompts that some models lack, if there are any; `in_full`: name each of these prompts.

    "Scored on the 20 prompts that all models have; not compared: 20 prompts that b lacks (p20, p21, p22 and 17 more)"
    """
    if not_shared is None:
        return []
    by_models: dict[tuple[str, ...], list[str]] = {}
    for id, models in not_shared.lacking.items():
        by_models.setdefault(tuple(models), []).append(id.rpartition("/")[0] if one_level else id)
    others = listed(
        f"{counted(len(ids), 'prompt')} that {listed(models)} {'lacks' if len(models) == 1 else 'lack'} "
        f"({cut_list(ids, in_full)})"
        for models, ids in by_models.items()
    )
    if not_shared.shared:
        return [f"Scored on the {counted(not_shared.shared, 'prompt')} that all models have; not compared: {others}"]
    return [f"The models share no prompt, so their scores are on different prompts and no model is ranked: {others}"]


def unit_count_lines(document: ModelDocument) -> list[str]:
    """A line with the number of groups that each number is a mean of; none if all numbers have as many."""
    names = [
        name for name in (*document.headline, *document.secondary) if not name.startswith("missing_")
    ]  # "missing_…" is of some laws only
    counts = {name: document.rests_on[name] for name in names if name in document.rests_on}
    if len(set(counts.values())) < 2:
        return []
    shares = ", ".join(f"{heading(name)} {count}" for name, count in counts.items())
    rates = " or ".join(heading(name) for name in ("prr", "rrr") if name in counts)
    remark = f"; {rates} needs both levels" if rates else ""
    return [f"number of {unit(document)}s scored, of {document.groups}: {shares}{remark}"]


def brief_legend(documents: Sequence[ModelDocument]) -> list[str]:
    """Lines with the meanings of CF-Eval's numbers (L1, L2, L3, PRR, RRR), and on those without a gate."""
    for provenance in [document.provenance for document in documents if "prr" in document.headline][:1]:
        prr, rrr = _rates(provenance.scoring)
        meanings = f"L1 real law, L2 altered with outcome, L3 altered alone; PRR {prr}, RRR {rrr}".replace("S_", "")
        return [meanings, *_ungated_lines(documents)]
    return _ungated_lines(documents)


def _ungated_lines(documents: Sequence[ModelDocument]) -> list[str]:
    """A line for each prompt set whose S_L2 or S_L3 has no gate, since it lacks a level."""
    names = {document.provenance.prompts: [name for name in ("s_l2", "s_l3") if name in document.headline]
             for document in documents if "prr" not in document.headline}  # fmt: skip
    return [
        f"{prompts}: {' and '.join(map(heading, columns))} not gated, since the set has not all of L1, L2 and L3; "
        "`compare` gates a variant by the original's L1"
        for prompts, columns in names.items()
        if columns
    ]


def _rates(scoring: str) -> tuple[str, str]:
    """The formulas of PRR and RRR under a scoring, as texts."""
    return ("S_L2/S_L1", "S_L3²/S_L2") if SCORINGS[scoring].rates == "readme" else ("S_L2/√S_L1", "S_L3/√S_L2")


def legend(documents: Sequence[ModelDocument]) -> list[str]:
    """The meanings of the names of these runs' numbers, a line each."""
    lines = _ungated_lines(documents)
    for provenance in [document.provenance for document in documents if "prr" in document.headline][:1]:
        prr, rrr = _rates(provenance.scoring)
        lines.append(f"PRR (prior resistance) = {prr}; RRR (reasoning retention) = {rrr}")
        lines.append(f"gated away: share with S_L1 below {provenance.threshold:g}, whose L2 and L3 count 0")
    if any(name.startswith("prior_") for document in documents for name in document.columns):
        lines.append("prior: share of pictures that show the real law's outcome, not the one asked for")
    if any(name.startswith("missing_") for document in documents for name in document.columns):
        lines.append("missing: share of pictures in which the subject is not there, as the presence check says")
    if any("no-change" in document.slices.get("depth", ()) for document in documents):
        lines.append("no-change: the subject ends as it began, so a model that draws the start passes")
    if any(document.provenance.prompts == "r2i-bench" and document.slices.get("dimension") for document in documents):
        lines.append(
            "dimensions: guessed from the questions' weights by the paper's ranges (7-10 reasoning, 4-6 alignment, 1-3 "
            "quality); mathematics, which does not keep to them, is in none"
        )
    if any(document.leaning is not None for document in documents):
        lines.append("leans to yes: the share of yes to both minus that of no to both; 0: no bias to either")
    return lines


def no_interval_lines(documents: Sequence[ModelDocument], shown_numbers: Iterable[Mapping[str, Estimate]]) -> list[str]:
    """A line on why some of the `shown_numbers` of these runs have no interval; none if all have one."""
    defined = [number for numbers in shown_numbers for number in numbers.values() if number.value is not None]
    if all(number.low is not None for number in defined):
        return []
    where = " in some rows" if any(number.low is not None for number in defined) else ""
    laws = "laws (groups, if there is one law; laws of unequal sizes count as fewer)"
    units = laws if any(document.slices.get("law") for document in documents) else f"{unit(documents[0])}s"
    units += " (those of the same words count as fewer)" if any(map(repeats_words, documents)) else ""
    return [f"no interval{where}: intervals need at least {FEWEST} {units}"]


def notable(document: ModelDocument) -> list[str]:
    """A list with a sentence on what stands out in a run's numbers; empty if nothing does.

    For laws: that most groups fail the gate (the real law), or that most pictures show the usual outcome; otherwise the
    parts with the lowest and the highest score.
    """
    gated_share = document.columns.get("share_gated")
    if gated_share is not None and (gated_share.value or 0) >= _MAJORITY:
        share = f"{100 * (gated_share.value or 0):.0f} %"
        return [f"{document.generator} fails the real law: {share} of its groups are below the gate: 0 at L2 and L3"]
    priors = {level: document.columns.get(f"prior_{level}") for level in ("l2", "l3")}
    shares = [f"{100 * (prior.value or 0):.0f} % at {level.upper()}"
            for level, prior in priors.items() if prior is not None and (prior.value or 0) >= _MAJORITY]  # fmt: skip
    if shares:
        return [f"{document.generator} ignores altered laws: its pictures show the usual outcome, {', '.join(shares)}"]
    column = document.headline[-1]
    for kind in ("category", "dimension", "subcategory") if column in ("score", "s") else ():
        parts = {name: part[column].value for name, part in document.slices.get(kind, {}).items() if column in part}
        values = {name: value for name, value in parts.items() if value is not None}
        if len(values) > 1:
            low, high = (extreme(values, key=lambda name: values[name]) for extreme in (min, max))
            return [f"{document.generator} by {kind}: lowest in {low} ({plain(values[low])}), "
                    f"highest in {high} ({plain(values[high])})"] if values[low] < values[high] else []  # fmt: skip
    return []


def losses(document: ModelDocument) -> list[str]:
    """Lines on the pictures and replies that are missing from a run's numbers."""
    lines = []
    counts = document.counts.values()
    if not document.complete:
        missing = sum(level.statuses["missing"] + level.statuses["unreadable"] for level in counts)
        unasked = sum(level.outcomes["failed"] + level.outcomes["unasked"] for level in counts)
        lines.append(
            f"INCOMPLETE, {counted(missing, 'picture')} missing or unreadable, "
            f"{counted(unasked, 'check')} failed or not asked"
        )
    pictures = {status: sum(level.statuses[status] for level in counts) for status in ("refused", "blank")}
    replies = {outcome: sum(level.outcomes[outcome] for level in counts) for outcome in ("unparsed", "refused")}
    kinds = [f"{counted(count, 'picture')} {status}" for status, count in pictures.items() if count]
    kinds += [f"{counted(count, 'reply', 'replies')} {outcome}" for outcome, count in replies.items() if count]
    return lines + ([", ".join(kinds)] if kinds else [])


def warnings(document: ModelDocument) -> list[str]:
    """Lines on what speaks against a run's numbers: lost pictures and replies, and answers that exclude each other."""
    lines = losses(document)
    if document.soft is not None:
        lines.append(soft_line(document.soft))
    of_cards = document.provenance.generator.startswith(_CARDS)
    for column, share in document.columns.items() if not of_cards else ():
        if column.startswith("both_") and share.value:
            lines.append(
                f"at {column.removeprefix('both_')} the judge affirms both the prior's outcome and the asked one for a "
                f"share of {with_interval(share)} of pictures; they exclude each other, so it says yes too often"
            )
    return lines


def leaning_lines(document: ModelDocument) -> list[str]:
    """A line on the judge's answers to checks that were asked as they are and negated; none if no check was."""
    if (lean := document.leaning) is None:
        return []
    yes = f"{counted(lean.pairs, 'check')} asked as they are and negated: yes to both {plain(lean.both_yes.value)}"
    return [f"{yes}, no to both {plain(lean.both_no.value)}; the judge leans to yes by {with_interval(lean.leaning)}"]


def notes(document: ModelDocument) -> list[str]:
    """Lines that a reader of a run's numbers needs: its `warnings`, and what to compare RRR with."""
    lines = warnings(document)
    if "rrr" in document.headline and not document.references:
        lines.append(
            "RRR is not monotone: compare it only beside those of the planted models prior, literal and starter"
        )
    return lines


def soft_line(soft: SoftCounts) -> str:
    """A line on a scoring by probability: how many answers have one, and how much of it is on neither yes nor no."""
    if not soft.answers:
        return "soft scoring: no yes/no check was answered; grades count as they are"
    line = f"soft scoring: {soft.with_probabilities} of {counted(soft.answers, 'yes/no answer')} have probabilities"
    lost_text = " (the others are lost)" if soft.with_probabilities < soft.answers else ""
    neither_text = "" if soft.neither is None else f"; {soft.neither:.3f} of the probability is on neither yes nor no"
    return line + lost_text + neither_text
