"""Tests a vision-language judge on counterfactual picture pairs with exact truth.

>>> import counterbench as cb
>>> pair = cb.load_suite("smoke")[0]
>>> pair.relevant, pair.answers
(True, ('yes', 'no'))
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from counterbench._version import __version__

if TYPE_CHECKING:
    from counterbench.api import (
        Run,
        certify,
        compare,
        diagnose,
        doctor,
        frame,
        generate,
        probe,
        report,
        score,
        validate,
        verify,
    )
    from counterbench.api_t2i import compare_models, t2i_generate, t2i_judge, t2i_score
    from counterbench.asking.asker import Limits
    from counterbench.asking.runner import Progress
    from counterbench.certificate import Certificate
    from counterbench.cluster.merge import merge
    from counterbench.errors import CounterbenchError, FormatError, InputError, JudgeError
    from counterbench.judges import Failed, Judge, Reply, Retry, open_judge
    from counterbench.runs.queries import Key, Query
    from counterbench.scene.pairs import Pair
    from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape
    from counterbench.suites.suite import Suite, load_suite
    from counterbench.t2i.generators.base import Generator
    from counterbench.t2i.prompts.prompt_set import PromptSet
    from counterbench.training.items import items
    from counterbench.training.rewards import ccs_rewards, reward

# Public name to the module that has it; imported when first used, so that `import counterbench` stays light.
_HOMES: dict[str, str] = {
    "Arrow": "scene.scene",
    "Certificate": "certificate",
    "Container": "scene.scene",
    "CounterbenchError": "errors",
    "Failed": "judges",
    "FormatError": "errors",
    "Generator": "t2i.generators.base",
    "InputError": "errors",
    "Judge": "judges",
    "JudgeError": "errors",
    "Key": "runs.queries",
    "Label": "scene.scene",
    "Limits": "asking.asker",
    "Pair": "scene.pairs",
    "Progress": "asking.runner",
    "PromptSet": "t2i.prompts.prompt_set",
    "Query": "runs.queries",
    "Reply": "judges",
    "Retry": "judges",
    "Run": "api",
    "Scene": "drawing.styles",  # which draws it
    "Shape": "scene.scene",
    "Suite": "suites.suite",
    "ccs_rewards": "training.rewards",
    "certify": "api",
    "compare": "api",
    "compare_models": "api_t2i",
    "diagnose": "api",
    "doctor": "api",
    "frame": "api",
    "generate": "api",
    "items": "training.items",
    "load_suite": "suites.suite",
    "merge": "cluster.merge",
    "open_judge": "judges",
    "probe": "api",
    "report": "api",
    "reward": "training.rewards",
    "score": "api",
    "t2i_generate": "api_t2i",
    "t2i_judge": "api_t2i",
    "t2i_score": "api_t2i",
    "validate": "api",
    "verify": "api",
}

__all__ = [  # noqa: RUF022  (by kind: functions first, then types)
    "__version__",
    "ccs_rewards",
    "certify",
    "compare",
    "compare_models",
    "diagnose",
    "doctor",
    "frame",
    "generate",
    "items",
    "load_suite",
    "merge",
    "open_judge",
    "probe",
    "report",
    "reward",
    "score",
    "t2i_generate",
    "t2i_judge",
    "t2i_score",
    "validate",
    "verify",
    "Arrow",
    "Certificate",
    "Container",
    "CounterbenchError",
    "Failed",
    "FormatError",
    "Generator",
    "InputError",
    "Judge",
    "JudgeError",
    "Key",
    "Label",
    "Limits",
    "Pair",
    "Progress",
    "PromptSet",
    "Query",
    "Reply",
    "Retry",
    "Run",
    "Scene",
    "Shape",
    "Suite",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'counterbench' has no attribute {name!r}; it has: {', '.join(__all__)}")
    return getattr(importlib.import_module(f"counterbench.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return list(__all__)
