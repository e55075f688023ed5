"""Makes the page about text-to-image models: the values of its sections, put into HTML templates.

In go the gathered runs (`ModelData`), each with the pictures of one model, a judge's replies about them and the scores;
the gallery's cards; and tests of the judge on these pictures. Out comes one HTML document (`model_page`), for `report`
and `evaluate`. `_sections` gives the sections in the order of the page; below it, a function makes each section and its
parts.

A *protocol* turns the judge's answers into numbers; a *column* is the name of a number, such as "score". A *group* is
the prompts about one subject. A *skill* is what a question asks for, such as counting. The *drawn test* asks the judge
about pairs of pictures that counterbench draws.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from counterbench.evidence.verdict import NOT_SUPPORTED, verdict_line
from counterbench.pages import words as common
from counterbench.pages.frame import Filter, PageFact, Section, dot_plot, render
from counterbench.pages.models.cards import OUTCOMES, SHOWS, GroupCard, examples
from counterbench.pages.models.evidence import EvidenceSection
from counterbench.pages.models.gather_models import ModelData, PageModelRun
from counterbench.pages.pictures import PlacedPictures
from counterbench.pages.words import counted
from counterbench.pictures.answer import sentences
from counterbench.pictures.comparing.judges import COLUMNS, NOTE
from counterbench.pictures.run_scores import scored_part
from counterbench.pictures.scores.document import ModelDocument
from counterbench.pictures.scores.rules import credited
from counterbench.pictures.words import about_judges, about_numbers, about_ratings, run_names
from counterbench.prompts.claims import WHOLE
from counterbench.prompts.skills import OTHER, skill_of
from counterbench.results.measures import CHANGE, FRACTION, heading, notation_of
from counterbench.stats.intervals import Estimate
from counterbench.text import listed

# The number of cards that the gallery shows at a time; each card has every picture of a group.
_PAGE_OF_CARDS = 8
# The meanings of S, of the evidence, and of the two scores, as the page prints them (see `_meanings`).
_S = (
    "S is the weighted share of right answers about a picture, from 0 to 1, as a mean over groups: an altered law in "
    "one setting, with three prompts. L1 asks for the real law, L2 for the altered law and its outcome, L3 for the "
    "altered law alone. Where the S_L1 of a group is below the gate, {gate}, its S_L2 and S_L3 count 0. The prior is "
    "what usually happens: the outcome of the real law."
)
_DRAWN = (
    "Drawn test: pairs of pictures that counterbench draws, so that the truth is known; a judge must be right on both. "
    "Human labels: people's answers to the same questions about these pictures."
)
_SCORE = "The score is the weighted share of right answers about a picture, from 0 to 1, as a mean over prompts."
_COMPARED = (
    "The score is the share of a model's comparisons with the others that it won, equal ones as half, as a mean over "
    "prompts. Ratings are of Davidson's model: 400 points are odds of 10 to 1, and the mean is 1000."
)


class RankedModel(NamedTuple):
    """One model's line in the ranking."""

    run: PageModelRun
    number: Estimate  # its main number, over the checks that count
    column: str  # the name of that number
    rank: str  # "1", "1-2"; empty for a model that is compared with no other
    better: list[str]  # the models that it is better than, each with its p value
    over_all_checks: Estimate | None = None  # the same number also with checks that no test is about; None if equal


def model_page(
    data: ModelData,
    groups: Sequence[GroupCard],
    evidence: EvidenceSection,
    placed: PlacedPictures,
    notes: Sequence[str],
) -> str:
    """The report as one HTML document.

    `groups`: the gallery's cards; `evidence`: the tests and audits on the scored pictures; `placed`: the files of the
    page's pictures; `notes`: sentences about these files.
    """
    # The words of the title, and the addresses of all pictures.
    documents = data.documents
    first, provenance = documents[0], documents[0].provenance
    models = len({(run.run.kept.model.generator, run.run.kept.model.images) for run in data.runs})
    title = data.runs[0].label if len(documents) == 1 else "One model" if models == 1 else f"{models} models"
    protocols = [(document.protocol, document.provenance.protocol_version) for document in documents]
    protocol_names = list(dict.fromkeys(name for name, _ in protocols))
    counts = (("by", "judge", len({run.judge for run in data.runs})), ("under", "protocol", len(protocol_names)))
    title += "".join(f" {by} {counted(count, what)}" for by, what, count in counts if count > 1)
    judges = listed(list(dict.fromkeys(common.named(run.judge) for run in data.runs)))
    sources = [source for pictures in placed.sources for source in pictures]
    addresses = [placed.base + source if source else "" for source in sources]
    return render(
        "models",
        list(_sections(data, groups, evidence, addresses, notes)),
        _TEMPLATE_FUNCTIONS,
        script="groups.js",
        gallery={
            "groups": groups,
            "runs": [run.label for run in data.runs],
            "shows": SHOWS,
            "pictures": sources,
            "base": placed.base,
            "page": _PAGE_OF_CARDS,
        },
        title=f"{title} on {provenance.prompts}",
        lede=f"Pictures by {counted(models, 'text-to-image model')}, for {counted(first.groups, run_names.unit(first))}"
        f"{'' if run_names.unit(first) == 'prompt' else ' of prompts'}, judged by {judges}. The protocol is "
        f"{listed(protocol_names)}.",
        stamp=[
            f"prompts {provenance.prompts} {provenance.prompts_digest[:8]}",
            *dict.fromkeys(f"protocol {name} {version}" for name, version in protocols),
            f"scoring {provenance.scoring}",
            f"counterbench {provenance.version}",
        ],
    )


def _sections(
    data: ModelData,
    groups: Sequence[GroupCard],
    evidence: EvidenceSection,
    pictures: Sequence[str],
    notes: Sequence[str],
) -> Iterator[Section]:
    """The sections of the page that have any content; `pictures`: the addresses of all pictures, "" for a lost one."""
    documents, skills = data.documents, _skills(data)
    yield _answer(data, groups, evidence, pictures)
    if skills:
        yield Section("skills", "Skills", {"runs": data.runs, "skills": skills, "tested": _test_results(data, skills)})
    if any(evidence):
        yield _evidence(data, evidence, pictures)
    yield Section("gallery", "Gallery", {"filters": list(_filters(data, groups)), "picture_notes": notes})
    yield _numbers(data)
    if len(documents) > 1:
        agreement = [line for table in data.compared.agreement for line in (*table.turns, NOTE)]
        yield Section(
            "differences",
            "Differences",
            {"compared": data.compared, "agreement": agreement, "agreement_columns": COLUMNS},
            folded=True,
        )
    if lossy := [run for run in data.runs if about_numbers.losses(run.document)]:
        yield Section("losses", "What was lost", {"runs": lossy}, folded=True)
    if by_people := [document.by_people for document in documents if document.by_people]:
        lines = [note for people in by_people for note in people.notes] + [raters.line for raters in data.raters]
        yield Section("people", "People's labels", {"documents": documents, "label_lines": lines}, folded=True)
    yield Section("provenance", "Judge and provenance", {"provenance": _provenance(data)}, folded=True)


def _answer(
    data: ModelData, groups: Sequence[GroupCard], evidence: EvidenceSection, pictures: Sequence[str]
) -> Section:
    """The section with the verdict, the ranking, the meanings of its words, and examples of answers."""
    ranking = _ranking(data)
    compared = any(run.run.comparisons is not None for run in data.runs)
    chosen = examples(groups) if pictures and not compared else []
    values = {
        "answers": _verdicts(data),
        "against": evidence.against,
        "ranking": ranking,
        "plot": dot_plot("The ranking", [(model.run.label, model.number) for model in ranking]),
        "meanings": _meanings(ranking),
        "sentences": [common.sentence(line, False) for line in _sentences(data)],
        "warnings": _lines_with_runs(data, about_numbers.warnings)
        if data.answer is None or not data.answer.complete
        else [],
        "examples": [
            (example, data.runs[example.sample.run].label, source)
            for example in chosen
            if (source := pictures[example.sample.picture or 0])
        ],
    }
    return Section("answer", "Answer", values)


def _evidence(data: ModelData, evidence: EvidenceSection, pictures: Sequence[str]) -> Section:
    """The section with the tests by stickers, and the audits."""
    values = {
        "stickers": evidence.stickers,
        "audits": evidence.audits,
        "at": lambda places: [pictures[place] for place in places if pictures],
        "answered": data.answer is not None,
    }
    return Section("evidence", "Evidence on these pictures", values, folded=not evidence.against)


def _numbers(data: ModelData) -> Section:
    """The section with every number of every run."""
    documents = data.documents
    columns = [document.columns for document in documents]
    values = {
        "data": data,
        "first": documents[0],
        "columns": data.columns,
        "notes": _lines_with_runs(data, about_numbers.no_change_lines, about_numbers.unit_count_lines),
        "lossy": run_names.columns_of_losses(documents),
        "intervals": any(number.low is not None for numbers in columns for number in numbers.values()),
        "legend": [*about_numbers.legend(documents), *about_numbers.no_interval_lines(documents, columns)],
        "parts_of": {kind: _parts(data, kind) for kind in data.kinds},
    }
    return Section("numbers", "All numbers", values, folded=True)


def _verdicts(data: ModelData) -> list[tuple[bool, str]]:
    """The verdict lines of the page, as (is_against, line): True for a line against the numbers of the page."""
    if data.answer is not None:
        return [(data.answer.verdict == NOT_SUPPORTED, verdict_line(data.answer.verdict, data.answer.because))]
    by_generator = [(document.generator, document) for document in data.documents]
    against = any(document.verdict == NOT_SUPPORTED for _, document in by_generator)
    return [(against, line) for line in about_judges.verdict_lines(by_generator)]


def _ranking(data: ModelData) -> list[RankedModel]:
    """The models, in the order of the comparisons that they are in, and in each the highest number first.

    A model that is compared with no other has no rank and comes last.
    """
    ranked = []  # (index of the comparison that the model is in, or their number if in none; model)
    for run in data.runs:
        document, column = run.document, run_names.main_number(run.document)
        this_run = document.run, document.provenance
        place, rank, better = len(data.compared.comparisons), "", []
        for n, comparison in enumerate(data.compared.comparisons):
            names = [compared.model for compared in comparison.runs if (compared.run, compared.provenance) == this_run]
            for name in names if comparison.contrasts else ():
                place, rank = n, next(entry.span for entry in comparison.ranks[column] if entry.model == name)
                better = [
                    f"{pair.second if name == pair.first else pair.first} (p {common.p_value(pair.p_holm)})"
                    for pair in comparison.contrasts
                    if pair.column == column and pair.better == name and document.verdict != NOT_SUPPORTED
                ]
        over_all = document.by_word.get(column)
        over_all = over_all if over_all != document.columns[column] else None
        ranked.append((place, RankedModel(run, document.columns[column], column, rank, better, over_all)))
    return [model for _, model in sorted(ranked, key=lambda entry: (entry[0], -(entry[1].number.value or 0)))]


def _meanings(ranking: Sequence[RankedModel]) -> list[str]:
    """Sentences that explain the words of the ranking; only those that the ranking uses."""
    lines = []
    gated = [model.run.document.provenance.threshold for model in ranking if model.column in ("s_l1", "s_l2", "s_l3")]
    if gated:
        lines.append(_S.format(gate=f"{gated[0] or 0:g}"))
    if any(model.run.run.comparisons for model in ranking):
        lines.append(_COMPARED)
    elif any(model.column == "score" for model in ranking):
        lines.append(_SCORE)
    if any(model.rank for model in ranking):
        lines.append("Models that the test cannot tell apart share ranks; p is adjusted for all tests by Holm.")
    return [*lines, _DRAWN]


def _sentences(data: ModelData) -> list[str]:
    """The sentences below the ranking.

    With an answer of `evaluate`, its sentences. Without one, lines on the prompts that count, on differences that are
    not shown, on the judge, and on its evidence. Last come the things that stand out in each run, and ratings.
    """
    notable = [line for document in data.documents for line in about_numbers.notable(document)]
    for comparisons in {str(run.run.kept.path): run.run.comparisons for run in data.runs}.values():
        if comparisons is not None:
            rated = comparisons.ratings
            ranks = (f"{model.rank}. {model.model} {about_ratings.rating(model)}" for model in rated.models)
            notable += [
                f"Ratings: {', '.join(ranks)}",
                *(f"{line[0].upper()}{line[1:]}" for line in about_ratings.ratings_lines(rated)),
            ]
    if data.answer is not None:
        return [*sentences(data.answer), *notable]
    compared = [comparison for comparison in data.compared.comparisons if comparison.contrasts]
    not_shown = [common.sentence(comparison.few) for comparison in compared if comparison.few]
    if not not_shown and compared and not any(pair.better for comparison in compared for pair in comparison.contrasts):
        not_shown = ["No model is shown to be better than another"]
    shared = about_numbers.shared_lines(data.documents)
    return [
        *shared,
        *not_shown,
        *about_judges.judge_lines(data.documents),
        *about_judges.pictures_line(data.documents),
        *notable,
    ]


def _skills(data: ModelData) -> dict[str, list[tuple[float, int] | None]]:
    """By skill, a pair for each run: the mean credit (0 to 1) over the checks that need the skill, and their number.

    None in place of the pair for a run without such checks. Empty if the checks only ask about whole prompts.
    """
    by_run = []
    for run in data.runs:
        part, protocol = scored_part(run.run), run.run.protocol
        credits: dict[str, list[float]] = defaultdict(list)
        for row in protocol.counted(credited(part.rows, protocol.scorings[run.document.provenance.scoring])):
            if row.credit is not None and row.dimension not in protocol.awards:
                credits[skill_of(part.prompts.checks[row.prompt_id, row.check])].append(row.credit)
        by_run.append(credits)
    names = sorted({name for credits in by_run for name in credits})
    if all(name == OTHER or name.startswith(WHOLE) for name in names):
        return {}
    means = [{name: (sum(values) / len(values), len(values)) for name, values in credits.items()} for credits in by_run]
    return {name: [by_skill.get(name) for by_skill in means] for name in names}


def _test_results(data: ModelData, skills: Mapping[str, object]) -> list[str]:
    """The result of the judge's drawn test for each skill, in words; empty for laws, or for several judges."""
    drawn = data.documents[0].evidence.drawn
    if not drawn.keys() & skills.keys() or len({run.judge for run in data.runs}) > 1:
        return []
    return ["not tried" if name not in drawn else "passed" if drawn[name].admitted else "not passed" for name in skills]


def _filters(data: ModelData, groups: Sequence[GroupCard]) -> Iterator[Filter]:
    """The gallery's filters, without those that leave no choice."""
    levels = [level for group in groups for level in group.levels]
    samples = [sample for level in levels for sample in level.samples]
    outcome_names = {name for sample in samples for name in sample.outcomes}
    shows = {sample.shows for sample in samples}
    skills = sorted({check.skill for level in levels for check in level.checks} - {""})
    names = list(dict.fromkeys(level for document in data.documents for level in document.counts))
    if len(names) > 1:
        yield "level", "Level", "all levels", [(name, name) for name in names], ""
    if len(data.runs) > 1:
        yield "run", "Model", "any model", [(str(n), run.label) for n, run in enumerate(data.runs)], ""
    outcomes = [(name, label) for name, label in OUTCOMES.items() if name in outcome_names]
    yield "outcome", "Outcome", "any outcome", outcomes, "failure" if "failure" in outcome_names else ""
    if shows - {""}:
        yield "shows", "Shows", "anything", [(name, label) for name, label in SHOWS.items() if name in shows], ""
    if len(skills) > 1:
        yield "skill", "Skill of the check", "any skill", [(name, name) for name in skills], ""
    if any(run.people for run in data.runs):
        options = [("disagree", "judge and person disagree"), ("labelled", "labelled by a person")]
        options[:0] = [("split", "raters disagree")] if data.raters else []
        yield "people", "Judge and person", "any picture", options, ""


def _provenance(data: ModelData) -> list[tuple[str, list[PageFact]]]:
    """Groups of facts, each with its title: those that all runs share ("All pictures"), then those of each run."""
    all_facts = {run.label: list(_facts(run.document)) for run in data.runs}
    shared = [fact for fact in all_facts[data.runs[0].label] if all(fact in facts for facts in all_facts.values())]
    of_each = {label: [fact for fact in facts if fact not in shared] for label, facts in all_facts.items()}
    return [(label, facts) for label, facts in {"All pictures": shared, **of_each}.items() if facts]


def _facts(document: ModelDocument) -> Iterator[PageFact]:
    """The facts about a run: its judge and certificate, its pictures, and the versions that made its numbers."""
    s = document.provenance
    yield "judge", "", common.named(s.judge)
    yield "certificate", f"policy {s.policy}" if s.certificate else "none", s.certificate
    for reason in document.reasons:
        yield "not certified", common.sentence(reason, False), ""
    for law, why in document.left_out.items():
        yield "left out", f"{law} ({why})", ""
    for line in about_numbers.leaning_lines(document):
        yield "asked both ways", line, ""
    if document.domain:
        yield "pictures", document.domain.text, ""
    drawn_as = f"{counted(s.samples, 'sample')} of each prompt, seed {s.generator_seed}"
    yield "generator", drawn_as, common.named(s.generator)
    yield "prompts", s.prompts, s.prompts_digest
    yield "template", s.template + (", prompt shown" if s.prompt_shown else ""), s.template_digest
    versions = f"parser {s.parser}, counterbench {s.version}"
    yield "protocol", f"{s.protocol} {s.protocol_version}, {s.scoring} scoring, {versions}", ""
    yield "intervals", f"over {run_names.clusters(document)}", ""
    yield "run", document.run, ""


def _parts(data: ModelData, kind: str) -> tuple[str, dict[str, list[Estimate | None]]]:
    """The heading of a table of parts, and its rows: by the name of a part, the main number of each model.

    `kind`: the kind of the parts, such as "law". If parts only have numbers without a gate (`_S`), these are taken.
    """
    by_run = [document.slices.get(kind, {}) for document in data.documents]
    names = dict.fromkeys(name for parts in by_run for name in parts)
    number = run_names.main_number(data.documents[0])
    prefix = "" if any(number in part for parts in by_run for part in parts.values()) else "ungated_"
    rows = {name: [parts.get(name, {}).get(prefix + number) for parts in by_run] for name in names}
    return prefix.replace("_", " ") + heading(number), rows


def _lines_with_runs(data: ModelData, *lines: Callable[[ModelDocument], list[str]]) -> list[tuple[str, str]]:
    """The lines that the functions `lines` give about the runs, each line once, as (labels of its runs, line)."""
    by_line: dict[str, list[str]] = {}
    for run in data.runs:
        for line in (line for describe in lines for line in describe(run.document)):
            by_line.setdefault(line, []).append(run.label)
    return [("Each" if 1 < len(labels) == len(data.runs) else listed(labels), line) for line, labels in by_line.items()]


_TEMPLATE_FUNCTIONS: dict[str, Any] = {  # by the name that templates call them by
    "heading": heading,
    "plain": lambda value, signed=False: (CHANGE if signed else FRACTION).plain(value),
    "is_signed": lambda name: notation_of(name).signed,
    "uses": run_names.uses,
}
