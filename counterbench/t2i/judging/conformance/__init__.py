"""The conformance kit for protocols: whatever keeps this contract is judged, resumed, counted and told as ours are."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from counterbench.errors import InputError
from counterbench.runs.wordings import load_wording
from counterbench.t2i.judging.conformance.asking import asked_of, check_asks
from counterbench.t2i.judging.conformance.counting import check_numbers, check_references
from counterbench.t2i.judging.conformance.pure import pure
from counterbench.t2i.judging.conformance.samples import sample_prompts
from counterbench.t2i.prompts.prompt_set import PromptSet
from counterbench.t2i.protocols.base import Protocol
from counterbench.t2i.scores.rules import DEFAULT, Scoring

__all__ = ["check_protocol", "sample_prompts"]

_GROUPS = 8  # of a set that is given


def check_protocol(protocol: Protocol, prompts: PromptSet | None = None) -> None:
    """Assert that a protocol keeps the contract of `counterbench.t2i.protocols.base.Protocol`.

    It is tried on `sample_prompts` and on the first groups of `prompts`, as far as it fits them. Checked: its members;
    that it refuses a set with InputError alone, and names it; that it is pure, and questions end, each with one id and
    one wording whichever replies are there yet; that refused, unparsed and failed replies are worth nothing and stop
    nothing; that numbers do not depend on order, are there under the names that are declared, keep within worst and
    best whatever is lost, and are best where every answer is right. Raises AssertionError with the reason.
    """
    _check_members(protocol)
    fitting = [of for of in sample_prompts() if _fits(protocol, of)]
    if prompts is not None:
        assert _fits(protocol, prompts), f"{protocol.name}: does not fit {prompts.name!r}, which it was given"
        fitting.append(prompts)
    assert fitting, f"{protocol.name}: fits none of the sample sets: give check_protocol prompts that it fits"
    for of in fitting:
        check_references(protocol, of)
        asked = asked_of(protocol, of.of(of.first(_GROUPS)))
        assert any(prompt.checks for prompt in asked.prompts), f"{protocol.name}: fits {of.name!r}, and checks nothing"
        for prompt in asked.prompts:
            check_asks(protocol, prompt)
        check_numbers(protocol, asked)


def _check_members(protocol: Protocol) -> None:
    assert isinstance(protocol, Protocol), f"{protocol!r} is no Protocol: make it a subclass"
    for name in ("name", "summary", "wording"):
        value = getattr(protocol, name, None)
        assert isinstance(value, str), f"{name} is not a string"
        assert value, f"{name} is empty"
    try:
        load_wording(protocol.wording)
    except InputError as error:
        raise AssertionError(f"wording: {error}") from None
    version = protocol.version
    assert isinstance(version, int), f"version is {version!r}, not a whole number from 1"
    assert version >= 1, f"version is {version!r}, not a whole number from 1"
    scorings = getattr(protocol, "scorings", None)
    assert isinstance(scorings, Mapping), "scorings is not a mapping of names to Scoring"
    assert DEFAULT in scorings, f"scorings has no {DEFAULT!r}, which counts where nobody names another"
    for name, how in scorings.items():
        assert isinstance(how, Scoring), f"scorings: {name!r} is {how!r}, not a Scoring"


def _fits(protocol: Protocol, prompts: PromptSet) -> bool:
    where = f"{protocol.name}, {prompts.name!r}: fits"
    lacks = pure(where, partial(_lacks, protocol), prompts)
    assert not lacks or prompts.name in lacks, f"{where} does not say which set lacks something: {lacks}"
    return not lacks


def _lacks(protocol: Protocol, prompts: PromptSet) -> str:
    try:
        protocol.fits(prompts)
    except InputError as error:
        return str(error)
    return ""
