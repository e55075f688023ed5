"""Words about the scores of text-to-image models: names of numbers and of runs, and notes, wherever they are shown.

A run is one model's pictures as one judge answered about them; a document (`ModelDocument`) has its scores. These
functions take documents and give text for the command line, reports and pages: first the choice and names of tables,
rows and columns, then lines on the judge and its evidence, then notes on one run, and at the end the ratings of
comparisons. A function named `…_lines` gives lines to print, without a line end; none if there is nothing to say.

L1, L2 and L3 are the levels of prompts about laws: the real law, an altered law with its outcome, an altered law alone.
The prior is what usually happens; a judge is admitted if it may score at least some of the checks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

import msgspec

from counterbench.answers.choices import EQUAL, FIRST, SECOND
from counterbench.evidence.rungs import RUNG
from counterbench.evidence.shown import Evidence
from counterbench.evidence.verdict import verdict_line
from counterbench.laws.base import NO_CHANGE
from counterbench.pictures.protocols import protocol
from counterbench.pictures.protocols.cf_eval import SCORINGS
from counterbench.pictures.scores.document import (
    Audited,
    JudgeStatus,
    ModelDocument,
    NotShared,
    Numbers,
    SoftCounts,
    stamp,
)
from counterbench.pictures.scores.ratings import Rated, Ratings
from counterbench.results.measures import heading, plain, with_interval
from counterbench.runs.usage import Called, distinct, short_names
from counterbench.stats.clusters import FEWEST
from counterbench.stats.intervals import Estimate
from counterbench.text import counted, listed

if TYPE_CHECKING:
    from counterbench.evidence.admission import Admission

_MAX_CYCLES = 3  # cycles of models that are named
# The generator whose truth is made up check by check, so that its pictures may "show" outcomes that exclude each other.
_CARDS = "planted:card"
# The makers of models, with the beginnings of their models' names.
_MAKERS = {
    "Alibaba": "qwen|qwq|wan",
    "Anthropic": "claude|anthropic",
    "ByteDance": "seedream|doubao|bytedance|bagel",
    "DeepSeek": "deepseek|janus",
    "Google": "gemini|gemma|imagen|nano[- _]?banana|google",
    "Meta": "llama|meta|emu",
    "Mistral": "mistral|pixtral|ministral",
    "OpenAI": r"gpt|chatgpt|dall[- _·]?e|openai|sora|o[134](?!\d)",
    "Shanghai AI Lab": "internvl|internlm",
    "Tencent": "hunyuan(image|video)?",
    "xAI": "grok|xai|aurora",
    "Zhipu": "glm|chatglm|cogview|zhipu",
}
_MAX_NAMES, _MAJORITY = 4, 0.5  # the most names in a line; the least share of pictures that counts as most of them


def by_set(documents: Sequence[ModelDocument]) -> list[list[ModelDocument]]:
    """The documents in groups of one prompt set, protocol and scoring; each group is shown in one table."""
    sets: dict[tuple[object, ...], list[ModelDocument]] = {}
    for document in documents:
        source = document.provenance
        sets.setdefault((source.prompts_digest, source.protocol, source.scoring, source.threshold), []).append(document)
    return list(sets.values())


def kinds_of_parts(documents: Sequence[ModelDocument], first: Sequence[str]) -> list[str]:
    """The kinds of parts (law, dimension, …) that get a table of their own.

    A kind gets one if a run has several parts of it, and their numbers are not those of an earlier kind. `first`: the
    kinds that come first; the others follow in the protocol's order.
    """
    kinds, earlier = list[str](), list[list[Numbers]]()
    for kind in dict.fromkeys((*first, *(kind for document in documents for kind in document.slices))):
        by_run = [document.slices.get(kind, {}) for document in documents]
        parts = [part for by_name in by_run for part in by_name.values()]
        is_known = any(len(parts) == len(others) and all(part in others for part in parts) for others in earlier)
        if max(map(len, by_run)) > 1 and not is_known:
            earlier.append(parts)
            kinds.append(kind)
    return kinds


def columns_of_losses(documents: Sequence[ModelDocument]) -> list[str]:
    """The columns "pictures" and "replies", each only if some run could not use all of its pictures or replies."""
    used_of_all = [uses(document) for document in documents]
    return [name for name in ("pictures", "replies") if any(row[name][0] < row[name][1] for row in used_of_all)]


def uses(document: ModelDocument) -> dict[str, tuple[int, int]]:
    """For "pictures" the numbers of scored ones and of all; for "replies" those of answered checks and of all."""
    outcomes = [level.outcomes for level in document.counts.values()]
    return {
        "pictures": (document.scored, document.pictures),
        "replies": (sum(counts["answer"] for counts in outcomes), sum(sum(counts.values()) for counts in outcomes)),
    }


def row_name(document: ModelDocument) -> str:
    """The run's name in a table, with notes on its defects: laws or skills left out, incomplete."""
    n_left_out, n_laws = len(document.left_out), len(document.slices.get("law", ()))
    scope = f"{n_laws} of {n_laws + n_left_out} laws" if n_laws else f"without {_named([*document.left_out], False)}"
    defects = [scope] if n_left_out else []
    defects += [] if document.complete else ["incomplete"]
    return document.generator + (f" ({', '.join(defects)})" if defects else "")


def unit(document: ModelDocument) -> str:
    """The word for one unit of a run's means: "prompt" if each group has one prompt, else "group"."""
    return "group" if len(document.counts) > 1 else "prompt"


def clusters(document: ModelDocument) -> str:
    """The number of laws, groups or prompts over which a run's intervals are, in words."""
    laws = len(document.slices.get("law", ()))
    if laws > max(1, document.clusters):
        return f"{counted(laws, 'law')} of unequal sizes, which count as {document.clusters}"
    return counted(document.clusters, "law" if laws > 1 else unit(document))


def main_number(document: ModelDocument) -> str:
    """The name of the number that stands for a run where there is room for one.

    It is "score" (the mean) if there is one, else S at the last level ("s_l3"), else the last headline number.
    """
    levels = [name for name in document.headline if name.startswith("s_")]
    return "score" if "score" in document.columns else (levels or document.headline)[-1]


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
        f"({_named(ids, in_full)})"
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
    return [f"no interval{where}: intervals need at least {FEWEST} {units}"]


def verdict_lines(named_statuses: Iterable[tuple[str, JudgeStatus]]) -> list[str]:
    """The different verdicts on these runs, a line each; if there are several, with the names of the models."""
    by_line: dict[str, list[str]] = {}
    for name, status in named_statuses:
        by_line.setdefault(verdict_line(status.verdict, status.because), []).append(name)
    return [f"{line} ({', '.join(names)})" if len(by_line) > 1 else line for line, names in by_line.items()]


def judge_line(judge: str, status: JudgeStatus | Admission, reasons: Sequence[str], in_full: bool = False) -> str:
    """A line on the evidence that a judge sees what it is asked, else on why it is not admitted (`reasons`).

    `in_full`: no list of names is cut. The drawn test shows what the judge can see, skill by skill; checks of a skill
    without a test are "not tried". Example:

    "Judge: pixels. Drawn test passed for count, colour; not for side; not tried: text (31 % of the weight)."
    """
    drawn = status.evidence.drawn
    if not status.admitted:
        tested = drawn or (isinstance(status, JudgeStatus) and stamp(status) == "not admitted")
        return f"Judge: {judge}, {'not admitted' if tested else 'not tested'}: its numbers are unproven ({reasons[0]})"
    passed = [name for name, finding in drawn.items() if finding.admitted]
    failed = [f"{name} ({why})" if (why := status.left_out.get(name)) and in_full else name
              for name, finding in drawn.items() if not finding.admitted]  # fmt: skip
    certified = isinstance(status, JudgeStatus) and status.certified
    on_which = ", on pictures like these" if certified and not status.evidence.labelled else ""
    parts = [f"Drawn test passed for {_named(passed, in_full) or 'nothing'}{on_which}"]
    parts += [f"not for {_named(failed, in_full)}"] if failed else []
    if status.not_tested:
        untried_share = sum(status.not_tested.values())
        untried = f"{_named([*status.not_tested], in_full)} ({100 * untried_share:.0f} % of the weight)"
        is_all = untried_share > 0.995  # shown as 100 %
        parts.insert(0 if is_all else len(parts), f"{'Not' if is_all else 'not'} tried: {untried}")
    if stickers := status.evidence.stickers.get("all"):
        score = f"{round((stickers.ccs.value or 0) * stickers.pairs)} of {stickers.pairs} pairs right"
        parts += [f"stickers on these pictures: {score}{'' if stickers.admitted else ', too few to pass'}"]
    if isinstance(status, JudgeStatus) and status.declined:
        parts += [f"it declines drawn pictures with {_named(status.declined, in_full)}"]
    rungs = {name: why for name, why in status.left_out.items() if name.startswith(RUNG)}
    parts += [f"{why}, so without {_named([*rungs], in_full)}" for why in dict.fromkeys(rungs.values())]
    parts += [f"scored on {100 * (status.covered or 0):.1f} % of the weight"] if status.left_out else []
    parts[1:] = [part[0].lower() + part[1:] for part in parts[1:]]
    return f"Judge: {judge}. {'; '.join(parts)}."


def judge_lines(documents: Sequence[ModelDocument], in_full: bool = False) -> list[str]:
    """The line on each judge, once; if one judge has several lines, each with the names of its runs."""
    lines: dict[tuple[str, str], list[str]] = {}
    for document, judge in zip(documents, short_names([document.provenance for document in documents]), strict=True):
        lines.setdefault((judge, judge_line(judge, document, document.reasons, in_full)), []).append(document.generator)
    judges = [judge for judge, _ in lines]
    return [
        *(f"{text} ({', '.join(runs)})" if judges.count(name) > 1 else text for (name, text), runs in lines.items()),
        *same_maker_lines((document.generator, document.provenance) for document in documents),
    ]


def same_maker_lines(runs: Iterable[tuple[str, Called]]) -> list[str]:
    """A line for each model whose maker, by the names, is that of its judge (self-preference); no effect is claimed.

    `runs`: each model's name, and the provenance with its judge.
    """
    alike = [(model, judged) for model, judged in runs if makers_in(model) & makers_in(judged.judge)]
    judges = short_names([judged for _, judged in alike])
    lines = (f"{model} and its judge {judge}" for (model, _), judge in zip(alike, judges, strict=True))
    return [f"{names} are by the same maker: judges may prefer their own." for names in dict.fromkeys(lines)]


def makers_in(name: str) -> set[str]:
    """The makers whose products a name names, of a model or a judge; its kind and options name none.

    >>> makers_in("openai:gpt-4o?temperature=1"), makers_in("openai:qwen/qwen2.5-vl"), makers_in("Nano Banana")
    ({'OpenAI'}, {'Alibaba'}, {'Google'})
    """
    models = re.sub(r"\b(openai|transformers|diffusers|inspect|python):|\?[^,)]*", "", name.lower())
    models = re.sub(r"(?<![\w.-])[~.]*/[^,)]*/", "", models)  # a path's folders name no maker
    return {maker for maker, words in _MAKERS.items() if re.search(rf"(?<![a-z])({words})(?![a-z]{{3}})", models)}


def _named(names: Sequence[str], in_full: bool) -> str:
    """Names as one text, "a, b and 3 more" if there are many; `in_full`: every one of them."""
    first = names if in_full or len(names) <= _MAX_NAMES else names[: _MAX_NAMES - 1]
    return ", ".join(first) + (f" and {len(names) - len(first)} more" if len(first) < len(names) else "")


def pictures_line(runs: Iterable[JudgeStatus]) -> list[str]:
    """A line on the evidence about the judged pictures, and the command that adds to it.

    No line if every run is certified, or people labelled its pictures.
    """
    unlabelled = [run for run in runs if not (run.certified or run.evidence.labelled)]
    compared = any(isinstance(run, ModelDocument) and protocol(run.protocol).compares for run in unlabelled)
    return [next_evidence(all(passed_stickers(run.evidence) for run in unlabelled), compared)] if unlabelled else []


def passed_stickers(evidence: Evidence) -> bool:
    """True if the judge passed the test by stickers on the judged pictures."""
    return "all" in evidence.stickers and evidence.stickers["all"].admitted


def next_evidence(with_stickers: bool = False, pairs: bool = False) -> str:
    """The evidence about pictures without labels, and the command that adds to it; `pairs`: they were compared."""
    if pairs:
        return f"{evidence_yet(with_stickers)}; to let people compare them: counterbench label RUN --pairs"
    return f"{evidence_yet(with_stickers)}; to add human labels: counterbench label RUN"


def evidence_yet(with_stickers: bool) -> str:
    """A text on the evidence about pictures without labels; `with_stickers`: the judge passed the test by stickers."""
    return f"Evidence on these pictures: {'stickers only' if with_stickers else 'none yet'}"


def audit_lines(audits: Mapping[str, Audited | None]) -> list[str]:
    """A line with the finding of each run's audit; runs without an audit have none."""
    findings = {run: audit.finding for run, audit in audits.items() if audit is not None}
    return [f"Audit{f' of {run}' if len(audits) > 1 else ''}: {finding}." for run, finding in findings.items()]


def reason_lines(run: JudgeStatus, verbose: bool) -> list[str]:
    """A line with the first reason why a run is not certified, and how many more there are; `verbose`: every reason."""
    if verbose or len(run.reasons) < 2:
        return [f"{stamp(run)}: {reason}" for reason in run.reasons]
    return [f"{stamp(run)}: {run.reasons[0]} (and {len(run.reasons) - 1} more: -v)"]


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


NameForm: TypeAlias = Literal["short", "whole", "as asked"]


class _Generator(NamedTuple):
    """A generator with the field names that `short_names`, which is made for judges, reads."""

    judge: str  # the generator's name, which is shortened
    name: str  # the user's name for it; empty if there is none


# Texts that tell runs of the same name apart; the first one that differs is used.
_DISTINCTIONS: tuple[Callable[[ModelDocument], str], ...] = (
    lambda document: f"on {document.provenance.prompts}",
    lambda document: f"under {document.protocol}",
    lambda document: f"in {Path(document.run).name}",
    lambda document: f"in {document.run}",
)


def distinct_documents(documents: Sequence[ModelDocument], names: NameForm = "short") -> list[ModelDocument]:
    """The documents, each with a title of its own in place of its generator.

    The title is the generator's name, with the judge's if there are several, and a note if the judge saw the prompt;
    where two are still alike, with what tells them apart (`_DISTINCTIONS`). `names`: "short" for terminals, "whole" for
    files; both prefer the name that the user gave. "as asked": the generator as the document has it.
    """
    infos = [document.provenance for document in documents]
    judges = short_names(infos, names == "whole")
    generators = [document.generator for document in documents]
    if names != "as asked":
        named = zip(generators, infos, strict=True)
        of_generators = [_Generator(generator, info.generator_name) for generator, info in named]
        generators = short_names(of_generators, names == "whole")
    titles = [
        f"{name}{f' by {judge}' if len(set(judges)) > 1 else ''}{' (prompt shown)' if info.prompt_shown else ''}"
        for name, judge, info in zip(generators, judges, infos, strict=True)
    ]
    titles = distinct(titles, *([f" {describe(document)}" for document in documents] for describe in _DISTINCTIONS))
    return [msgspec.structs.replace(run, generator=title) for run, title in zip(documents, titles, strict=True)]


def rating(rated: Rated) -> str:
    """A model's rating with its interval, as text."""
    return f"{rated.rating:.0f}" + ("" if rated.low is None else f" [{rated.low:.0f}, {rated.high:.0f}]")


def ratings_lines(ratings: Ratings) -> Iterator[str]:
    """Lines on the meaning of ranks and intervals, losses, and what the answers say of the judge."""
    yield (
        "models that share a rank are not shown to differ (Holm, 5 %); intervals: bootstrap of whole prompts, never "
        "narrower than for as many independent comparisons"
    )
    if ratings.prompts == 1:
        yield "only one prompt: no interval, and no model is shown to be better"
    yield (
        f"{counted(ratings.comparisons, 'comparison')} of {counted(ratings.prompts, 'prompt')}; left out: "
        f"{ratings.unread} without an answer in one of the two orders"
    )
    by_number = any(model.mean_number is not None for model in ratings.models)
    if by_number:
        yield "mean number: not a share; no claim (a few prompts with a wide range may decide it)"
    if ratings.margin is not None:
        yield f"numbers within {ratings.margin:.3g} are equal, as in 9 of 10 questions of its certificate's controls"
    answers = ratings.said
    yield f"the judge said first {answers[FIRST]:,}, second {answers[SECOND]:,}, equal {answers[EQUAL]:,} times"
    if ratings.same.value is not None and not by_number:  # by numbers it is so by construction
        one_sided = f"first in both orders {ratings.first_both:,}, second in both {ratings.second_both:,}"
        same_outcome = f"{ratings.same.hits:,} of {ratings.same.of:,} ({100 * ratings.same.value:.0f} %)"
        yield f"the same outcome in both orders: {same_outcome}; {one_sided}"
    if ratings.leans:
        name = f"{ratings.leans.upper()}-BIAS (position bias)"
        yield f"{name}: its answers depend on the order and favour the {ratings.leans} picture"
    if ratings.lazy:
        cause = "it does not look (see its drawn test)" if ratings.margin is None else "its margin is too large"
        yield f"LAZY: nearly all its answers are equal; the pictures are alike, or {cause}"
    for cycle in ratings.cycles[:_MAX_CYCLES]:
        yield f"a cycle: {cycle} (each has more than half of the points against the next)"
    if len(ratings.cycles) > _MAX_CYCLES:
        yield f"… and {len(ratings.cycles) - _MAX_CYCLES} more cycles"
