"""What was compared and how, in a paragraph with every digest, to cite."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from counterbench.stats.randomisation import MOST_EXACT
from counterbench.t2i.comparing.document import Comparison, ModelRun
from counterbench.t2i.scores.document import Signature, stamp
from counterbench.text import counted


def methods(of: Comparison, clusters: int, draws: int) -> str:
    """The paragraph. `clusters`: the most that two models have in common; `draws`: sets, where not all are tried."""
    s = of.runs[0].signature
    gate = f", the gate at S_L1 of {s.threshold:g}" if s.threshold is not None else ""
    whole = f"{of.clusters}s" if of.clusters == of.units else f"whole {of.clusters}s"
    sets = f"{draws:,} random sets" if clusters > MOST_EXACT else "every set"
    shown = ", the prompt shown" if s.prompt_shown else ""
    return " ".join(
        (
            f"{counted(len(of.runs), 'text-to-image model')} ({_listed(of.runs)}) drew {_each(of.runs)} of each prompt "
            f"of the set {s.prompts} (digest {_all(of.runs, lambda signed: signed.prompts_digest)}).",
            f"The judge {s.judge}, asked with the wording {s.wording} ({s.wording_digest}{shown}) and "
            f"{_certified(of.runs)}, answered the questions of the protocol {s.protocol} (version "
            f"{s.protocol_version}); they were counted by the scoring {s.scoring}{gate} (parser {s.parser}, "
            f"counterbench {s.version}).",
            f"A number is a mean over {of.units}s, of each the mean over its samples. Two models are compared on the "
            f"{of.units}s that both have scored. Intervals: 95 %, t by the delta method over {whole}, with a "
            f"pseudo-{of.clusters} for each limit. p: two-sided randomisation test, the models swapped in {sets} of "
            f"{whole}, adjusted by Holm over all {counted(of.tests, 'test')}. One model is called better at an "
            f"adjusted p of at most {100 * of.level:g} %.",
            *(f"The numbers are marked: {mark}." for mark in sorted({stamp(run) for run in of.runs} - {""})),
        )
    )


def _listed(runs: Sequence[ModelRun]) -> str:
    return ", ".join(run.signature.generator for run in runs)


def _each(runs: Sequence[ModelRun]) -> str:
    least, most = (of(run.signature.samples for run in runs) for of in (min, max))
    return counted(most, "picture") if least == most else f"{least} to {most} pictures"


def _all(runs: Sequence[ModelRun], what: Callable[[Signature], str]) -> str:
    return " and ".join(dict.fromkeys(what(run.signature) for run in runs))


def _certified(runs: Sequence[ModelRun]) -> str:
    if not any(run.signature.certificate for run in runs):
        return "without a certificate"
    told = _all(runs, lambda s: f"{s.certificate} ({s.policy})" if s.certificate else "none for some runs")
    return f"under the certificate {told}"
