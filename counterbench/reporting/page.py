"""The page about pairs: templates filled with the gathered data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from counterbench.answers.outcomes import OUTCOME_NAMES
from counterbench.certificate import Certificate, Verdict
from counterbench.certificate.cells import unit
from counterbench.diagnosis.document import Measures
from counterbench.reporting import words
from counterbench.reporting.dots import Plot
from counterbench.reporting.frame import Fact, render
from counterbench.reporting.gather import JudgeRun, ReportData
from counterbench.reporting.pairs import OUTCOMES, PairCard
from counterbench.reporting.pictures import Placed
from counterbench.reporting.plots import matrices, without_errors
from counterbench.reporting.words import counted, percent
from counterbench.scoring.scores import Document, Score, Share, band, share
from counterbench.text import listed

CONTENTS = {
    "summary": "Verdict",
    "scores": "Scores",
    "diagnosis": "Diagnosis",
    "errors": "Confusions",
    "difficulty": "Difficulty",
    "templates": "Prompt templates",
    "comparison": "Comparison",
    "certificates": "Certificates",
    "provenance": "Provenance",
    "gallery": "Gallery of pairs",
}
ITEM_KINDS = {
    "agreed": "Pairs whose replies agree on an answer that the truth denies",
    "all-miss": "Pairs that every judge misses",
    "all-zero": "Subtasks where every judge scores 0",
    "all-right": "Subtasks where every judge is right throughout",
}
_AGREEMENTS = {
    "differ": "judges disagree: some right on both, some not",
    "none": "no judge right on both",
    "all": "every judge right on both",
}


def page(data: ReportData, plots: Sequence[Plot], cards: Sequence[PairCard], placed: Placed, note: str) -> str:
    """The report as one HTML document; `note`: a sentence about its pictures."""
    first, pairs = data.runs[0].document, data.runs[0].results.pairs
    judges = [run.label for run in data.runs]
    labels = {run.document.run: run.label for run in data.runs}
    relevant = sum(pair.key.relevant for pair in pairs)
    s = first.provenance
    seed = [] if s.seed is None else [f"seed {s.seed}"]
    templates = listed(sorted({doc.provenance.template for doc in data.documents}))
    width, height = placed.size
    return render(
        "pairs",
        _FILTERS,
        script="pairs.js",
        gallery={
            "pairs": cards, "judges": judges, "outcomes": OUTCOMES, "base": placed.base,
            "width": width, "height": height,
        },
        plots=plots,
        contents=CONTENTS if any(run.flips for run in data.runs) else CONTENTS | {"templates": ""},
        title=f"{judges[0] if len(judges) == 1 else f'{len(judges)} judges'} on {s.suite}",
        lede=f"{counted(first.overall.pairs, 'pair')} of pictures that differ in exactly one declared way, with one "
        f"question about both. In {relevant:,} the answer must change, in {len(pairs) - relevant:,} it must stay. The "
        "Counterfactual Consistency Score (CCS) is the share of pairs that a judge gets right on both pictures.",
        stamp=[
            f"suite {s.suite} {s.suite_digest[:8]}", *seed, f"template {templates}", f"scoring {s.scoring}",
            f"parser {s.parser}", f"truth {s.truth}", f"counterbench {s.version}",
        ],
        data=data,
        first=first,
        kinds=ITEM_KINDS,
        labels=labels,
        names={c.judge: labels[c.run] for c in data.comparison.runs} if data.comparison else {},
        matrices=matrices(data),
        right={kind: without_errors(data, kind) for kind in ("colours", "counts")},
        outcome_names=list(OUTCOME_NAMES),
        provenance=[(run.label, list(_provenance(run))) for run in data.runs],
        filters=[
            ("family", "Family", "all families", [(name, name) for name in first.families]),
            ("outcome", "Outcome", "any outcome", list(OUTCOMES.items())),
            ("judge", "Judge with that outcome", "any judge", list(enumerate(judges))),
            ("agreement", "Agreement", "all pairs", list(_AGREEMENTS.items())),
        ],
        pictures_note=note,
    )  # fmt: skip


def _provenance(run: JudgeRun) -> Iterator[Fact]:
    """The suite, judge and versions that the numbers of a run belong to, and the facts observed while it was asked."""
    s, seen = run.document.provenance, run.document.observed
    seed = "" if s.seed is None else f", seed {s.seed}"
    yield "judge, as asked", "", words.named(s.judge)
    yield "suite", f"{s.suite}{seed}, truth {s.truth}", s.suite_digest
    yield "template", f"{s.template}, {counted(s.votes, 'vote')}", s.template_digest
    yield "scoring", f"{s.scoring}, parser {s.parser}, counterbench {s.version}", ""
    if run.results.info.source:
        yield "imported from", run.results.info.source, ""
    if seen is None:
        return
    if seen.models:
        changed = "the model changed within the run: " if len(seen.models) > 1 else ""
        models = ", ".join(f"{name} ({counted(n, 'reply', 'replies')})" for name, n in seen.models.items())
        yield "models returned", changed + models, ""
    failed = ", ".join(f"{count:,} {kind}" for kind, count in seen.failed_attempts.items())
    yield "attempts", f"{seen.attempts:,}" + (f", of which failed: {failed}" if failed else ""), ""
    if cut := seen.finishes.get("length"):
        yield "cut off", f"{counted(cut, 'reply', 'replies')}, at the length limit", ""
    if seen.dropped:
        yield "refused by the server", ", ".join(seen.dropped), ""
    if seen.cost:
        yield "cost", f"{seen.cost:.4f} US dollars", ""


def _certificate_facts(c: Certificate) -> Iterator[Fact]:
    yield "judge", "", words.named(c.judge)
    if c.models:
        yield "models returned", ", ".join(f"{name} ({count:,})" for name, count in c.models.items()), ""
    unknown = "pictures of which the run does not say what they are like"
    yield "shown on", f"{c.domain.told}, and on no others" if c.domain else unknown, ""
    yield "pairs of", words.asked(c), ""
    yield "truth", "drawn again and the same" if c.truth_checked else c.truth_note, ""
    yield "template, parser, scoring", f"{c.template}, parser {c.parser}, {c.scoring}", c.template_digest
    yield "suite", c.suite, c.suite_digest
    yield "issued", c.time, ""
    yield "digest", "", c.digest


def _groups(document: Document) -> list[tuple[str, str, Score]]:
    return [
        ("overall", "overall", document.overall),
        *(("category", name, score) for name, score in document.categories.items()),
        *(("family", name, score) for name, score in document.families.items()),
    ]


def _flips(measures: Measures) -> str:
    """Sentences about answers that changed, and about the share of yes."""
    relevant, controls, yes = measures.flips, measures.false_flips, measures.yes
    parts = []
    if relevant.of:
        parts.append(
            f"Where the answer must change, it changed in {relevant.hits:,} of {relevant.of:,} pairs answered twice."
        )
    if controls.of:
        parts.append(f"Where it must stay, it changed in {controls.hits:,} of {controls.of:,}.")
    if yes.said.of:
        said, true = percent(yes.said.value), percent(yes.true.value)
        parts.append(f"Yes was said to {said} % of yes/no questions, and true of {true} %.")
    return " ".join(parts)


def _law_rows(c: Certificate) -> Iterator[tuple[str, Verdict, Share, str, Share]]:
    """A row for each law: its name and verdict, all its pairs, and the weakest cell with its pairs."""
    for name, law in c.laws.items():
        cells = [c.cells[cell].ccs for cell in law.cells]
        whole = share(sum(each.hits for each in cells), sum(each.of for each in cells))
        weakest = c.weakest(name)
        yield name, law.verdict, whole, weakest.rpartition("/")[2], c.cells[weakest].ccs


_FILTERS: dict[str, Any] = {
    "admitted": words.admitted,
    "band": band,
    "certificate_facts": _certificate_facts,
    "certificate_summary": words.certificate_summary,
    "fault_summary": words.fault_summary,
    "flips": _flips,
    "groups": _groups,
    "law_rows": _law_rows,
    "p_value": words.p_value,
    "points": words.points,
    "signed": words.signed,
    "unit": unit,
}
