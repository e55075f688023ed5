"""Short names of judges for tables, legends and folders."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Protocol

from counterbench.runs.folder import MOST_SIGNS

# Their models are named by a path or an address, of which the last part says most.
_MODELS = ("openai", "transformers", "diffusers", "replay", "folder", "inspect")


class Called(Protocol):
    """Anything with a judge and the judge's name: a run, or the provenance of its numbers."""

    @property
    def judge(self) -> str:
        """The judge as asked for, with its address and parameters."""
        ...

    @property
    def name(self) -> str:
        """The name that the user gave it; empty if none was given."""
        ...


def short_names(called: Sequence[Called]) -> list[str]:
    """A short name for each: the one that it was given, else its model, with as much as tells it from the others.

    The same judge has the same name wherever it stands in the list; what is longer than MOST_SIGNS is cut in the
    middle, if no two become alike by that.
    """
    unnamed = list(dict.fromkeys(each.judge for each in called if not each.name))
    forms: list[dict[str, str]] = [{judge: form(judge) for judge in unnamed} for form in (_tail, _model, _kind)]
    forms.append({judge: _differing(judge, unnamed) for judge in unnamed})
    counts = [Counter(form.values()) for form in forms]
    short_by_judge = {
        judge: next((form[judge] for form, n in zip(forms, counts, strict=True) if n[form[judge]] == 1), judge)
        for judge in unnamed
    }
    times = Counter(short_by_judge.values())
    short_by_judge = {judge: short if times[short] == 1 else judge for judge, short in short_by_judge.items()}
    cut = {judge: _cut(short) for judge, short in short_by_judge.items()}
    if len(set(cut.values())) == len(cut):
        short_by_judge = cut
    names = [each.name or short_by_judge[each.judge] for each in called]
    meant = defaultdict(set)
    for name, each in zip(names, called, strict=True):
        meant[name].add(each.judge)
    # One name for two judges tells nothing: each has its model beside it.
    return [
        f"{name} ({_tail(each.judge)})" if len(meant[name]) > 1 else name
        for name, each in zip(names, called, strict=True)
    ]


def distinct(names: Sequence[str], *additions: Sequence[str]) -> list[str]:
    """The names, each with those of its additions, tried in this order, that tell it from others of the same name."""
    distinct_names = list(names)
    for added in additions:
        meant: defaultdict[str, set[str]] = defaultdict(set)
        for name, addition in zip(distinct_names, added, strict=True):
            meant[name].add(addition)
        distinct_names = [
            name + addition if len(meant[name]) > 1 else name
            for name, addition in zip(distinct_names, added, strict=True)
        ]
    return distinct_names


def _parts(judge: str) -> tuple[str, str, list[str]]:
    kind, colon, rest = judge.partition(":")
    if kind not in _MODELS or not colon:
        return "", judge, []  # pixels, planted judges and those of imported runs are short already
    model, _, options = rest.partition("?")
    return kind, model, options.split("&") if options else []


def _tail(judge: str) -> str:
    kind, model, _ = _parts(judge)
    return model.rstrip("/").rpartition("/")[2] or model if kind else model


def _model(judge: str) -> str:
    return _parts(judge)[1]


def _kind(judge: str) -> str:
    kind, model, _ = _parts(judge)
    return f"{kind}:{model}" if kind else model


def _differing(judge: str, others: Sequence[str]) -> str:
    """The model, with those of its options that not all judges of the same model have."""
    kind, model, options = _parts(judge)
    same = [_parts(other)[2] for other in others if _parts(other)[:2] == (kind, model)]
    own = [option for option in options if not all(option in each for each in same)]
    return f"{_tail(judge)}?{'&'.join(own)}" if own else _tail(judge)


def _cut(name: str) -> str:
    if len(name) <= MOST_SIGNS:
        return name
    half = (MOST_SIGNS - 1) // 2
    return f"{name[: MOST_SIGNS - 1 - half]}…{name[-half:]}"
