"""Lines on the judge of models' scores: its verdict, the evidence that it sees, its maker, and its audit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from counterbench.evidence.rungs import RUNG
from counterbench.evidence.shown import Evidence
from counterbench.evidence.verdict import BY_PEOPLE, SUPPORTED, verdict_line
from counterbench.pictures.protocols import protocol
from counterbench.pictures.scores.document import (
    Audited,
    JudgeStatus,
    ModelDocument,
    stamp,
)
from counterbench.pictures.words.run_names import cut_list
from counterbench.runs.usage import Called, short_names

if TYPE_CHECKING:
    from counterbench.evidence.admission import Admission

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


def verdict_lines(named_statuses: Iterable[tuple[str, JudgeStatus]]) -> list[str]:
    """The different verdicts on these runs, a line each; if there are several, with the names of the models."""
    by_line: dict[str, list[str]] = {}
    for name, status in named_statuses:
        people = status.by_people if isinstance(status, ModelDocument) else None
        verdict = (SUPPORTED, BY_PEOPLE) if people is not None and people.headline else (status.verdict, status.because)
        by_line.setdefault(verdict_line(*verdict), []).append(name)
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
    parts = [f"Drawn test passed for {cut_list(passed, in_full) or 'nothing'}{on_which}"]
    parts += [f"not for {cut_list(failed, in_full)}"] if failed else []
    if status.not_tested:
        untried_share = sum(status.not_tested.values())
        untried = f"{cut_list([*status.not_tested], in_full)} ({100 * untried_share:.0f} % of the weight)"
        is_all = untried_share > 0.995  # shown as 100 %
        parts.insert(0 if is_all else len(parts), f"{'Not' if is_all else 'not'} tried: {untried}")
    if stickers := status.evidence.stickers.get("all"):
        score = f"{round((stickers.ccs.value or 0) * stickers.pairs)} of {stickers.pairs} pairs right"
        parts += [f"stickers on these pictures: {score}{'' if stickers.admitted else ', too few to pass'}"]
    if isinstance(status, JudgeStatus) and status.declined:
        parts += [f"it declines drawn pictures with {cut_list(status.declined, in_full)}"]
    rungs = {name: why for name, why in status.left_out.items() if name.startswith(RUNG)}
    parts += [f"{why}, so without {cut_list([*rungs], in_full)}" for why in dict.fromkeys(rungs.values())]
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
