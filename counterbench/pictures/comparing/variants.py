"""A prompt set beside its variant, which holds the same items in other words: what the words are worth to each model.

`variants_of` looks for views (runs that were asked alike) of which one is over the variant of the other's set. Each
model with pictures of both gets its numbers over the items of both, and the gain: the variant's number less the
original's, with the test of paired runs, Holm-adjusted over all models and numbers. Items are joined by id; both sets
must ask the same checks about them.

Where a protocol has a gate, a variant is gated by the original's pictures at the gate's level, whether it has that
level itself or not: so a gain is one of its own words. CF-World's Table 3 (de-nominalisation of L2), T2I-CoReBench's
Table 4 and R2I-Bench's Figure 21 are such comparisons.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence, Set
from itertools import permutations, product
from typing import TypeAlias

import msgspec

from counterbench.errors import InputError
from counterbench.evidence.verdict import NOT_SUPPORTED
from counterbench.pictures.comparing.contrasts import ModelRun, asked_alike, contrasts_of, run_of
from counterbench.pictures.comparing.judges import Viewed, Views
from counterbench.pictures.judging.judged_run import JudgedRun
from counterbench.pictures.protocols.base import Protocol
from counterbench.pictures.protocols.numbers import Countable, Paired, on_common_units, paired
from counterbench.pictures.run_scores import scored_part, scoring_of
from counterbench.pictures.scores.document import ModelDocument
from counterbench.pictures.scores.measure import differences, measure
from counterbench.pictures.scores.results import CheckResult
from counterbench.pictures.scores.rules import Scoring
from counterbench.pictures.scores.scores import ScorePart
from counterbench.pictures.words.run_names import unit
from counterbench.results.contrasts import ALPHA, Contrast
from counterbench.results.measures import CHANGE, heading, plain
from counterbench.runs.usage import short_names
from counterbench.stats.intervals import Estimate
from counterbench.text import brief, html_table, listed

_SLICES = ("dimension", "category", "discipline", "subcategory")  # the kinds of slices that have gains


Parts: TypeAlias = tuple[ScorePart, ScorePart]  # of the variant and of the original, over the same units


class SliceGain(msgspec.Struct, frozen=True, kw_only=True):
    """A number of one model over a set and over its variant, on the items of a slice; without a test."""

    column: str  # the number's name; it begins with "ungated_" if slices of this kind have no gate
    original: Estimate
    variant: Estimate
    difference: Estimate  # the variant's less the original's, paired, with its 95 % interval


class Gain(Contrast, frozen=True, kw_only=True):
    """One model's gain by other words; `first` is the model on the variant, `second` on the original."""

    model: str
    original: Estimate
    variant: Estimate
    slices: dict[str, dict[str, SliceGain]]  # by kind of slice and its name


class VariantComparison(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt set and its variant, under one protocol by one judge."""

    original: str  # the set's name
    variant: str
    protocol: str
    judge: str
    level: float  # of significance: the largest p that shows a gain
    units: str  # the kind of thing that numbers are means over: a group of prompts, or a prompt
    gated_by: str  # the level of the original whose pictures gate both; empty if there is no gate
    runs: list[ModelRun]
    contrasts: list[Gain]  # of every model with pictures of both, by every number
    tests: int  # the number of tests that p is adjusted for
    not_compared: list[str]  # a sentence for each model, or for all, that cannot be compared

    def __repr__(self) -> str:
        gains = "; ".join(f"{g.model} {heading(g.column)} {CHANGE.whole(g.difference)}" for g in self.contrasts)
        return brief(self, f"{self.variant} less {self.original} by {self.protocol}: {gains}")

    def _repr_html_(self) -> str:
        """An HTML table for notebooks: each model's numbers over both sets, and the gain."""
        rows = (
            (g.model, heading(g.column), plain(g.original.value), plain(g.variant.value), CHANGE.whole(g.difference))
            for g in self.contrasts
        )
        title = f"{self.protocol} on {self.variant}, a variant of {self.original}"
        return html_table(title, ("model", "number", "original", "variant", "gain"), rows)


class Sides(msgspec.Struct, frozen=True):
    """One model's pictures of a variant beside those of the original, paired for some of the protocol's numbers."""

    couple: Paired  # the variant first
    slices: list[tuple[str, str, Parts]]  # the kind, the name and the parts of each slice that both have

    def both(self, column: str, parts: Parts) -> dict[str, Estimate]:
        """A number of parts, by the name of the field of `Gain`."""
        sides = zip(("variant", "original"), parts, self.couple.formulas, strict=True)
        return {name: measure(part, formulas).columns[column] for name, part, formulas in sides}


def sides_of(
    protocol: Protocol,
    scoring: Scoring,
    variant: Sequence[CheckResult],
    original: Sequence[CheckResult],
    shared: Set[str],
    levels: Sequence[str],
    names: tuple[str, str],
) -> Iterator[Sides]:
    """The rows of a variant beside those of its original, both about one model, for every number of the variant.

    `shared`: the ids of prompts about which both were asked the same; only groups count that share all levels of the
    variant. `levels`: the original's; `names`: of the runs, the variant's first. The level of a gate is paired by
    itself. At the others, both are gated by the original's pictures at that level; what the variant lacks for the gate
    is the original's, too. InputError if nothing can be paired.
    """
    own = [level for level in levels if any(row.level == level and row.prompt_id in shared for row in variant)]
    lacking = {row.group for row in original if row.level in own and row.prompt_id not in shared}
    rows = [row for row in variant if row.prompt_id in shared and row.group not in lacking]
    groups, gate = {row.group for row in rows}, protocol.gate(levels)
    left_out = len({row.group for row in (*variant, *original) if row.level in own} - groups)

    def pair(first: Sequence[CheckResult], wanted: Callable[[str], bool] = lambda name: True) -> Sides:
        """These rows, and those of the original about the same prompts, for the wanted numbers."""
        among = {row.prompt_id for row in first}
        second = [row for row in original if row.prompt_id in among]
        left, right = Countable(protocol, first, scoring, names[0]), Countable(protocol, second, scoring, names[1])
        couple = paired(left, right, among, names=names, levels=levels)
        kept = {name: test for name, test in couple.differences.items() if wanted(name)}
        couple = msgspec.structs.replace(couple, differences=kept, left_out=couple.left_out + left_out)
        present = [level for level in levels if any(row.level == level for row in first)]
        parts, others = (protocol.slices(side.rows, present, scoring) for side in (left, right))
        common = ((kind, name) for kind in _SLICES for name in parts.get(kind, {}) if name in others.get(kind, {}))
        slices = [(kind, name, on_common_units(parts[kind][name], others[kind][name])) for kind, name in common]
        return Sides(couple, [part for part in slices if part[-1][0].units])

    if not gate or not rows:  # without a row it is an InputError
        yield pair(rows)
        return
    at_gate = [row for row in rows if row.level == gate]
    numbers = {*protocol.score(rows, own, scoring).headline}
    if at_gate:
        yield (sides := pair(at_gate))
        numbers -= sides.couple.differences.keys()
    if len(at_gate) < len(rows):
        carried = [row for row in original if row.group in groups and (row.level == gate or row.level not in own)]
        yield pair([*(row for row in rows if row.level != gate), *carried], numbers.__contains__)


def variants_of(views: Views, threshold: float | None) -> list[VariantComparison]:
    """The comparison of every two views that differ in that one's set is the variant of the other's.

    `threshold`: of the gate, None for its own.
    """
    return [
        _compare(original, variant, threshold)
        for original, variant in permutations(views, 2)
        if _asked_as(original) == _asked_as(variant) and any(_is_variant(o, v) for o, _ in original for v, _ in variant)
    ]


def _asked_as(view: Sequence[Viewed]) -> dict[str, str]:
    """The settings of a view's runs beside their prompts."""
    return {name: value for name, value in view[0][0].asked_as.items() if name not in ("prompts", "levels")}


def _is_variant(original: JudgedRun, variant: JudgedRun) -> bool:
    """True if a run's set is the variant of the other's: by digest, or, where either has a part, by its checks."""
    if not variant.prompts.variant_of or variant.comparisons is not None:
        return False
    if original.prompts.digest == variant.prompts.variant_of:
        return True
    return not original.prompts.variant_of and bool(asked_alike(original, variant))


def _compare(original: Sequence[Viewed], variant: Sequence[Viewed], threshold: float | None) -> VariantComparison:
    """The comparison of two views; models are the same if their names are."""
    (of_original, first), (_, other) = original[0], variant[0]
    protocol, sets = of_original.protocol, [first.provenance.prompts, other.provenance.prompts]
    documents = [document for _, document in (*original, *variant)]
    found, not_compared = list[tuple[str, Sides]](), list[str]()
    times = [Counter(run.kept.model.title for run, _ in view) for view in (original, variant)]
    doubled = {name for counts in times for name, count in counts.items() if count > 1}
    if named_twice := sorted(doubled & times[0].keys() & times[1].keys()):
        not_compared.append(f"several models are called {listed(named_twice)}: draw each by a --name of its own")
    if of_original.kept.info.prompt_shown or protocol.shows_prompt:
        not_compared.append(f"{' and '.join(sets)} are not compared: the judge saw the prompts, whose words differ")
        original = []
    for (run, document), (other_run, other_document) in product(original, variant):
        if run.kept.model.title != other_run.kept.model.title or run.kept.model.title in doubled:
            continue
        names, parts = (_name(other_document), _name(document)), (scored_part(other_run), scored_part(run))
        scoring, levels = scoring_of(run, first.provenance.scoring, threshold), run.prompts.levels
        try:
            sides = sides_of(protocol, scoring, parts[0].rows, parts[1].rows, asked_alike(*parts), levels, names)
            found += [(document.generator, of_numbers) for of_numbers in sides]
        except InputError as error:
            not_compared.append(str(error))
    if not found and not not_compared:
        not_compared = [f"no model has pictures of both {' and '.join(sets)}: draw both by the same --name"]
    unsupported = {_name(document) for document in documents if document.verdict == NOT_SUPPORTED}
    contrasts, tests = contrasts_of([sides.couple for _, sides in found], unsupported)
    sources = [source for source in found for _ in source[1].couple.differences]
    return VariantComparison(
        original=sets[0],
        variant=sets[1],
        protocol=protocol.name,
        judge=short_names([first.provenance])[0],
        level=ALPHA,
        units=unit(first),
        gated_by=protocol.gate(of_original.prompts.levels),
        runs=[msgspec.structs.replace(run_of(document), model=_name(document)) for document in documents],
        contrasts=[_gain(contrast, *source) for contrast, source in zip(contrasts, sources, strict=True)],
        tests=tests,
        not_compared=not_compared,
    )


def _name(document: ModelDocument) -> str:
    """The name of a model on a prompt set."""
    return f"{document.generator} on {document.provenance.prompts}"


def _gain(contrast: Contrast, model: str, sides: Sides) -> Gain:
    """The contrast of a variant and its original with both numbers, in whole and by slice (ungated if slices are)."""
    slices: dict[str, dict[str, SliceGain]] = {}
    for kind, name, parts in sides.slices:
        tests = differences(parts, sides.couple.formulas, (contrast.column, f"ungated_{contrast.column}"))
        for column, test in [*tests.items()][:1]:
            gain = SliceGain(column=column, **sides.both(column, parts), difference=test.interval(ALPHA))
            slices.setdefault(kind, {})[name] = gain
    fields = msgspec.structs.asdict(contrast) | sides.both(contrast.column, sides.couple.parts)
    return Gain(**fields, model=model, slices=slices)
