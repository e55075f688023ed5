"""Readers of prompts and checks that are written out, in TOML or as a list, with the rules that they must keep."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from counterbench.answers import Answer, answer_type, kind_of, name_of, parse, scale_of
from counterbench.errors import InputError, unknown
from counterbench.laws import SUFFIX, law
from counterbench.t2i.prompts.from_laws import LEVELS, given_away
from counterbench.t2i.prompts.kinds import GroupsFile, RulesFile, WrittenCheck, WrittenGroup
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet
from counterbench.t2i.prompts.rules import ASSESSMENT, FACTUAL, legend, rule_checks

CF_EVAL, CHECKLIST = "cf-eval", "checklist"
CONTRAST = "contrast"  # a dimension of CF-Eval, like ASSESSMENT
_RIGHT = {"yes-no": "yes", "grade": "1", "score": "1"}


def rule_set(file: RulesFile) -> PromptSet:
    """One prompt for each variant of each rule, with its question or, for a law in symbols, with the law's checks."""
    drawn = any(not variant.question for rule in file.rule for variant in rule.variant)
    return PromptSet(file.name, ("rule",), list(_rules(file)), file.seed if drawn else None)


def group_set(file: GroupsFile, where: str) -> PromptSet:
    """The prompts of groups; InputError that names group and check."""
    assessed = any(check.dimension == ASSESSMENT for group in file.group for check in group.check)
    protocol = file.protocol or (CF_EVAL if assessed else CHECKLIST)
    levels = file.levels or in_order(level for group in file.group for level in group.prompts)
    prompts = [
        prompt for group in file.group for prompt in _group(group, levels, protocol, f"{where}, group {group.id!r}")
    ]
    return PromptSet(file.name, levels, prompts, None, protocol)


def in_order(levels: Iterable[str]) -> tuple[str, ...]:
    """Levels as they come, each once; L1 to L3 in their own order if there are no others."""
    once = tuple(dict.fromkeys(levels))
    return tuple(level for level in LEVELS if level in once) if {*once} <= {*LEVELS} else once


def check_of(said: WrittenCheck, protocol: str, place: str) -> Check:
    """A check as it is asked; InputError that begins with the place."""
    try:
        answer_type(said.answer_type)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    kind = kind_of(said.answer_type)
    if kind == "ratings":
        raise InputError(
            f"{place}: {said.answer_type} is how several checks with one 'call' are answered; give each of them the "
            f"answer type {said.answer_type.replace('ratings', 'rating')}"
        )
    contrast = protocol == CF_EVAL and said.dimension == CONTRAST
    unscored = contrast or kind == "description"
    weight = said.weight if said.weight is not None else float(not unscored)
    if not 0 <= weight < float("inf"):
        raise InputError(f"{place}: its weight must be 0 or more, not {weight}")
    if contrast and weight:
        raise InputError(f"{place}: a contrast check asks for what habit would draw; its weight must be 0")
    if unscored and weight:
        raise InputError(f"{place}: no description is right or wrong; its weight must be 0")
    return Check(
        id=said.id,
        text=said.text,
        dimension=said.dimension,
        answer_type=said.answer_type,
        expected="no" if contrast and kind == "yes-no" and not said.expected else _expected(said, kind, place),
        weight=weight,
        skill=said.skill,
        tags=said.tags,
        criterion=said.criterion,
        criteria=said.criteria,
        call=said.call,
        after=said.after,
    )


def refuse_mixed_calls(checks: Sequence[Check], place: str) -> None:
    """InputError if checks that are asked in one question cannot be answered by one reply."""
    calls: dict[str, Check] = {}
    names: dict[tuple[str, str], str] = {}
    for check in checks:
        if not check.call:
            continue
        alike = names.setdefault((check.call, name_of(check.id)), check.id)
        if alike != check.id:
            raise InputError(
                f"{place}, check {check.id!r}: the call {check.call!r} asks check {alike!r} too, and a reply could not "
                "tell the two names apart; they must differ in letters or digits"
            )
        if kind_of(check.answer_type) != "rating":
            raise InputError(
                f"{place}, check {check.id!r}: with a 'call' its answer type must be rating:LOW-HIGH, not "
                f"{check.answer_type}"
            )
        first = calls.setdefault(check.call, check)
        if (check.answer_type, check.after) != (first.answer_type, first.after):
            raise InputError(
                f"{place}, check {check.id!r}: the call {check.call!r} asks check {first.id!r} too, which has another "
                "'answer_type' or 'after'; they must be the same"
            )


def _expected(said: WrittenCheck, kind: str, place: str) -> str:
    """The answer that gives full credit, in canonical form: for a rating an end of its scale, usually the higher."""
    if kind == "description":
        return ""
    ends = scale_of(said.answer_type) if kind == "rating" else None
    usual = ends[1] if ends else _RIGHT.get(kind, "")
    if not said.expected and usual:
        return usual
    outcome = parse(said.expected, said.answer_type)
    if not isinstance(outcome, Answer):
        raise InputError(f"{place}: 'expected' must be the answer that gives full credit, not {said.expected!r}")
    if ends and outcome.value not in ends:
        raise InputError(
            f"{place}: 'expected' must be the end of the scale that gives full credit, {' or '.join(ends)}, not "
            f"{said.expected!r}"
        )
    return outcome.value


def _group(group: WrittenGroup, levels: Sequence[str], protocol: str, place: str) -> Iterator[Prompt]:
    for level in group.prompts:
        if level not in levels:
            raise unknown("level", level, levels, place)
    for check in group.check:
        for level in check.levels:
            if level not in levels:
                raise unknown("level", level, levels, f"{place}, check {check.id!r}")
    for phrase in group.outcome:
        if "l3" in group.prompts and given_away(phrase, group.prompts["l3"], group.rule):
            raise InputError(f"{place}: l3 states its outcome: {phrase!r}; L3 gives the law alone")
    checks = [(check_of(check, protocol, f"{place}, check {check.id!r}"), check.levels) for check in group.check]
    for level, text in group.prompts.items():
        asked = tuple(check for check, where in checks if not where or level in where)
        refuse_mixed_calls(asked, place)
        yield Prompt(
            id=f"{group.id}/{level}",
            group=group.id,
            level=level,
            text=text,
            checks=asked,
            category=group.category,
            discipline=group.discipline,
            law=group.law,
            variant=group.variant,
        )


def _rules(file: RulesFile) -> Iterator[Prompt]:
    for rule in file.rule:
        for variant in rule.variant:
            group, name, start = f"{rule.name}.{variant.name}", rule.name, rule.start
            statement = f"The rule is: {variant.rule}. {rule.finish}"
            if variant.question:
                asked = [Check(id="assessment", dimension=ASSESSMENT, text=variant.question, weight=1, skill="symbols")]
            else:
                one = law(rule.name + SUFFIX, f"rule {group!r}, which has no question")
                if one.variant(variant.name).real != variant.real:
                    raise InputError(f"rule {group!r}: without a question, it is real where the law's variant is")
                setting = one.setting(file.seed, 0)
                name, asked = one.name, list(rule_checks(one, setting, variant.name))
                start = " ".join(part for part in (setting.fill(rule.start), legend(setting)) if part)
                statement = setting.fill(statement)
            yield Prompt(
                id=f"{group}/rule",
                group=group,
                level="rule",
                text=f"{start} {statement}",
                checks=tuple(asked),
                discipline=rule.discipline,
                law=name,
                variant=FACTUAL if variant.real else variant.name,
            )
