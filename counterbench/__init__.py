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
    from counterbench.api import certify, compare, diagnose, frame, generate, probe, report, score, verify
    from counterbench.api_t2i import t2i_generate, t2i_judge, t2i_score
    from counterbench.cluster.merge import merge
    from counterbench.errors import CounterbenchError
    from counterbench.judges import Judge, Reply, open_judge
    from counterbench.runs.queries import Key, Query
    from counterbench.scene.pairs import Pair
    from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape
    from counterbench.suites.suite import Suite, load_suite
    from counterbench.training.items import items
    from counterbench.training.rewards import ccs_rewards, reward

# Public name to the module that has it; imported when first used, so that `import counterbench` stays light.
_HOMES: dict[str, str] = {
    "Arrow": "scene.scene",
    "Container": "scene.scene",
    "CounterbenchError": "errors",
    "Judge": "judges",
    "Key": "runs.queries",
    "Label": "scene.scene",
    "Pair": "scene.pairs",
    "Query": "runs.queries",
    "Reply": "judges",
    "Scene": "scene.scene",
    "Shape": "scene.scene",
    "Suite": "suites.suite",
    "ccs_rewards": "training.rewards",
    "certify": "api",
    "compare": "api",
    "diagnose": "api",
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
    "verify": "api",
}

__all__ = [  # noqa: RUF022  (by kind: functions first, then types)
    "__version__",
    "ccs_rewards",
    "certify",
    "compare",
    "diagnose",
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
    "verify",
    "Arrow",
    "Container",
    "CounterbenchError",
    "Judge",
    "Key",
    "Label",
    "Pair",
    "Query",
    "Reply",
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
