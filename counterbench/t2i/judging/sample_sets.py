"""Small prompt sets as protocols meet them."""

from __future__ import annotations

from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.protocols.asks import CONTEXT


def sample_prompts() -> tuple[PromptSet, ...]:
    """Small sets as protocols meet them: three levels with holes, one level with every kind of check, and no check."""
    return (
        _levels(),
        _kinds(),
        PromptSet("bare", ("image",), [Prompt(id="a/image", group="a", level="image", text="A")]),
    )


def _levels() -> PromptSet:
    asked = (
        Check(id="whole", text="Is it whole?", dimension="visual-integrity", weight=3, skill="integrity"),
        Check(
            id="point", text="Does it fall?", dimension="assessment-point", weight=15, answer_type="grade", expected="1"
        ),
        Check(id="logic", text="Does all fall?", dimension="logic-consistency", weight=8, criteria="1: all. 0: none."),
        Check(id="habit", text="Does it rise?", dimension="contrast", expected="no", weight=0),
    )
    ids = [f"{group}/{level}" for group in ("a", "b", "c", "d") for level in ("l1", "l2", "l3")]
    prompts = [
        _prompt(id, *(asked if id != "b/l1" else ()), category=id[0]) for id in ids if id not in ("c/l3", "d/l1")
    ]
    return PromptSet("sample of levels", ("l1", "l2", "l3"), prompts)


def _kinds() -> PromptSet:
    plain = (
        Check(id="there", text="Is it there?", dimension="objects", tags=("one", "two")),
        Check(id="gone", text="Is it gone?", dimension="objects", expected="no", tags=("two",), weight=0.5),
        Check(id="count", text="How many are there?", dimension="numbers", answer_type="integer", expected="3"),
    )
    graded = (
        Check(id="noise", text="How noisy?", answer_type="rating:0-10", expected="0", criterion="looks", weight=2),
        Check(id="hands", text="Hands", answer_type="rating:1-5", expected="5", call="parts", criterion="parts"),
        Check(id="light", text="Light", answer_type="rating:1-5", expected="5", call="parts", criterion="parts"),
        Check(id="seen", text="What do you see?", answer_type=CONTEXT, expected="", weight=0),
        Check(id="true", text="Is that so?", after="seen", skill="anything"),
    )
    sets = {"a": plain, "b": graded, "c": plain + graded, "d": plain[:1]}
    prompts = [_prompt(f"{id}/image", *checks, category="xy"[id > "b"]) for id, checks in sets.items()]
    return PromptSet("sample of kinds", ("image",), prompts)


def _prompt(id: str, *checks: Check, category: str = "") -> Prompt:
    group, _, level = id.partition("/")
    return Prompt(id=id, group=group, level=level, text=f"A picture of {id}.", checks=checks, category=category)
