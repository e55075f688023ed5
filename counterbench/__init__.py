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
    from counterbench.api_t2i import align, compare_models, evaluate, t2i_generate, t2i_judge, t2i_score
    from counterbench.asking.asker import Limits
    from counterbench.asking.runner import Progress
    from counterbench.certificate.document import Certificate
    from counterbench.cluster.merge import merge
    from counterbench.errors import CounterbenchError, FormatError, InputError, JudgeError
    from counterbench.judges import Failed, Judge, Reply, Retry, open_judge
    from counterbench.runs.queries import Key, Query
    from counterbench.scene.pairs import Pair
    from counterbench.scene.scene import Arrow, Container, Label, Scene, Shape
    from counterbench.suites.suite import Suite, load_suite
    from counterbench.t2i.generators.base import Generator
    from counterbench.t2i.prompts.prompt_set import PromptSet
    from counterbench.training import ccs_rewards, items, reward

# Public names by module, which is imported when one of them is first used: `import counterbench` stays light.
_PUBLIC = {
    "api": (
        "Run",
        "certify",
        "compare",
        "diagnose",
        "doctor",
        "frame",
        "generate",
        "probe",
        "report",
        "score",
        "validate",
        "verify",
    ),
    "api_t2i": ("align", "compare_models", "evaluate", "t2i_generate", "t2i_judge", "t2i_score"),
    "asking.asker": ("Limits",),
    "asking.runner": ("Progress",),
    "certificate.document": ("Certificate",),
    "cluster.merge": ("merge",),
    "drawing.styles": ("Scene",),  # which draws it
    "errors": ("CounterbenchError", "FormatError", "InputError", "JudgeError"),
    "judges": ("Failed", "Judge", "Reply", "Retry", "open_judge"),
    "runs.queries": ("Key", "Query"),
    "scene.pairs": ("Pair",),
    "scene.scene": ("Arrow", "Container", "Label", "Shape"),
    "suites.suite": ("Suite", "load_suite"),
    "t2i.generators.base": ("Generator",),
    "t2i.prompts.prompt_set": ("PromptSet",),
    "training": ("ccs_rewards", "items", "reward"),
}
_HOMES = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = [  # noqa: RUF022  (by kind: functions first, then types)
    "__version__",
    "align",
    "ccs_rewards",
    "certify",
    "compare",
    "compare_models",
    "diagnose",
    "doctor",
    "evaluate",
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
