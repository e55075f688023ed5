"""A judge's scores in the EvalEval coalition's schema "Every Eval Ever", version 0.3.0; single replies are left out.

The schema is at https://github.com/evaleval/every_eval_ever. It wants texts in all details, and a UUID as the file's
name. What a run does not know is `unknown` or, about who evaluates, `other`.
"""

import hashlib
import time
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from counterbench._version import __version__
from counterbench.files import formats
from counterbench.judges.inspect.options import InspectOptions
from counterbench.judges.local.checkpoint_options import LocalOptions
from counterbench.judges.openai.server_options import OpenAIOptions
from counterbench.judges.specs import split_spec
from counterbench.results.measures import LEGEND, MEASURES
from counterbench.results.results import RunReplies
from counterbench.results.scores import Document
from counterbench.runs.folder import BY_CELLS

_SAYS = {header: text for line in LEGEND for names, _, text in [line.partition(": ")] for header in names.split(", ")}
_OPTIONS = {"openai": OpenAIOptions, "inspect": InspectOptions, "transformers": LocalOptions}


def export(run: RunReplies, scores: Document, folder: Path) -> None:
    """Write the record of a run. Its time is that of the last reply or, if imported replies have no time, now."""
    at = datetime.fromisoformat(run.observed.last) if run.observed.last else None
    stamp = f"{at.replace(tzinfo=at.tzinfo or UTC).timestamp() if at else time.time():.3f}"
    judge, models = run.info.judge, run.observed.models
    model = next(iter(models)) if len(models) == 1 else split_spec(judge)[0].partition(":")[2] or judge
    about = {"judge": judge, "models": models, "deployment_type": "unknown", "model_availability": "unknown"}
    record = {
        "schema_version": "0.3.0",
        "evaluation_id": f"counterbench/{run.info.suite}/{model}/{stamp}",
        "retrieved_timestamp": stamp,
        **({"evaluation_timestamp": stamp} if at else {}),
        "source_metadata": {
            "source_name": "counterbench", "source_type": "evaluation_run",
            "source_organization_name": "unknown", "evaluator_relationship": "other",
        },
        "eval_library": {"name": "counterbench", "version": __version__},
        "model_info": {"name": run.info.name or judge, "id": model, "additional_details": _texts(about)},
        "evaluation_results": [*_results(run, scores)],
    }  # fmt: skip
    name = uuid.UUID(bytes=hashlib.blake2b(formats.encode(record), digest_size=16).digest(), version=4)
    formats.write_json(folder / f"{name}.json", record)


def _results(run: RunReplies, scores: Document) -> Iterator[dict[str, Any]]:
    """A result for each measure overall and, of several families, for each family; none for an undefined number."""
    suite, provenance = run.info.suite, scores.provenance
    source = {
        "dataset_name": suite, "source_type": "other", "source_id": provenance.suite_digest,
        "source_version": run.info.versions.get("counterbench", "unknown"),
        "additional_details": _texts({name: getattr(provenance, name) for name in ("seed", "style", "truth")}),
    }  # fmt: skip
    names = ("template", "template_digest", "repeats", "parser", "scoring")
    details = {name: getattr(provenance, name) for name in names} | ({"note": BY_CELLS} if scores.by_cells else {})
    config = {"generation_args": _generation_args(run), "additional_details": _texts(details)}
    families = scores.families if len(scores.families) > 1 else {}
    for name, numbers in ({"": scores.overall} | {f".{name}": family for name, family in families.items()}).items():
        shares = ((measure, getattr(numbers, measure.key)) for measure in MEASURES if measure.header)
        for measure, share in ((measure, share) for measure, share in shares if share.value is not None):
            interval = {"lower": share.low, "upper": share.high, "confidence_level": 0.95, "method": "Wilson"}
            yield {
                "evaluation_name": f"counterbench.{suite}{name}",
                "source_data": source,
                "metric_config": {
                    "metric_id": f"counterbench.{measure.key}", "metric_name": measure.header,
                    "evaluation_description": _SAYS[measure.header], "metric_unit": "proportion",
                    "score_type": "continuous", "min_score": 0, "max_score": 1, "lower_is_better": measure.key == "gap",
                },
                "score_details": {
                    "score": share.value, "uncertainty": {"confidence_interval": interval, "num_samples": share.of},
                },
                "generation_config": config,
            }  # fmt: skip


def _generation_args(run: RunReplies) -> dict[str, float | int]:
    """The temperature and token limit of a model asked here; none that the server refused, or that `body` may set."""
    kind, _, rest = run.info.judge.partition(":")
    given = split_spec(rest)[1]
    if kind not in _OPTIONS or "body" in given:
        return {}
    usual = {name: getattr(_OPTIONS[kind](), name) for name in ("temperature", "max_tokens")}
    return {n: type(value)(given.get(n, value)) for n, value in usual.items() if n not in run.observed.dropped}


def _texts(values: dict[str, Any]) -> dict[str, str]:
    """The values as texts: others than texts as JSON."""
    return {name: value if isinstance(value, str) else formats.encode(value).decode() for name, value in values.items()}
