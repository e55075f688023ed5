"""Scores as tables for people. Colours as in the paper's Table 2: green from 90, yellow from 70, red below."""

from __future__ import annotations

from collections.abc import Sequence

from counterbench.answers import PARSER_VERSION
from counterbench.cli.grid import Cell, Table, cell
from counterbench.runs.usage import Usage
from counterbench.scoring.scores import CATEGORIES, Document, Score, Share, Signature, band
from counterbench.scoring.soft_scores import SoftScore

COLOURS = {"high": "green", "middle": "yellow", "low": "red"}
# Of ids that are listed in a line.
MOST_IDS = 5


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
    table = Table("CCS by category (%)")
    several = len({doc.signature.suite_digest for doc in documents}) > 1
    table.add_column("judge", no_wrap=True)
    if several:
        table.add_column("suite", no_wrap=True)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("overall [95 %]", justify="right", no_wrap=True)
    table.add_column("pairs", justify="right", no_wrap=True)
    for doc in documents:
        cells = [percent(doc.categories[n].ccs) if n in doc.categories else cell("–") for n in names]
        mark = "" if doc.complete else " (incomplete)"
        counted = f"{doc.overall.ccs.of}/{doc.overall.pairs}"
        suite = [doc.signature.suite] if several else []
        table.add_row(doc.signature.judge + mark, *suite, *cells, percent(doc.overall.ccs, interval=True), counted)
    return table


def detail_table(doc: Document) -> Table:
    """Every measure of one run: overall, by category, by family."""
    title = (
        f"{doc.signature.judge} on {doc.signature.suite}, {doc.signature.scoring} scoring (%, CCS and stability [95 %])"
    )
    table = Table(title)
    table.add_column("", no_wrap=True)
    columns = ("pairs", "acc orig", "acc int", "CCS", "CCS answered", "gap", "stability")
    for column in (*columns, "answer", "unparsed", "refused", "failed"):
        table.add_column(column, justify="right", no_wrap=True)
    table.add_row("overall", *_cells(doc.overall), end_section=True)
    for i, (name, numbers) in enumerate(doc.categories.items()):
        table.add_row(name, *_cells(numbers), end_section=i == len(doc.categories) - 1)
    for name, numbers in doc.families.items():
        table.add_row(f"· {name}", *_cells(numbers))
    return table


def _cells(numbers: Score) -> list[str | Cell]:
    gap = cell("–") if numbers.gap.value is None else cell(f"{100 * numbers.gap.value:.1f}")
    return [
        str(numbers.pairs),
        percent(numbers.acc_original),
        percent(numbers.acc_intervened),
        percent(numbers.ccs, interval=True),
        percent(numbers.ccs_answered),
        gap,
        percent(numbers.stability, interval=True),
        *(str(count) for count in numbers.outcomes.values()),
    ]


def signature_line(s: Signature) -> str:
    """What the numbers of a run are numbers of."""
    return (
        f"suite {s.suite} {s.suite_digest} · wording {s.wording} {s.wording_digest[:8]} · parser {s.parser} · "
        f"scoring {s.scoring} · truth {s.truth} · counterbench {s.version}"
    )


def outcome_lines(doc: Document) -> list[str]:
    """What the table must not leave unsaid: incomplete runs, lost answers, suspect subtasks."""
    judge, outcomes = doc.signature.judge, doc.overall.outcomes
    lines = []
    if not doc.complete:
        lines.append(f"{judge}: INCOMPLETE, {doc.missing} questions not asked, {outcomes['failed']} failed")
    lost = {name: outcomes[name] for name in ("unparsed", "refused", "failed") if outcomes[name]}
    if lost:
        lines.append(f"{judge}: " + ", ".join(f"{count} {name}" for name, count in lost.items()))
    if (reread := doc.reread) is not None:
        told = f"{judge}: read by parser {', '.join(reread.parsers)} when asked, by parser {PARSER_VERSION} here"
        shown = ", ".join(reread.ids[:MOST_IDS]) + (", …" if reread.count > MOST_IDS else "")
        lines.append(f"{told}; {reread.count} are an answer to one and none to the other: {shown}" if shown else told)
    return lines


def observation_lines(judge: str, seen: Usage) -> list[str]:
    """What was observed on the way and changes what the numbers mean."""
    lines = []
    if len(seen.models) > 1:
        names = ", ".join(f"{name} ({count} replies)" for name, count in seen.models.items())
        lines.append(f"{judge}: THE MODEL CHANGED within the run; the server answered as {names}")
    if seen.finishes.get("length"):
        lines.append(f"{judge}: {seen.finishes['length']} replies were cut off at the length limit; raise max_tokens")
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
        lines.append(f"{judge}: of {seen.attempts} attempts failed: {kinds}")
    lines += [f"{judge}: {kind}, such as: {example}" for kind, example in seen.examples.items() if example]
    return lines


def cost_lines(judge: str, seen: Usage) -> list[str]:
    """What all attempts of a run cost, where that is known and not nothing."""
    if not seen.cost:
        return []
    known = seen.tokens_in is not None and seen.tokens_out is not None
    tokens = f" ({seen.tokens_in} tokens in, {seen.tokens_out} out)" if known else ""
    return [f"{judge}: cost {seen.cost:.4f} USD{tokens}"]


def soft_line(judge: str, soft: SoftScore) -> str:
    """How sure and how right a judge was on its yes/no questions."""
    return (
        f"{judge}: yes/no by {soft.origin}, {soft.questions} questions: P(right answer) {soft.p_right:.3f}, "
        f"Brier {soft.brier:.3f}, residual {soft.residual:.3f}"
    )
