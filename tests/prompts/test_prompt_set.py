"""Prompt sets: what makes one valid, and digests that change when anything in it does."""

from collections.abc import Callable

import msgspec
import pytest
from pictures.drawn import prompt_set
from pictures.lawful import of_laws
from sweeping import swept

from counterbench.errors import InputError
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet

ONE = prompt_set(1, ("l1",)).prompts[0]


def changed(prompt: Prompt = ONE, **changes: object) -> Prompt:
    return msgspec.structs.replace(prompt, **changes)


def set_of(*prompts: Prompt, levels: tuple[str, ...] = ("l1",), name: str = "mine") -> PromptSet:
    return PromptSet(name, levels, prompts)


def with_checks(*changes: dict[str, object]) -> Prompt:
    """The prompt with a check for each of the changes to its own."""
    return changed(checks=tuple(msgspec.structs.replace(ONE.checks[0], **change) for change in changes))


SET, AT = "prompt set 'mine'", "prompt set 'mine', prompt 'g0/l1'"
RANGE = "its weight must be from 0 to 1,000,000, not"
BAD: dict[str, tuple[Callable[[], PromptSet], str]] = {
    "empty": (lambda: set_of(), f"{SET} has no prompts"),
    "duplicate id": (lambda: set_of(ONE, ONE), f"{SET}: two prompts have the id 'g0/l1'"),
    "level twice": (lambda: set_of(ONE, levels=("l1", "l1")), f"{SET}: a level is named twice: l1, l1"),
    "unknown level": (lambda: set_of(changed(level="l9")), f"{AT}: unknown level 'l9'; choose from: l1"),
    "same check twice": (lambda: set_of(with_checks({}, {})), f"{AT}: two checks have the same id"),
    "weight beyond all": (lambda: set_of(with_checks({"weight": 1e308})), f"{AT}, check 'seen': {RANGE} 1e"),
    "negative weight": (lambda: set_of(with_checks({}, {"id": "b", "weight": -1})), f"{AT}, check 'b': {RANGE} -1"),
    "weight not a number": (lambda: set_of(with_checks({"weight": float("nan")})), f"{AT}, check 'seen': {RANGE} nan"),
    "weights sum to 0": (
        lambda: set_of(with_checks({"weight": 0})),
        f"{AT}: the weights of its checks sum to 0; give at least one a weight above 0",
    ),
    "called as a question is": (
        lambda: set_of(with_checks({}, {"id": "call.x", "call": "x"})),
        f"{AT}: rename the check 'call.x': this id is reserved for another question",
    ),
    "waits for itself": (lambda: set_of(with_checks({"after": "seen"})), f"{AT}: check 'seen' comes after itself"),
    "waits in vain": (
        lambda: set_of(with_checks({"after": "b"})), f"{AT}, check 'seen', after: unknown check 'b'; choose from: seen"
    ),
}  # fmt: skip


@swept("case", BAD)
def test_an_invalid_prompt_set_is_refused_with_the_place(case: str) -> None:
    make, message = BAD[case]
    with pytest.raises(InputError, match=f"^{message}"):
        make()


PROMPT_CHANGES: dict[str, object] = {
    "category": "C-MI", "text": "Draw something else.", "discipline": "physics", "law": "falling", "variant": "up",
    "setting": 1, "depth": "two steps", "style": "photo",
}  # fmt: skip
CHECK_CHANGES: dict[str, object] = {
    "id": "other", "dimension": "contrast", "text": "Is it there then?", "answer_type": "grade", "expected": "no",
    "weight": 2.0, "skill": "count", "tags": ("multi-hop",), "criterion": "anatomy", "criteria": "1: all. 0: none.",
    "call": "all",
}  # fmt: skip


def test_a_changed_prompt_or_check_changes_the_digest() -> None:
    for field, value in PROMPT_CHANGES.items():
        other = changed(**{field: value})
        assert set_of(other).digest != set_of(ONE).digest, field
        assert (other.digest != ONE.digest) == (field == "text"), field
    for field, value in CHECK_CHANGES.items():
        assert set_of(with_checks({field: value})).digest != set_of(ONE).digest, field


def test_the_digest_covers_order_levels_and_programs_and_not_the_name() -> None:
    two = prompt_set(2, ("l1",)).prompts
    assert set_of(*two).digest != set_of(*two[::-1]).digest
    assert set_of(*two).digest == set_of(*two, name="other").digest
    known = of_laws()
    bare = [
        msgspec.structs.replace(p, checks=tuple(msgspec.structs.replace(c, program=None) for c in p.checks))
        for p in known.prompts
    ]
    assert PromptSet(known.name, known.levels, bare, known.seed).digest != known.digest


def test_equal_sets_have_one_digest_however_they_were_made() -> None:
    """A whole number is written without a fraction and read with one, and a default may be said or not."""
    document = {"id": "a", "text": "?", "weight": 3, "answer_type": "yes-no", "tags": []}
    read = msgspec.json.decode(msgspec.json.encode(document), type=Check)
    made = Check(id="a", text="?", weight=3)
    as_read, as_made = set_of(changed(checks=(read,))), set_of(changed(checks=(made,)))
    assert (as_read, as_read.digest) == (as_made, as_made.digest)
    assert hash(as_read) == hash(as_made)
    assert as_read != set_of(changed(checks=(read,)), name="other")


def test_a_limit_takes_groups_of_each_discipline_in_turn() -> None:
    fields = ("optics", "optics", "optics", "heat", "")
    prompts = [
        changed(prompt, discipline=field, category="" if field else "other", law="")
        for prompt, field in zip(prompt_set(5, ("l1",)).prompts, fields, strict=True)
    ]
    whole = PromptSet("mine", ("l1",), prompts)
    chosen = [[prompts.index(prompt) for prompt in whole.first(limit)] for limit in (2, 3, 4, 9)]
    assert chosen == [[0, 3], [0, 3, 4], [0, 1, 3, 4], [0, 1, 2, 3, 4]]
    assert whole.first(None) == prompts
    of_a_law = PromptSet("mine", ("l1",), [changed(prompt, law="falling") for prompt in prompts])
    assert of_a_law.first(2) == list(of_a_law.prompts[:2])
