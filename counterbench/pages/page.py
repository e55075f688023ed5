"""Makes the page of a report on judges: the values of its sections, put into HTML templates, and the gallery's cards.

In go the gathered runs (`ReportData`), one for each judge, all about the same pairs. Out come a card for each pair
(`pair_card`), which the page has as JSON, and then one HTML document (`page`). `report` calls both.

A *pair* is two pictures, the original and the intervened one, with one question about both. It is *relevant* if the
true answer differs between them. *CCS* is the share of pairs with a right answer about both.
"""

from collections.abc import Iterator, Mapping, Sequence

import msgspec

from counterbench.answers.outcomes import OUTCOME_NAMES, Answer, Refused, Unparsed
from counterbench.diagnosis.document import MIN_SHOWN
from counterbench.diagnosis.patterns import two_answers
from counterbench.pages import words
from counterbench.pages.frame import Filter, PageFact, Section, dot_plot, render
from counterbench.pages.gather import JudgeRun, ReportData
from counterbench.pages.ladders import ladder_rows, ladders_section
from counterbench.pages.pictures import PlacedPictures
from counterbench.pages.words import counted
from counterbench.results.advice import advice
from counterbench.results.measures import MEASURES
from counterbench.results.results import PairResult
from counterbench.results.rules import Judged
from counterbench.results.scores import Document, Score
from counterbench.runs.folder import BY_CELLS
from counterbench.runs.usage import answered_as
from counterbench.scene.pairs import Pair
from counterbench.text import listed

# The outcomes of a judge's replies to a pair, by name, in the words of the page; several can be true at once.
OUTCOMES: dict[str, str] = {
    "right": "right on both",
    "wrong": "wrong",
    "collapsed": "collapsed: same answer, though the truth differs",
    "unstable": "unstable: another answer, though the truth stays",
    "unparsed": "unparsed",
    "refused": "refused",
    "failed": "failed",
    "missing": "not asked",
}
# The kinds of a diagnosis's `ItemProblem` (items that look broken), by name, in the words of the page.
ITEM_KINDS = {
    "agreed": "Pairs whose replies agree on an answer that the truth denies",
    "all-miss": "Pairs that every judge misses",
    "all-zero": "Subtasks where every judge scores 0",
    "all-right": "Subtasks where every judge is right throughout",
}
# The choices of the gallery's filter for the agreement of judges, by name, in the words of the page.
_AGREEMENTS = {
    "differ": "judges disagree: some right on both, some not",
    "none": "no judge right on both",
    "all": "every judge right on both",
}


class ReplyCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One judge's reply to one picture."""

    said: list[str] = []  # the texts as they came, one for each repeat of the question
    outcome: str = "answer"  # or "unparsed", "refused", "failed", "missing"
    read: str = ""  # the answer that was read from the texts; or why none could be read
    right: bool = False


class JudgeCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """A judge's replies to both questions of a pair, and their outcomes."""

    original: ReplyCard
    intervened: ReplyCard
    outcomes: list[str] = []  # names of `OUTCOMES`


class PairCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """One pair, with a card for each judge in the page's order."""

    id: str
    family: str
    category: str
    skill: str
    form: str
    relevant: bool  # the true answer differs between the pictures
    truth: tuple[str, str]  # the true answers about the original and the intervened picture
    judges: list[JudgeCard]
    question: str = ""  # empty without the suite
    change: str = ""  # the declared difference between the pictures
    pictures: tuple[str, ...] = ()  # the addresses of both pictures, without the page's `base` that begins them


def page(data: ReportData, cards: Sequence[PairCard], placed: PlacedPictures, note: str) -> str:
    """The report as one HTML document.

    `cards`: of all pairs of the gallery; `placed`: the files of their pictures; `note`: a sentence about these files.
    """
    pairs = {pair.key.group: pair.key.relevant for run in data.runs for pair in run.results.pairs}
    judges = [run.label for run in data.runs]
    shared = all(len(run.results.pairs) == len(pairs) for run in data.runs)
    relevant, s = sum(pairs.values()), data.runs[0].document.provenance
    seed_words = [] if s.seed is None else [f"seed {s.seed}"]
    templates = listed(sorted({run.document.provenance.template for run in data.runs}))
    provenance = [(run.label, _facts(run)) for run in data.runs]
    width, height = placed.size
    sections = [
        _summary(data),
        *_ladders(data),
        Section("diagnosis", "Diagnosis", {"data": data, "kinds": ITEM_KINDS, "min_shown": MIN_SHOWN}),
        _gallery(data, note),
        Section(
            "scores", "Scores", {"data": data, "measures": MEASURES, "outcome_names": list(OUTCOME_NAMES)}, folded=True
        ),
        Section("errors", "Confusions", {"mistakes": {run.label: mistakes(run) for run in data.runs}}, folded=True),
        _comparison(data),
        Section("certificates", "Certificates", {"data": data}, folded=True),
        Section("provenance", "Provenance", {"provenance": provenance}, folded=True),
    ]
    return render(
        "pairs",
        sections,
        {"groups": _scores_by_group},
        script="pairs.js",
        gallery={
            "pairs": cards,
            "judges": judges,
            "outcomes": OUTCOMES,
            "base": placed.base,
            "width": width,
            "height": height,
        },
        title=f"{judges[0] if len(judges) == 1 else f'{len(judges)} judges'} on {s.suite}",
        lede=f"{counted(len(pairs), 'pair')} of pictures that differ in exactly one declared way, with one question "
        f"about both. In {relevant:,} the answer must change, in {len(pairs) - relevant:,} it must stay. "
        f"{'' if shared else 'Not every judge was asked about all of them. '}"
        "The Counterfactual Consistency Score (CCS) is the share of pairs that a judge gets right on both pictures.",
        stamp=[
            f"suite {s.suite} {s.suite_digest[:8]}",
            *seed_words,
            f"template {templates}",
            f"scoring {s.scoring}",
            f"parser {s.parser}",
            f"truth {s.truth}",
            f"counterbench {s.version}",
        ],
    )


def _summary(data: ReportData) -> Section:
    """The section at the top: each judge with its CCS, and a plot of these."""
    values = {
        "data": data,
        "first": data.runs[0].document,
        "plot": dot_plot("CCS of each judge", [(run.label, run.document.overall.ccs) for run in data.runs]),
        "by_cells": BY_CELLS,
    }
    return Section("summary", "Verdict", values)


def _ladders(data: ReportData) -> list[Section]:
    """The section on ladders (series of pairs of rising difficulty), in a list; empty without ladders."""
    tested = [(run.label, run.ladders) for run in data.runs if run.ladders is not None]
    rows = [(label, ladder_rows(ladders.ladders, ladders.bound)) for label, ladders in tested]
    return [ladders_section(rows)] if rows else []


def _gallery(data: ReportData, note: str) -> Section:
    """The section with the gallery of pairs and its filters."""
    filters: list[Filter] = [
        ("family", "Family", "all families", [(name, name) for name in data.runs[0].document.families], ""),
        ("outcome", "Outcome", "any outcome", list(OUTCOMES.items()), ""),
        ("judge", "Judge with that outcome", "any judge", [(str(n), run.label) for n, run in enumerate(data.runs)], ""),
        ("agreement", "Agreement", "all pairs", list(_AGREEMENTS.items()), ""),
    ]
    return Section("gallery", "Gallery of pairs", {"filters": filters, "pictures_note": note})


def _comparison(data: ReportData) -> Section:
    """The section that compares the judges, with the advice which to take."""
    labels = {run.document.run: run.label for run in data.runs}
    names = {c.judge: labels[c.run] for c in data.comparison.runs} if data.comparison else {}
    line = advice(data.comparison, names) if data.comparison else ""
    return Section(
        "comparison", "Comparison", {"data": data, "labels": labels, "names": names, "advice": line}, folded=True
    )


def pair_card(
    id: str,
    results: Sequence[PairResult],
    replies: Sequence[Mapping[str, list[str]]],
    pair: Pair | None = None,
    pictures: tuple[str, ...] = (),
) -> PairCard:
    """The card of one pair.

    `results`, `replies`: for every run, in the page's order, its result for this pair, and its replies as they came by
    query id. `pair`: None if the suite is not at hand. `pictures`: the addresses of both pictures, without `base`.
    """
    key = results[0].key
    return PairCard(
        id=id,
        **{name: getattr(key, name) for name in ("family", "category", "skill", "form", "relevant")},
        truth=(results[0].keys[0].expected, results[0].keys[1].expected),
        judges=[_judge_card(result, raw) for result, raw in zip(results, replies, strict=True)],
        question=pair.words if pair is not None else "",
        change=pair.intervention if pair is not None else "",
        pictures=pictures,
    )


def _judge_card(result: PairResult, raw: Mapping[str, list[str]]) -> JudgeCard:
    """The card of one judge on one pair; `raw`: the judge's replies as they came, by query id."""
    cards = [_reply_card(reply, raw.get(key.id, [])) for key, reply in result.questions]
    return JudgeCard(original=cards[0], intervened=cards[1], outcomes=_outcomes(result, cards))


def _reply_card(reply: Judged | None, texts: list[str]) -> ReplyCard:
    """The card of one reply; `texts`: the texts that came, of replies or of failures.

    Without a `reply` the question failed if there are texts, else it was not asked.
    """
    if reply is None:
        return ReplyCard(texts, "failed" if texts else "missing")
    match reply.outcome:
        case Answer(value=value):
            return ReplyCard(texts, "answer", value, reply.right)
        case Unparsed(reason=reason):
            return ReplyCard(texts, "unparsed", reason)
        case Refused(evidence=evidence):
            return ReplyCard(texts, "refused", evidence)
    return ReplyCard(texts, "failed")


def _outcomes(result: PairResult, cards: Sequence[ReplyCard]) -> list[str]:
    """The names of `OUTCOMES` that are true of a judge's replies to a pair."""
    names = {card.outcome for card in cards} - {"answer"}
    if result.consistent:
        names.add("right")
    if any(card.outcome == "answer" and not card.right for card in cards):
        names.add("wrong")
    if (answers := two_answers(result)) and (answers[0] == answers[1]) == result.key.relevant:
        names.add("collapsed" if result.key.relevant else "unstable")
    return [name for name in OUTCOMES if name in names]


def mistakes(run: JudgeRun) -> list[tuple[str, str, int, int]]:
    """The colours and counts that a judge took for others, the most frequent first.

    Each is (truth, wrong answer, the number of times, the number of all answers to questions with that truth). Only
    answers to open questions count.
    """
    mistaken = [
        (truth, answer, times, sum(answers.values()))
        for confusion in (run.diagnosis.measures.colours, run.diagnosis.measures.counts)
        for truth, answers in confusion.items()
        for answer, times in answers.items()
        if answer != truth
    ]
    return sorted(mistaken, key=lambda mistake: -mistake[2])


def _facts(run: JudgeRun) -> Iterator[PageFact]:
    """The facts about a run: judge, suite, template and versions, and what was observed while it was asked."""
    s, observed = run.document.provenance, run.document.observed
    seed_words = "" if s.seed is None else f", seed {s.seed}"
    yield "judge, as asked", "", words.named(s.judge)
    yield "suite", f"{s.suite}{seed_words}, truth {s.truth}", s.suite_digest
    yield "template", f"{s.template}, {counted(s.repeats, 'repeat')}", s.template_digest
    yield "scoring", f"{s.scoring}, parser {s.parser}, counterbench {s.version}", ""
    if run.results.info.source:
        yield "imported from", run.results.info.source, ""
    if observed is None:
        return
    if observed.models:
        changed = "the model changed within the run: " if len(observed.models) > 1 else ""
        yield "models returned", changed + answered_as(observed.models, counted), ""
    if observed.dropped:
        yield "refused by the server", ", ".join(observed.dropped), ""
    if observed.cost:
        yield "cost", f"{observed.cost:.4f} US dollars", ""


def _scores_by_group(document: Document) -> list[tuple[str, str, Score]]:
    """The scores of a run as (kind, name, score): overall, then by category, then by family. Templates call it."""
    return [
        ("overall", "overall", document.overall),
        *(("category", name, score) for name, score in document.categories.items()),
        *(("family", name, score) for name, score in document.families.items()),
    ]
