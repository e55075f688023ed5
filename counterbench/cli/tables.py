"""Scores as tables for people. Colours as in the paper's Table 2: green from 90, yellow from 70, red below."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from counterbench.answers import PARSER_VERSION
from counterbench.cli.grid import Cell, Table, cell
from counterbench.cli.written import flat
from counterbench.drawing.styles import FLAT
from counterbench.runs.names import Called, short_names
from counterbench.runs.usage import Usage
from counterbench.scoring.scores import CATEGORIES, Document, Score, Share, Signature, band
from counterbench.scoring.soft_scores import SoftScore
from counterbench.text import counted

COLOURS = {"high": "green", "middle": "yellow", "low": "red"}
# Categories and measures where there is little room.
SHORT = {
    "spatial": "spat",
    "attribute": "attr",
    "counting": "count",
    "containment": "cont",
    "causal": "caus",
    "control": "ctrl",
    "orig": "orig",
    "int": "int",
    "stability": "stab",
}
LOST = ("unparsed", "refused", "failed")
# Headers of the measures.
COLUMNS = {
    "pairs": "pairs",
    "orig": "acc orig",
    "int": "acc int",
    "ccs": "CCS [95 %]",
    "gap": "gap",
    "stability": "stability",
    "answered": "answered",
    "ccs answered": "CCS answered",
    **{name: name for name in ("answer", *LOST)},
}
MEASURES = ("pairs", "orig", "int", "ccs", "gap", "stability")
# Of ids that are listed in a line.
MOST_IDS = 5
# What became of a reply that is no answer.
_NO_ANSWER = {"unparsed": "could not be read as an answer (unparsed)", "refused": "declined (refused)"}


def percent(share: Share, interval: bool = False) -> Cell:
    """A share in per cent, coloured; with its interval on demand; a dash where it is undefined."""
    if share.value is None or share.low is None or share.high is None:
        return cell("–", "dim")
    text = cell(f"{100 * share.value:.1f}", COLOURS[band(share)])
    if interval:
        text.append(f" [{100 * share.low:.1f}, {100 * share.high:.1f}]", style="dim")
    return text


def ccs_table(documents: Sequence[Document]) -> Table:
    """CCS by category, a row for each judge: the paper's Table 2."""
    names = [n for n in CATEGORIES if any(n in d.categories for d in documents)]
    names += sorted({n for d in documents for n in d.categories} - set(names))
    counts = {(d.overall.ccs.of, d.overall.pairs) for d in documents}
    alike = len(counts) == 1 and len(set(*counts)) == 1  # every judge has both replies to every pair
    table = Table("CCS by category (%)" + (f", {documents[0].overall.pairs} pairs" if alike else ""))
    places = places_of([doc.signature for doc in documents])
    for name in ("judge", *places):
        table.add_column(name)
    for name, short in abbreviated(names).items():
        table.add_column(name, short, justify="right")
    table.add_column("overall [95 %]", justify="right")
    if not alike:
        table.add_column("pairs", justify="right")
    for doc, judge in zip(documents, judge_names(documents), strict=True):
        cells = [percent(doc.categories[n].ccs) if n in doc.categories else cell("–") for n in names]
        mark = "" if doc.complete else " (incomplete)"
        counted = [] if alike else [f"{doc.overall.ccs.of}/{doc.overall.pairs}"]
        place = [getattr(doc.signature, name) for name in places]
        table.add_row(judge + mark, *place, *cells, percent(doc.overall.ccs, interval=True), *counted)
    return table


def measures_table(documents: Sequence[Document]) -> Table:
    """The measures over all pairs, a row for each judge: a paper's main table. `ccs_table` has CCS's intervals."""
    table = Table("Measures over all pairs (%)")
    places = places_of([doc.signature for doc in documents])
    for name in ("judge", *places):
        table.add_column(name)
    for name in MEASURES:
        table.add_column("CCS" if name == "ccs" else COLUMNS[name], SHORT.get(name, ""), justify="right")
    for doc, judge in zip(documents, judge_names(documents), strict=True):
        mark = "" if doc.complete else " (incomplete)"
        place = [getattr(doc.signature, name) for name in places]
        table.add_row(judge + mark, *place, *_cells(doc.overall, MEASURES))
    return table


def abbreviated(names: Sequence[str]) -> dict[str, str]:
    """Each category with a header about as wide as its figures: the beginning that no other name has."""
    found = {}
    for name in names:
        least = next((n for n in range(5, len(name)) if sum(other.startswith(name[:n]) for other in names) == 1), None)
        found[name] = SHORT.get(name) or name[:least]
    return found


def detail_table(doc: Document, judge: str, everything: bool = False) -> Table:
    """The measures of one run, overall and by category; with `everything`, of its families and each that there is.

    Families that are all of their category are not said twice.
    """
    shown = [*MEASURES]
    shown += [name for name in LOST if doc.overall.outcomes[name]]
    if everything:
        shown = list(COLUMNS)
    table = Table(f"{judge} on {doc.signature.suite}, {doc.signature.scoring} scoring (%)")
    table.add_column()
    for name in shown:
        table.add_column(COLUMNS[name], SHORT.get(name, ""), justify="right")
    rows = [("overall", doc.overall), *doc.categories.items()]  # a user's own category may have that name
    alone = {n: of[0] for n, of in doc.families_of.items() if len(of) == 1}
    repeated = {family for n, family in alone.items() if doc.families[family].pairs == doc.categories[n].pairs}
    intervals = ("ccs", "stability") if everything else ("ccs",)
    for i, (name, numbers) in enumerate(rows):
        table.add_row(name, *_cells(numbers, shown, intervals), end_section=i == 0)
        for family in doc.families_of.get(name, ()) if everything and i else ():
            if family not in repeated:
                table.add_row(f"· {family}", *_cells(doc.families[family], shown, intervals))
    return table


def _cells(numbers: Score, shown: Iterable[str], intervals: Sequence[str] = ()) -> list[str | Cell]:
    """The cells under `shown`; those of `intervals` with theirs. Pairs: those with both replies, of all."""
    gap = cell("–") if numbers.gap.value is None else cell(f"{100 * numbers.gap.value:.1f}".replace("-", "−"))
    found: dict[str, str | Cell] = {
        "pairs": _counted_pairs(numbers),
        "orig": percent(numbers.acc_original),
        "int": percent(numbers.acc_intervened),
        "ccs": percent(numbers.ccs, interval="ccs" in intervals),
        "gap": gap,
        "stability": percent(numbers.stability, interval="stability" in intervals),
        "answered": str(numbers.answered),
        "ccs answered": percent(numbers.ccs_answered, interval=True),
        **{name: str(count) for name, count in numbers.outcomes.items()},
    }
    return [found[name] for name in shown]


def _counted_pairs(numbers: Score) -> str:
    both = numbers.ccs.of
    return str(numbers.pairs) if both == numbers.pairs else f"{both}/{numbers.pairs}"


def legend(documents: Sequence[Document], everything: bool) -> list[str]:
    """What the columns of scores are, a line each."""
    lines = ["CCS: the share of pairs on which a judge is right about both pictures; failed calls are left out"]
    lines.append("orig, int: right about the original, about the intervened picture; gap: right about the first only")
    lines.append("stability: the same answer to both pictures, of the pairs whose answer must stay")
    if any(doc.overall.ccs.of < doc.overall.pairs for doc in documents):
        lines.append("pairs: those with a reply to both pictures, of all")
    if everything:
        lines.append("answered: pairs with an answer to both pictures; CCS answered: CCS of those alone")
    return lines


def judge_names(documents: Sequence[Document]) -> list[str]:
    """The short name of each run's judge."""
    return short_names([doc.signature for doc in documents])


def judge_lines(names: Sequence[str], called: Sequence[Called]) -> list[str]:
    """The judges as they were asked for, each once, where their names are shorter."""
    told = {name: each.judge for name, each in zip(names, called, strict=True) if each.judge != name}
    return [f"{name} is {judge}" for name, judge in told.items()]


def places_of(signatures: Sequence[Signature]) -> list[str]:
    """What says of each run where its numbers were had, if that is not the same for all, or is not the usual style."""
    places = []
    if len({signature.suite for signature in signatures}) > 1:
        places.append("suite")
    if any(signature.style != FLAT for signature in signatures):
        places.append("style")
    digests = {signature.suite_digest for signature in signatures}
    return places or (["suite"] if len(digests) > 1 else [])


def signature_line(s: Signature) -> str:
    """What the numbers of a run are numbers of."""
    style = "" if s.style == FLAT else f" · style {s.style}"
    return (
        f"suite {s.suite} {s.suite_digest}{style} · wording {s.wording} {s.wording_digest[:8]} · parser {s.parser} · "
        f"scoring {s.scoring} · truth {s.truth} · counterbench {s.version}"
    )


def outcome_lines(judge: str, doc: Document) -> list[str]:
    """What the table must not leave unsaid: incomplete runs, lost answers, suspect subtasks."""
    outcomes = doc.overall.outcomes
    lines = []
    if not doc.complete:
        lines.append(f"{judge}: INCOMPLETE, {doc.unfinished}")
    if doc.by_cells:
        lines.append(f"{judge}: asked until each cell was decided: unclear cells count more often in its overall CCS")
    lost = [f"{outcomes[name]} {name}" for name in LOST if outcomes[name]]
    if lost:
        lines.append(f"{judge}: of {counted(sum(outcomes.values()), 'question')} {', '.join(lost)}")
    if (reread := doc.reread) is not None:
        told = f"{judge}: read by parser {', '.join(reread.parsers)} when asked, by parser {PARSER_VERSION} here"
        shown = ", ".join(reread.ids[:MOST_IDS]) + (", …" if reread.count > MOST_IDS else "")
        lines.append(f"{told}; {reread.count} are an answer to one and none to the other: {shown}" if shown else told)
    return lines


def score_rows(documents: Sequence[Document]) -> list[dict[str, Any]]:
    """Every number of every run for CSV, fractions: a row for the whole, each category and each family."""
    rows = []
    for doc, judge in zip(documents, judge_names(documents), strict=True):
        s = doc.signature
        run = {"run": doc.run, "judge": judge, "suite": s.suite, "suite_digest": s.suite_digest, "scoring": s.scoring}
        for part, scores in (("overall", {"": doc.overall}), ("category", doc.categories), ("family", doc.families)):
            for name, numbers in scores.items():
                rows.append(run | {"part": part, "name": name} | flat(msgspec.to_builtins(numbers)))
    return rows


def observation_lines(judge: str, seen: Usage) -> list[str]:
    """What was observed on the way and changes what the numbers mean."""
    lines = []
    if len(seen.models) > 1:
        names = ", ".join(f"{name} ({counted(count, 'reply', 'replies')})" for name, count in seen.models.items())
        lines.append(f"{judge}: THE MODEL CHANGED within the run; the server answered as {names}")
    if seen.finishes.get("length"):
        cut = counted(seen.finishes["length"], "reply was", "replies were")
        lines.append(f"{judge}: {cut} cut off at the length limit; raise max_tokens")
    if seen.dropped:
        lines.append(f"{judge}: the server refused {', '.join(seen.dropped)}; asked without")
    if (found := seen.canaries) is not None and found.share is None:
        lines.append(f"{judge}: none of {found.asked} canaries got a reply at the end of the run")
    elif found is not None and found.share is not None:
        lines.append(
            f"{judge}: {found.changed} of {found.replied} canaries ({100 * found.share:.1f} %) got another "
            f"answer at the end of the run, {found.reworded} other words"
        )
    if seen.failed_attempts:
        kinds = ", ".join(f"{count} {kind}" for kind, count in seen.failed_attempts.items())
        failed = sum(seen.failed_attempts.values())
        lines.append(f"{judge}: {failed} of {counted(seen.attempts, 'attempt')} failed: {kinds}")
    replies = seen.attempts - sum(seen.failed_attempts.values())
    for kind, example in seen.examples.items():
        if kind in _NO_ANSWER:
            told = f"{seen.outcomes[kind]} of {counted(replies, 'reply', 'replies')} {_NO_ANSWER[kind]}, such as"
            lines.append(f"{judge}: {told}: {example}")
        elif example:
            lines.append(f"{judge}: {kind}, such as: {example}")
    return lines


def cost_lines(judge: str, seen: Usage) -> list[str]:
    """What all attempts of a run cost, where that is known and not nothing."""
    if not seen.cost:
        return []
    known = seen.tokens_in is not None and seen.tokens_out is not None
    reasoned = f", {seen.tokens_reasoning} of them to reason" if seen.tokens_reasoning else ""
    tokens = f" ({seen.tokens_in} tokens in, {seen.tokens_out} out{reasoned})" if known else ""
    return [f"{judge}: cost {seen.cost:.4f} USD{tokens}"]


def soft_line(judge: str, soft: SoftScore) -> str:
    """How sure and how right a judge was on its yes/no questions."""
    return (
        f"{judge}: yes/no by {soft.origin}, {soft.questions} questions: P(right answer) {soft.p_right:.3f}, "
        f"Brier {soft.brier:.3f}, residual {soft.residual:.3f}"
    )
