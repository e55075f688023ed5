"""Derives the data of a judge's card from its runs: every field follows from recorded replies.

In go the folders of runs of one judge, asked in one way (`derive`). Out comes a `CardDocument`; a field is None where
no run shows it. The commands `card` and `site` make pages of it. Below `derive`, each function makes one field, or the
rows of one run, in the order of the card.

A card may be published, so names of the user's own suites, templates and models are replaced (`hiding`) unless a run's
`open_words` is true. A *ladder* is a series of pairs of rising difficulty. A run is *deciding* if its certificate has
verdicts that count: `run.deciding` is that certificate, or None.
"""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from counterbench._version import __version__
from counterbench.answers import PARSER_VERSION
from counterbench.answers.choices import FIRST, FORCED, PREFERENCE
from counterbench.diagnosis.document import MIN_SHOWN, Above
from counterbench.drawing.styles import STICKER
from counterbench.errors import InputError
from counterbench.evidence.cells import PairCount
from counterbench.evidence.document import CellResult, Certificate, KindResult
from counterbench.evidence.findings import counts, joint_verdict, shown_kinds
from counterbench.evidence.ladders import SUITE as LADDER
from counterbench.evidence.policies import load_policy
from counterbench.evidence.shown import evidence_of, families_of
from counterbench.files import formats
from counterbench.judges.specs import gives_numbers
from counterbench.laws import all_laws
from counterbench.pages.cards import hiding
from counterbench.pages.cards.checks import POLICY, CheckedRun, load_checked
from counterbench.pages.cards.document import (
    CardDocument,
    CardSource,
    Changes,
    Counted,
    Lean,
    NamedFault,
    Rates,
    SeenLadder,
    Steadiness,
    Who,
)
from counterbench.pages.cards.limits import not_for
from counterbench.results.flips import flips_of
from counterbench.results.results import PairResult, judged_pairs
from counterbench.results.rules import DEFAULT
from counterbench.results.scores import share
from counterbench.runs.folder import JOURNAL_FILE, KEYS_FILE, answered, refuse_repeats
from counterbench.runs.queries import cell_of
from counterbench.suites.families.ladders import LADDERS
from counterbench.suites.suite import load_suite
from counterbench.text import quoted, some

_MAX_BADGE_SKILLS = 2

Result = CellResult | KindResult


def derive(paths: Sequence[Path], include_pictures: bool = False) -> CardDocument:
    """The card of the judge of these runs.

    `include_pictures`: True if the user's own suites and templates may be named, too. InputError if a run contradicts
    itself, or if two are of different judges, or have the same questions.
    """
    refuse_repeats(paths)
    runs = [load_checked(path, include_pictures) for path in paths]
    _refuse_unlike(runs)
    ladders = [run.ladders for run in runs if run.ladders is not None]
    pairs = [pair for run in runs for pair in judged_pairs(run.results.pairs, run.info)]
    policy = load_policy(POLICY)
    card = CardDocument(
        who=_who(runs),
        badge=[],
        ladders=ladders[0].ladders if ladders else None,
        bound=policy.ccs,
        sees=[skill for run in runs for skill in _seen_skills(run)] or None,
        faults=[fault for run in runs for fault in _faults(run)],
        unexplained=_unexplained(runs),
        yes_bias=_answer_bias(pairs, ("yes-no",), "yes"),
        position_bias=_answer_bias(pairs, (PREFERENCE, FORCED), FIRST),
        prior_strength=_prior_strength(runs),
        flips=_flips(runs),
        steadiness=_steadiness(runs),
        cells=[row for run in runs for row in _cells(run)] or None,
        kinds=[row for run in runs for row in _kinds(run)] or None,
        rates=_rates(runs),
        not_for=[],
        runs=[_source(run) for run in runs],
        policy=policy.name,
        scoring=DEFAULT,
        parser=PARSER_VERSION,
        version=__version__,
    )
    card = msgspec.structs.replace(card, not_for=[*not_for(card, policy.days)])
    return msgspec.structs.replace(card, badge=_badge(card))


def _refuse_unlike(runs: Sequence[CheckedRun]) -> None:
    """Raise InputError if two runs are of different judges or ways to ask, or about the same pairs."""
    first = runs[0]
    for run in runs[1:]:
        where = f"{first.results.path} and {run.results.path} cannot stand on one card"
        for field in ("judge", "template", "template_digest", "repeats"):
            value, other = getattr(first.info, field), getattr(run.info, field)
            if value != other:
                raise InputError(f"{where}: they differ in {field.replace('_', ' ')}: {value} and {other}")
        if first.imported != run.imported:
            raise InputError(f"{where}: the replies of one were imported")
    by_suite: dict[str, Path] = {}
    for run in runs:  # the card tells counts apart by their suite alone
        suite = run.info.suite if hiding.is_public(run.info) else run.info.suite_digest
        other = by_suite.setdefault(suite, run.results.path)
        if other != run.results.path:
            raise InputError(f"{other} and {run.results.path} are about the same pairs or suite: name one of them")


def _who(runs: Sequence[CheckedRun]) -> Who:
    """The judge of the runs, its template and its dates, in words that may be shown."""
    first = runs[0]
    info, observations = first.info, [run.results.observed for run in runs]  # models and times of the replies
    kind, shown_judge = hiding.kind_of(info, first.imported), hiding.judge_shown(info.judge)
    models: dict[str, int] = {}
    for name, count in ((name, count) for observed in observations for name, count in observed.models.items()):
        model = hiding.model_shown(name) if kind != "planted" else name
        models[model] = models.get(model, 0) + count
    dates = sorted(date[:10] for observed in observations for date in (observed.first, observed.last) if date)
    return Who(
        judge=shown_judge,
        kind=kind,
        local=hiding.is_local(info.judge, kind),
        called=info.name if hiding.HIDDEN in shown_judge and hiding.model_shown(info.name) == info.name else "",
        models=models,
        template=first.template,
        template_digest=info.template_digest,
        repeats=info.repeats,
        pictures=list(dict.fromkeys(run.info.domain.text for run in runs if run.info.domain is not None)),
        asked_from=dates[0] if dates else "",
        asked_until=dates[-1] if dates else "",
    )


def _seen_skills(run: CheckedRun) -> list[SeenLadder]:
    """The laws that the judge was asked about in a run, or the skills if it has no laws, with counts and verdicts.

    Each is a `SeenLadder`, the card's name for such an entry. Empty without a certificate, or if the suite may not be
    named.
    """
    cert = run.certificate
    if cert is None or not run.open_words:
        return []
    laws = [name for name in cert.laws if name in all_laws()]
    findings = evidence_of(cert, laws).drawn
    kind: Literal["drawn", "stickers", "published"] = "stickers" if run.info.style == STICKER else "drawn"
    if run.imported and not run.attempt:
        kind = "published"
    verdicts = {name: cert.laws[name].verdict for name in laws} or {
        name: joint_verdict(cert.laws[family].verdict for family in families_of(cert, name)) for name in findings
    }
    decides = run.deciding is not None
    return [
        SeenLadder(
            name=name,
            evidence=kind,
            admitted=finding.admitted if decides else None,
            verdict=verdicts[name] if decides else None,
            right=round((finding.ccs.value or 0) * finding.pairs),
            of=finding.pairs,
        )
        for name, finding in findings.items()
    ]


def _faults(run: CheckedRun) -> list[NamedFault]:
    """The faults that a run shows."""
    return [
        NamedFault(
            name=fault.name,
            suite=run.suite,
            cost=fault.effect,
            dose=fault.dose,
            evidence=fault.evidence if run.open_words else "",
        )
        for fault in run.diagnosis.faults
    ]


def _unexplained(runs: Sequence[CheckedRun]) -> dict[str, float]:
    """The CCS lost to errors that no fault explains, as a fraction, by suite; small losses are left out.

    Where suites share a name (several suites of the user's own), the largest loss counts.
    """
    costs = sorted((run.diagnosis.unexplained, run.suite) for run in runs)
    return {suite: cost for cost, suite in costs if cost >= MIN_SHOWN}


def _answer_bias(pairs: Iterable[PairResult], kinds: Sequence[str], answer: str) -> Lean | None:
    """The share of `answer` among the replies to questions of the answer types `kinds`, and among their true answers.

    None if no such question was answered.
    """
    questions = [question for pair in pairs for question in pair.questions if question[0].answer_type in kinds]
    answers = [(reply.value, key.expected) for key, reply in questions if reply is not None and reply.value is not None]
    if not answers:
        return None
    return Lean(
        said=share(sum(value == answer for value, _ in answers), len(answers)),
        true=share(sum(true == answer for _, true in answers), len(answers)),
    )


def _prior_strength(runs: Sequence[CheckedRun]) -> Above | None:
    """The prior strength from the first run that measures it; None if none does.

    It says how much more often the judge answers what is usual, against the picture, than the reverse.
    """
    strengths = [run.diagnosis.prior_strength.overall for run in runs if run.diagnosis.prior_strength is not None]
    return next((prior for prior in strengths if prior.of), None)


def _flips(runs: Sequence[CheckedRun]) -> Changes | None:
    """The change of the answers with the template, from the first run under several templates; None without such."""
    for run in runs:
        if (flips := flips_of(run.results.path, DEFAULT)) is not None:
            ccs_by_template = {hiding.template_shown(name, run.include): ccs for name, ccs in flips.templates.items()}
            return Changes(templates=ccs_by_template, rate=flips.rate)
    return None


def _steadiness(runs: Sequence[CheckedRun]) -> Steadiness | None:
    """The result of `watch` for one of these runs, preferably one that shows a change; None if none has a result."""
    # A change that one run shows is not hidden by another that shows none.
    watches = [run.watch for run in runs if run.watch is not None and run.watch.looks]
    watch_shown = next((watch for watch in watches if watch.verdict == "changed"), watches[0] if watches else None)
    if watch_shown is None:
        return None
    return Steadiness(
        verdict=watch_shown.verdict,
        what=watch_shown.what,
        looks=len(watch_shown.looks),
        pairs=watch_shown.overall.pairs,
        difference=watch_shown.overall.difference.value,
        first=watch_shown.looks[0].at[:10],
        last=watch_shown.looks[-1].at[:10],
        since=watch_shown.since and watch_shown.since[:10],
    )


def _cells(run: CheckedRun) -> list[Counted]:
    """Counts of relevant pairs (those in which the answer must change) by cell.

    A user's own suite has one row, "all". A run of ladders has none: its counts stand in the card's `ladders`.
    """
    if run.info.suite == LADDER:
        return []
    relevant = [pair for pair in run.results.pairs if pair.key.relevant]
    counted = counts(relevant, lambda pair: [cell_of(pair.key) if run.open_words else "all"])
    return _rows(run, counted, run.deciding.cells if run.deciding is not None else {})


def _kinds(run: CheckedRun) -> list[Counted]:
    """Counts of relevant pairs by picture kind, over all cells; none for ladders and for suites that are not named."""
    if run.info.suite == LADDER or not run.open_words:
        return []
    sums: dict[str, PairCount] = {}
    for by_kind in shown_kinds(run.results.pairs).values():
        for name, count in by_kind.items():
            right, wrong = sums.get(name, PairCount())
            sums[name] = PairCount(right + count.right, wrong + count.wrong)
    return _rows(run, dict(sorted(sums.items())), run.deciding.kinds if run.deciding is not None else {})


def _rows(run: CheckedRun, counted: Mapping[str, PairCount], results: Mapping[str, Result]) -> list[Counted]:
    """The counts of a run as rows, each with its verdict, if there is one."""
    return [
        Counted(
            name=name,
            suite=run.suite,
            right=count.right,
            of=count.pairs,
            verdict=results[name].verdict if name in results else None,
        )
        for name, count in counted.items()
    ]


def _rates(runs: Sequence[CheckedRun]) -> Rates | None:
    """The price and the time of a thousand right answers; None if neither is known, or no answer is right.

    The price is known if every reply has one. A pixel reader (a program that reads the drawn pictures) costs nothing.
    """
    rows = [answered(run.results.path / JOURNAL_FILE).figures for run in runs]
    replies, priced, seconds = (sum(getattr(row, name) for row in rows) for name in ("replies", "priced", "seconds"))
    judged = [reply for run in runs for pair in run.results.pairs for reply in pair.replies]
    right = sum(reply.right for reply in judged if reply is not None)
    kind = hiding.kind_of(runs[0].info, runs[0].imported)
    usd = sum(row.cost for row in rows if row.cost is not None) if replies and priced == replies else None
    if kind == "pixel reader":
        usd = 0.0
    elif kind == "planted" and not usd:
        usd = None  # no price was made up
    timed = seconds > 0 and not runs[0].imported
    if not right or (usd is None and not timed):
        return None
    return Rates(
        usd=None if usd is None else round(1000 * usd / right, 6),
        seconds=round(1000 * seconds / right, 3) if timed else None,
        right=right,
        replies=replies,
        stated=kind == "planted",
    )


def _source(run: CheckedRun) -> CardSource:
    """A run, with its digests and its command, as the card lists it."""
    path = run.results.path
    return CardSource(
        suite=run.suite,
        suite_digest=run.info.suite_digest,
        seed=run.info.seed,
        questions=run.info.queries,
        failed=sum(pair.failed for pair in run.results.pairs),
        truth="/".join(sorted({key.truth for pair in run.results.pairs for key in pair.keys})),
        truth_checked=run.truth_checked,
        admits=run.attempt is not None,
        held_back=_held_back(run.deciding),
        imported=run.imported,
        keys_digest=formats.file_digest(path / KEYS_FILE),
        journal_digest=formats.file_digest(path / JOURNAL_FILE),
        command=_command(run),
    )


def _held_back(cert: Certificate | None) -> list[str]:
    """The names of the parts of a certificate that did not pass: each keeps every law of the run from admission."""
    if cert is None:
        return []
    kinds = {f"picture kind {name}": result for name, result in cert.kinds.items()}
    controls = {} if cert.margin is not None else {"controls": cert.control}
    parts: dict[str, Any] = {**cert.run, **controls, **kinds}
    return [name for name, part in parts.items() if part.verdict != "pass"]


def _command(run: CheckedRun) -> str:
    """The command that asks the questions of a run again or, for imported replies, imports these again."""
    info, options = run.info, list[object]()
    if run.imported:
        kind = "counterbench ./CounterBench" if info.suite == hiding.RELEASE else "replies REPLIES"
        return f"counterbench import {kind} --out released"
    judge, suite = hiding.judge_shown(info.judge), info.suite if run.open_words else "DIR"
    if run.template != ("structured" if info.by_cells else "default"):
        options += ["--template", "FILE" if run.template == hiding.OWN_TEMPLATE else run.template]
    options += ["--repeats", info.repeats] if info.repeats != 1 else []
    if run.attempt is not None and info.side != min(load_suite(info.suite).size):
        options += ["--size", info.side]
    options += ["--style", info.style] if info.style not in ("flat", STICKER) else []
    if info.by_cells:
        options += ["--attempt", run.attempt] if run.attempt not in (None, 1) else []
        tested = run.ladders.ladders if run.ladders is not None else LADDERS
        options += ["--ladders", ",".join(tested)] if tested.keys() != LADDERS.keys() else []
        words: list[object] = ["validate", judge, "--for", suite, *options]
    else:
        pairs, all_pairs = info.queries // (2 * info.repeats), len(load_suite(info.suite)) if run.truth_checked else 0
        options += ["--seed", info.seed] if run.attempt != 1 and info.seed is not None else []
        options += ["--limit", pairs] if suite != "DIR" and pairs < all_pairs else []
        words = ["probe", suite, "--judge", judge, *options]
    return " ".join(["counterbench", *map(quoted, words)])


def _badge(card: CardDocument) -> list[str]:
    """The few texts on the badge: the best and the worst that the card shows, the evidence, and the judge's kind.

    The kind is given only for planted judges (built with a known fault) and imported replies.
    """
    words: list[str] = []
    for name, ladder in LADDERS.items():
        found = (card.ladders or {}).get(name)
        if found is not None and found.granted is not None and not words:
            words.append(ladder.sentence.format(found.granted))
    skills = [skill.name for skill in card.sees or () if skill.admitted]
    if skills:
        verb = "orders pictures by" if gives_numbers(card.who.judge) else "sees"
        words.append(f"{verb} {some(skills, _MAX_BADGE_SKILLS)}")
    if card.prior_strength is not None and card.prior_strength.value is not None:
        words.append(f"prior {100 * card.prior_strength.value:.0f} %")
    if card.faults and (worst := max(card.faults, key=lambda fault: fault.cost)).cost > 0:
        words.append(f"{worst.name} −{100 * worst.cost:.0f} points")
    if not words:
        right, total = (sum(getattr(cell, field) for cell in card.cells or ()) for field in ("right", "of"))
        words.append(f"right on {right} of {total} pairs" if total else "nothing shown")
    kinds = dict.fromkeys([skill.evidence for skill in card.sees or ()] or ["drawn"])
    words.append(f"{', '.join(kinds)}{f', {card.who.asked_until[:7]}' if card.who.asked_until else ''}")
    if card.who.kind in ("planted", "imported"):
        words.append(card.who.kind)
    return words
