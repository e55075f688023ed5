"""Sets of planted models, each with the judges whose faults meet a manner or a mistake of one of them.

noise and yes-bias hit all models alike: the contrast. text-led meets the vandal, prior-bound the literal model, which
draws the right picture where it is told the outcome, bag-of-words the swapper, agreeable the forgetful one, style-blind
a model with a style of its own, small-blind one that draws small, prettier-wins one that draws finely.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

OF_CHECKS = ("checklist", "soft", "cf-eval")
ALL = (*OF_CHECKS, "direct", "pairwise")


def noisy(l1: float, l2: float, l3: float) -> str:
    return f"noisy?l1={l1}&l2={l2}&l3={l3}"


class Models(NamedTuple):
    """Planted models, and the judges about them with the protocols that count; two models that differ by little."""

    models: dict[str, str]
    judges: dict[str, tuple[str, ...]]
    two: tuple[str, str]  # the better one first


def doses(fault: str, *at: float, only: tuple[str, ...] = ALL) -> dict[str, tuple[str, ...]]:
    return {f"{fault}?p={p}": only for p in at}


def in_style(models: Mapping[str, str]) -> dict[str, str]:
    return {name: f"{spec}{'&' if '?' in spec else '?'}style=textured" for name, spec in models.items()}


EVEN = {p: noisy(p, p, p) for p in (0.9, 0.8, 0.7, 0.6, 0.4)}
CLOSE = {f"noisy{100 * p:.0f}": EVEN[p] for p in (0.9, 0.8, 0.7, 0.6)}
WORSE_ONES = {"noisy80": EVEN[0.8], "noisy60": EVEN[0.6], "noisy40": EVEN[0.4]}
LATE = noisy(0.9, 0.45, 0.45)  # a little better than the literal model, and not by a lucky L1
SETS = {
    "close": Models(
        {"reasoner": "reasoner", **CLOSE},
        doses("noisy", 0.1, 0.3) | doses("yes-bias", 0.2, 0.5) | doses("first-bias", 0.3, 0.8, only=("pairwise",)),
        (EVEN[0.9], EVEN[0.8]),
    ),
    "far": Models(
        {"reasoner": "reasoner", "noisy60": EVEN[0.6], "late": LATE, "starter": "starter", "prior": "prior"},
        doses("noisy", 0.3)
        | doses("yes-bias", 0.5)
        | doses("lazy", 0.3, 0.8, only=("pairwise",))
        | doses("prompt-led", 0.5, only=("direct",)),
        (EVEN[0.9], EVEN[0.8]),
    ),
    "vandal": Models(
        {"noisy60": EVEN[0.6], "literal": "literal", "late": noisy(0.9, 0, 0), "starter": "starter"}
        | {"vandal": "vandal"},
        doses("text-led", 0.2, 0.5, 0.8),
        ("starter", "vandal"),
    ),
    "literal": Models(
        {"careless": noisy(0.6, 0.9, 0.9), "noisy80": EVEN[0.8], "noisy60": EVEN[0.6], "literal": "literal"}
        | {"prior": "prior"},
        doses("prior-bound", 0.2, 0.5, 0.8),
        (LATE, "literal"),
    ),
    "swapper": Models(
        {**WORSE_ONES, "swapper": "swapper?p=0.85", "prior": "prior"},
        doses("bag-of-words", 0.2, 0.5, 0.8),
        (EVEN[0.4], "swapper?p=0.85"),
    ),
    "forgetful": Models(
        {**WORSE_ONES, "forgetful": "forgetful?p=0.55", "prior": "prior"},
        doses("agreeable", 0.2, 0.5, 0.8),
        (EVEN[0.4], "forgetful?p=0.55"),
    ),
    "one styled": Models(
        {"reasoner": "reasoner?style=textured", **CLOSE},
        doses("style-blind", 0.2, 0.5, 0.8),
        ("reasoner?style=textured", EVEN[0.9]),
    ),
    "all styled": Models(
        in_style({"reasoner": "reasoner", **CLOSE}),
        doses("style-blind", 0.5),
        ("reasoner?style=textured", f"{EVEN[0.9]}&style=textured"),
    ),
    "one small": Models(
        {"reasoner": "reasoner?small=true", **CLOSE},
        doses("small-blind", 0.2, 0.5, 0.8),
        ("reasoner?small=true", EVEN[0.9]),
    ),
    "one fine": Models(
        {"reasoner": "reasoner", "noisy80": EVEN[0.8], "noisy60": EVEN[0.6]}
        | {"literal": "literal?style=photograph", "prior": "prior"},
        doses("prettier-wins", 0.2, 0.5, 0.8, only=("pairwise",)),
        (LATE, "literal?style=photograph"),
    ),
}


def name_in(model_set: Models, spec: str) -> str:
    """The name of a model of a set, or one of its two that are in no ranking."""
    return next((name for name, own in model_set.models.items() if own == spec), f"two{model_set.two.index(spec)}")


def styles_of(model_set: Models) -> list[str]:
    """The styles in which a set's models draw, and in which a judge is tested before."""
    named = [spec.partition("style=")[2].partition("&")[0] or "flat" for spec in model_set.models.values()]
    return sorted(set(named), key=lambda style: (style != "flat", style))
