"""The names of a run that a card may show: ours, and ids of public models, but no path, address or name of its user.

In place of a name that may not be shown stand `OWN_SUITE`, `OWN_TEMPLATE` or `HIDDEN`.
"""

import ipaddress
import re
from urllib.parse import urlsplit

from counterbench.files import catalog
from counterbench.files.addresses import address_of
from counterbench.judges.specs import FILE_KINDS, gives_numbers, is_by_order, split_spec
from counterbench.pages.cards.document import JudgeKind
from counterbench.runs.folder import RunInfo
from counterbench.suites.suite import is_shipped

RELEASE = "counterbench-released"  # the data set of the paper, as `import counterbench` names it
OWN_SUITE, OWN_TEMPLATE, HIDDEN = "a suite of its user's own", "a template of its user's own", "(not shown)"
# Options of judges whose values are plain numbers or words of ours.
_OPTIONS = (
    "api", "temperature", "seed", "max_tokens", "effort", "detail", "logprobs", "max_pictures", "structured", "dtype",
    "top_p", "top_k", "reasoning_effort", "reasoning_tokens", "verbosity", "scale",
)  # fmt: skip
_PLAIN = re.compile(r"[\w.+-]{1,32}")
# Model ids that are not shown: a path, the address of a machine or a person, a tuned model, whose id names its owner.
_PRIVATE = re.compile(
    r"^ft:|^[/~.\\]|\\|^[A-Za-z]:|/[^/]*/|\.(gguf|safetensors|bin|pt)$|localhost|\d+(\.\d+){3}|@\S+\.\w"
)
_PUBLISHED = "published:"


def kind_of(info: RunInfo, imported: bool) -> JudgeKind:
    """The kind of a run's judge."""
    kind = info.judge.partition(":")[0]
    if imported:
        return "imported"
    if info.judge == "pixels":
        return "pixel reader"
    if kind == "planted" or (gives_numbers(info.judge) and "planted:" in info.judge):
        return "planted"
    return "model" if kind in FILE_KINDS else "own"


def judge_shown(judge: str) -> str:
    """A judge's name without anything that belongs to its user.

    >>> judge_shown("openai:gpt-4o?base_url=https://me.example/v1&temperature=0.7")
    'openai:gpt-4o?temperature=0.7'
    >>> judge_shown("inspect:anthropic/claude?base_url=https://me.example&reasoning_effort=low")
    'inspect:anthropic/claude?reasoning_effort=low'
    >>> judge_shown("transformers:/home/me/model"), judge_shown("published:gpt-4o")
    ('transformers:(not shown)', 'published:gpt-4o')
    >>> judge_shown("scorer:mine:clip?source=12"), judge_shown("rater:openai:gpt-4o?temperature=0&scale=1-5")
    ('scorer:(not shown)', 'rater:openai:gpt-4o?temperature=0&scale=1-5')
    """
    kind, colon, rest = judge.partition(":")
    if judge == "pixels" or kind == "planted":
        return judge
    if gives_numbers(judge):
        inner = rest if is_by_order(judge) and not rest.startswith("planted:") else ""
        return f"{kind}:{HIDDEN if inner else judge_shown(rest)}"
    if kind in FILE_KINDS and colon:
        name, options = split_spec(rest)
        public = [f"{key}={value}" for key, value in options.items() if key in _OPTIONS and _PLAIN.fullmatch(value)]
        return f"{kind}:{model_shown(name)}{'?' if public else ''}{'&'.join(public)}"
    if judge.startswith(_PUBLISHED):
        return f"{_PUBLISHED}{model_shown(rest)}"
    return f"{kind}:{HIDDEN}" if kind in ("replay", "python") else HIDDEN


def model_shown(name: str) -> str:
    """A model's id, unless it is a path or holds an address: then "(not shown)"."""
    return HIDDEN if address_of(name) or _PRIVATE.search(name) or not name.isprintable() or not name else name


def template_shown(name: str, include: bool) -> str:
    """A template's name; words in its place for a user's own template, unless `include`."""
    may_show = include or name in catalog.names("probes/templates") or name == "unknown"
    return name if may_show else OWN_TEMPLATE


def is_public(info: RunInfo) -> bool:
    """True if the words of a run's suite are known to all: its name, its cells, its skills."""
    return is_shipped(info.suite) or info.suite == RELEASE


def is_local(judge: str, kind: JudgeKind) -> bool | None:
    """True if a judge runs on a machine of its user; None if nobody can say."""
    if kind in ("pixel reader", "planted") or judge.startswith("transformers:"):
        return True
    if kind != "model":
        return None
    url = split_spec(judge.partition(":")[2])[1].get("base_url", "")
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return host == "localhost" or (bool(host) and "." not in host)
