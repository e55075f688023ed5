"""Computes the scores of a run on pairs: accuracy, CCS, gap and stability, each with its counts and interval.

In go runs that were read (`PairResult`s: for each pair the two replies, compared with the right answers). Out comes a
`Document`, what `score --json` prints: the numbers over all pairs (`Score`), over each category and each family (a kind
of pairs, such as "counting"). `score` gives the numbers of any group of pairs.

A pair has an *original* and an *intervened* picture. *CCS* is the share of pairs with a right reply about both
pictures, the *gap* that of pairs with only the original right. *Stability* is the share of controls (pairs whose right
answer does not change) with the same answer twice. Only pairs with both replies count: a technical failure is never a
score. A reply that cannot be read, or a refusal, counts as not right. A denominator of 0 gives null.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.answers.outcomes import OUTCOME_NAMES, outcome_name
from counterbench.results.measures import MEASURES, NONE, PERCENT
from counterbench.results.results import PairResult, RunReplies, RunResults, judged_pairs, read_replies
from counterbench.results.rules import DEFAULT, SoftScore, soft_score
from counterbench.runs.folder import JOURNAL_FILE, RunInfo, read_journal, read_keys
from counterbench.runs.usage import Usage
from counterbench.stats.intervals import Estimate, wilson
from counterbench.text import brief, counted, html_table, title

# The paper's categories, in the order of its Table 2. Others follow.
CATEGORIES: tuple[str, ...] = ("spatial", "attribute", "counting", "containment", "causal", "control")
# A family is suspect (its pairs look broken) if at least SUSPECT_RUNS judges all have nothing right on at least
# SUSPECT_PAIRS of its pairs, while one of them is surely (95 %) right on more than the share STRONG of all other pairs.
# If all judges are weak, a family without any right answer shows nothing.
SUSPECT_RUNS, SUSPECT_PAIRS, STRONG = 2, 10, 0.5
COMPUTED = "computed"  # the origin of a right answer that our program computed
SHORT = [measure for measure in MEASURES if measure.key in ("acc_original", "acc_intervened", "ccs", "gap")]


class Share(Estimate, frozen=True):
    """`hits` of `of`, as a fraction with its 95 % Wilson interval; all three null when `of` is 0."""

    hits: int
    of: int


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of one group of pairs."""

    pairs: int
    answered: int  # pairs with two answers: replies that could be read
    acc_original: Share  # right on the original picture
    acc_intervened: Share
    ccs: Share  # right on both
    ccs_answered: Share  # the same share of the answered pairs
    gap: Share  # right on the original picture only
    stability: Share  # of controls with the same answer to both questions
    outcomes: dict[str, int]  # the number of questions by outcome ("answer", "unparsed", …)


def _counted_names(pair: PairResult) -> Iterator[str]:
    """The names of the counts to which a pair adds 1; a name that comes twice adds 2. A tally counts these names.

    Outcomes, "missing" and "failed" count questions; the other names count pairs. Only a pair with both replies adds to
    "replied" and to the names after it.
    """
    original, intervened = pair.replies
    yield "pairs"
    yield from ("missing",) * pair.missing
    yield from ("failed",) * pair.failed
    yield from (outcome_name(reply.outcome) for reply in (original, intervened) if reply is not None)
    if original is None or intervened is None:
        return
    yield "replied"
    counts_of_replied = {
        "answered": original.value is not None and intervened.value is not None,
        "right_original": original.right,
        "right_intervened": intervened.right,
        "consistent": original.right and intervened.right,
        "lost": original.right and not intervened.right,
        "irrelevant": not pair.key.relevant,
        "stable": not pair.key.relevant and original.value is not None and original.value == intervened.value,
    }
    yield from (name for name, holds in counts_of_replied.items() if holds)


class CommonProvenance(msgspec.Struct, frozen=True, kw_only=True):
    """The judge, template and versions behind a number, for runs of any kind; `Provenance` is for runs on pairs."""

    judge: str
    name: str = ""  # the user's name for the judge
    template: str
    template_digest: str
    style: str = ""  # of our pictures; of generated ones the style that the prompts ask for
    parser: str
    scoring: str = ""
    version: str


class Provenance(CommonProvenance, frozen=True, kw_only=True):
    """The provenance of a number about pairs."""

    suite: str
    suite_digest: str
    seed: int | None
    repeats: int
    truth: str  # the origins of the right answers: "computed", "published", or "computed/published" for both


class Document(msgspec.Struct, kw_only=True):
    """The scores of one run on pairs: the document of `score --json`."""

    run: str
    provenance: Provenance
    complete: bool  # False while questions lack a final answer
    missing: int  # questions that were not asked, or that only one of `run.json` and the keys has
    overall: Score
    categories: dict[str, Score]
    families: dict[str, Score]
    families_of: dict[str, list[str]] = {}  # by category
    suspect: list[str] = []  # families that look broken, from several runs
    observed: Usage | None = None
    soft: SoftScore | None = None
    by_cells: bool = False  # True if unclear cells were asked more, so that they weigh more

    @property
    def unfinished(self) -> str:
        """The number of questions that are missing or failed, in words; empty if the run is complete."""
        if self.complete:
            return ""
        known, failed = sum(self.overall.outcomes.values()) + self.missing, self.overall.outcomes["failed"]
        return unfinished(self.missing, failed, known - 2 * self.overall.pairs)

    def __repr__(self) -> str:
        """The judge's CCS and gap in a line."""
        source, overall = self.provenance, self.overall
        words = f"CCS {in_percent(overall.ccs)} of {counted(overall.ccs.of, 'pair')}, gap {in_percent(overall.gap)}"
        mark = "" if self.complete else ", incomplete"
        return brief(self, f"{source.name or source.judge} on {source.suite}: {words}, {source.scoring} scoring{mark}")

    def _repr_html_(self) -> str:
        """For a notebook: the numbers overall and by category."""
        return html_table(
            title(self),
            ("category", "pairs", *(measure.header for measure in SHORT)),
            (
                (name, str(numbers.pairs), *(in_percent(getattr(numbers, measure.key)) for measure in SHORT))
                for name, numbers in (("overall", self.overall), *self.categories.items())
            ),
        )


def score_results(run: RunResults | RunReplies) -> Document:
    """The scores of a run that was read, with its usage and, if replies have probabilities or repeats, soft scores."""
    scores = document(str(run.path), run.info, run.pairs, run.scoring, run.uncounted)
    scores.observed = run.observed
    journal = run.path / JOURNAL_FILE
    if journal.exists() and (run.probabilities or run.info.repeats > 1):
        keys = {key.id: key for key in read_keys(run.path)}
        scores.soft = soft_score(read_journal(journal), keys, run.info.repeats)
    return scores


def score_runs(paths: Sequence[Path], scoring_name: str = DEFAULT) -> list[Document]:
    """The scores of the runs in these folders, with suspect families marked; InputError for a folder without a run."""
    return score_all(read_replies(path, scoring_name) for path in paths)


def score_all(runs: Iterable[RunResults | RunReplies]) -> list[Document]:
    """The scores of runs, with the families that look broken (`suspects`) marked in each.

    The runs are taken one by one, so that only one needs to be in memory.
    """
    scored = [(run.path.resolve(), score_results(run)) for run in runs]
    documents = [doc for _, doc in scored]
    for name in suspects(list(dict(scored).values())):
        for doc in documents:
            if name in doc.families:
                doc.suspect.append(name)
    return documents


def document(run: str, info: RunInfo, results: Iterable[PairResult], scoring_name: str, lacking: int = 0) -> Document:
    """The document of a run's scores, without its usage and soft scores.

    `run`: its path, as the document names it. `lacking`: the number of questions that have no key.
    """
    tallies, truths = defaultdict[tuple[str, str], Counter[str]](Counter), set[str]()  # by category and family; origins
    for result in judged_pairs(results, info):
        tallies[result.key.category, result.key.family].update(_counted_names(result))
        truths.add(result.key.truth)
    sums: list[dict[str, Counter[str]]] = [defaultdict(Counter) for _ in range(3)]
    for (category, family), tally in tallies.items():
        for by_name, name in zip(sums, (category, family, ""), strict=True):
            by_name[name].update(tally)
    by_category, by_family, overall = sums[0], sums[1], sums[2][""]
    return Document(
        run=run,
        provenance=provenance_of(info, truths, scoring_name),
        complete=not (overall["missing"] or lacking or overall["failed"]),
        missing=overall["missing"] + lacking,
        overall=_score(overall),
        categories={name: _score(by_category[name]) for name in in_order(by_category)},
        families={name: _score(tally) for name, tally in by_family.items()},
        families_of={name: [family for category, family in tallies if category == name] for name in by_category},
        by_cells=info.by_cells,
    )


def in_order(categories: Iterable[str]) -> list[str]:
    """The categories in the order of the paper's Table 2; others come after them."""
    order = {name: i for i, name in enumerate(CATEGORIES)}
    return sorted(categories, key=lambda name: (order.get(name, len(order)), name))


def unfinished(missing: int, failed: int, cut_off: int = 0) -> str:
    """The sentence on what an incomplete run lacks; the arguments are numbers of questions."""
    words = f"; {cut_off} without a key, or not counted in run.json: the run was cut" if cut_off else ""
    return f"{counted(missing, 'question')} not asked, {failed} failed{words}"


def provenance_of(info: RunInfo, truths: Iterable[str], scoring_name: str) -> Provenance:
    """The provenance of a run's numbers; `truths`: the origins of its right answers."""
    return Provenance(
        **info.provenance,
        style=info.style,
        name=info.name,
        parser=PARSER_VERSION,
        scoring=scoring_name,
        version=__version__,
        truth="/".join(sorted(set(truths))),
    )


def score(results: Iterable[PairResult]) -> Score:
    """The numbers of a group of pairs."""
    return _score(Counter(name for result in results for name in _counted_names(result)))


def _score(tally: Counter[str]) -> Score:
    """The numbers of a group of pairs, from the tally of its `_counted_names`."""
    return Score(
        pairs=tally["pairs"],
        answered=tally["answered"],
        acc_original=share(tally["right_original"], tally["replied"]),
        acc_intervened=share(tally["right_intervened"], tally["replied"]),
        ccs=share(tally["consistent"], tally["replied"]),
        ccs_answered=share(tally["consistent"], tally["answered"]),
        gap=share(tally["lost"], tally["replied"]),
        stability=share(tally["stable"], tally["irrelevant"]),
        outcomes={name: tally[name] for name in OUTCOME_NAMES},
    )


def share(hits: int, total: int, interval: Callable[[int, int], tuple[float, float] | None] = wilson) -> Share:
    """`hits` of `total` with its 95 % interval, by default Wilson's."""
    low, high = interval(hits, total) or (None, None)
    return Share(hits / total if total else None, low, high, hits, total)


def in_percent(share: Share) -> str:
    """A share in words: "83.1 %", a dash if it is undefined."""
    return NONE if share.value is None else f"{PERCENT.plain(share.value)} %"


def band(share: Share) -> str:
    """The band of a share, a colour in the paper's Table 2: "high" from 90 % (green), "middle" from 70 %, else "low".

    Empty if the share is undefined.
    """
    if share.value is None:
        return ""
    return "high" if share.value >= 0.90 else "middle" if share.value >= 0.70 else "low"


def suspects(documents: Sequence[Document]) -> list[str]:
    """The suspect families: every judge has nothing right on enough of its pairs, and one is strong elsewhere."""
    if len(documents) < SUSPECT_RUNS:
        return []
    shared = [name for name in documents[0].families if all(name in doc.families for doc in documents)]
    return [
        name
        for name in shared
        if all(doc.families[name].ccs.hits == 0 and doc.families[name].ccs.of >= SUSPECT_PAIRS for doc in documents)
        and any(is_strong(doc.overall.ccs, doc.families[name].ccs) for doc in documents)
    ]


def is_strong(overall: Share, without: Share) -> bool:
    """True if a judge is surely (95 %) right on more than the share STRONG of the pairs, without those in `without`."""
    low, _ = wilson(overall.hits - without.hits, overall.of - without.of) or (0.0, 1.0)
    return low > STRONG


def why_nothing(truth: str) -> str:
    """The explanation of questions that no judge answers rightly, though one is strong elsewhere.

    `truth`: the origin of their right answers.
    """
    return "no judge sees this" if truth == COMPUTED else "truth or scoring is suspect"
