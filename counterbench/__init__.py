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

if TYPE_CHECKING:  # each under its own name: public to type checkers
    from counterbench.api import Run as Run
    from counterbench.api import card as card
    from counterbench.api import certify as certify
    from counterbench.api import compare as compare
    from counterbench.api import diagnose as diagnose
    from counterbench.api import doctor as doctor
    from counterbench.api import frame as frame
    from counterbench.api import generate as generate
    from counterbench.api import load_suite as load_suite
    from counterbench.api import probe as probe
    from counterbench.api import report as report
    from counterbench.api import score as score
    from counterbench.api import swap as swap
    from counterbench.api import validate as validate
    from counterbench.api import verify as verify
    from counterbench.api import watch as watch
    from counterbench.api_t2i import align as align
    from counterbench.api_t2i import compare_models as compare_models
    from counterbench.api_t2i import evaluate as evaluate
    from counterbench.api_t2i import t2i_generate as t2i_generate
    from counterbench.api_t2i import t2i_judge as t2i_judge
    from counterbench.api_t2i import t2i_score as t2i_score
    from counterbench.asking.asker import Limits as Limits
    from counterbench.asking.probe import Probe as Probe
    from counterbench.asking.runner import Progress as Progress
    from counterbench.cluster.merge import merge as merge
    from counterbench.errors import CounterbenchError as CounterbenchError
    from counterbench.errors import FormatError as FormatError
    from counterbench.errors import InputError as InputError
    from counterbench.errors import JudgeError as JudgeError
    from counterbench.evidence.document import Certificate as Certificate
    from counterbench.evidence.validation import Validation as Validation
    from counterbench.judges import Failed as Failed
    from counterbench.judges import Judge as Judge
    from counterbench.judges import Reply as Reply
    from counterbench.judges import Retry as Retry
    from counterbench.judges import open_judge as open_judge
    from counterbench.judges.scorers import scorer as scorer
    from counterbench.pictures.auditing.audit import Audit as Audit
    from counterbench.pictures.evaluation import Evaluation as Evaluation
    from counterbench.pictures.generators.base import Generator as Generator
    from counterbench.pictures.judging.run import Judging as Judging
    from counterbench.prompts.prompt_set import PromptSet as PromptSet
    from counterbench.runs.queries import Key as Key
    from counterbench.runs.queries import Query as Query
    from counterbench.scene.pairs import Pair as Pair
    from counterbench.scene.scene import Arrow as Arrow
    from counterbench.scene.scene import Container as Container
    from counterbench.scene.scene import Label as Label
    from counterbench.scene.scene import Scene as Scene
    from counterbench.scene.scene import Shape as Shape
    from counterbench.suites.suite import Suite as Suite
    from counterbench.training import ccs_rewards as ccs_rewards
    from counterbench.training import items as items
    from counterbench.training import reward as reward

# Public names by module, which is imported when one of them is first used: `import counterbench` stays light.
_PUBLIC = {
    "api": (
        "Run",
        "card",
        "certify",
        "compare",
        "diagnose",
        "doctor",
        "frame",
        "generate",
        "load_suite",
        "probe",
        "report",
        "score",
        "swap",
        "validate",
        "verify",
        "watch",
    ),
    "api_t2i": ("align", "compare_models", "evaluate", "t2i_generate", "t2i_judge", "t2i_score"),
    "asking.asker": ("Limits",),
    "asking.runner": ("Progress",),
    "evidence.document": ("Certificate",),
    "cluster.merge": ("merge",),
    "pictures.evaluation": ("Evaluation",),
    "pictures.auditing.audit": ("Audit",),
    "pictures.judging.run": ("Judging",),
    "evidence.validation": ("Validation",),
    "asking.probe": ("Probe",),
    "drawing.styles": ("Scene",),  # which draws it
    "errors": ("CounterbenchError", "FormatError", "InputError", "JudgeError"),
    "judges": ("Failed", "Judge", "Reply", "Retry", "open_judge"),
    "judges.scorers": ("scorer",),
    "runs.queries": ("Key", "Query"),
    "scene.pairs": ("Pair",),
    "scene.scene": ("Arrow", "Container", "Label", "Shape"),
    "suites.suite": ("Suite",),
    "pictures.generators.base": ("Generator",),
    "prompts.prompt_set": ("PromptSet",),
    "training": ("ccs_rewards", "items", "reward"),
}
_HOMES = {name: module for module, names in _PUBLIC.items() for name in names}

# By kind: functions first, then types.
__all__ = ["__version__", *sorted(_HOMES, key=lambda name: (name[0].isupper(), name))]


def __getattr__(name: str) -> Any:
    """The public object called `name`, such as `load_suite`; its module is imported at the first use."""
    if name not in _HOMES:
        raise AttributeError(f"module 'counterbench' has no attribute {name!r}; it has: {', '.join(__all__)}")
    return getattr(importlib.import_module(f"counterbench.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """The public names."""
    return list(__all__)
