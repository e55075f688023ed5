"""Judges by name: one interface (`base`) and a folder for each kind; `KINDS` below is the whole list.

openai/, inspect/, local/       real models: behind a server, of a provider of inspect_ai, on this machine
pixels/, planted/, replay       a reader of pixels, judges with known faults, the replies of another run
panel                           the replies of several runs, joined
scorers, raters         numbers of a function, ratings of another judge: two pictures compared by them
specs                   the options after a judge's name, a judge's TOML file, a class of the user's own

Retries, limits and the journal are in `asking/`; no judge knows of them.
"""

from collections.abc import Callable, Iterable
from functools import partial

from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError, errors_at, unknown
from counterbench.files.addresses import fetched
from counterbench.judges.base import Judge, Reply, Retry
from counterbench.judges.functions import FunctionJudge
from counterbench.judges.raters import RaterJudge, rated_keys, split_rater
from counterbench.judges.scorers import open_scorer
from counterbench.judges.specs import (
    FILE_KINDS,
    JUDGE_FORMAT,
    OWN,
    RATER,
    SCORER,
    JudgeFile,
    open_own,
    read_judge_file,
    split_spec,
)
from counterbench.runs.queries import Key

# The values of --judge on the command line, and their meaning.
KINDS: dict[str, str] = {
    "pixels": "reads the answer from image regions, by code of its own",
    "planted:NAME[+NAME…][?p=…&seed=…]": "built with the truth, with known faults at a stated dose",
    "replay:RUN": "gives the answers of another run's journal",
    "panel:RUN,RUN[,…][?how=all]": "joins the answers of several judges' runs, by majority or all",
    "openai:MODEL[?option=…]": "a model behind any OpenAI-compatible server (--base-url, ?key_env=NAME)",
    "inspect:PROVIDER/MODEL[?option=…]": "a model of any provider of inspect_ai (extra: inspect)",
    "transformers:ID_OR_PATH[?option=…]": "a checkpoint on this machine or a hub (extra: local)",
    "python:MODULE:NAME[?option=…]": "a judge of your own: a class, or a function (image, question), in a module",
    "scorer:MODULE:NAME[?option=…]": "a number for a picture and a text: a function or class of your own; compares",
    "rater:JUDGE[?scale=1-5]": "another judge's ratings of two pictures; compares",
    "FILE.toml": "a judge's file: kind, model and options",
}
# The kinds that are followed by a name.
_NAMED = ("planted", "replay", "panel", "openai", "inspect", "transformers", OWN, SCORER, RATER)


def open_judge(
    spec: str, keys: Callable[[], Iterable[Key]] = tuple, *, base_url: str = "", key_env: str = "", price: str = ""
) -> Judge:
    """The judge that `spec` names. `keys` returns the truth: planted judges call it, no other judge does.

    `base_url`, `key_env` and `price` ("IN,OUT") are for an `openai:` judge, the first and the last for an `inspect:`
    judge, too; they replace its options of these names.
    Raises InputError with the valid choices, and JudgeError if a local model cannot be loaded.
    """
    kind, _, rest = spec.partition(":")
    if kind in _NAMED and not rest.partition("?")[0]:
        raise InputError(f"judge {spec!r} names nothing after {kind!r}; judges are: {', '.join(KINDS)}")
    if kind == RATER:
        inner, scale = split_rater(rest)
        if inner.partition(":")[0] in ("replay", "panel"):
            raise InputError(f"judge {spec!r}: a rater asks for new ratings; name a judge that can be asked, not a run")
        rater_keys = partial(rated_keys, keys, scale)
        return RaterJudge(open_judge(inner, rater_keys, base_url=base_url, key_env=key_env, price=price), scale)
    connection = {"base_url": base_url, "key_env": key_env, "price": price}
    if spec.endswith(".toml") and kind not in _NAMED:
        file = read_judge_file(fetched(spec))
        with errors_at(spec):
            return _open_model(file, connection)
    if kind in FILE_KINDS:
        return _open_model(JudgeFile(JUDGE_FORMAT, kind, *split_spec(rest)), connection)
    _refuse_connection(connection, spec)
    if kind == "pixels" and not rest:
        from counterbench.judges.pixels import PixelReader

        return PixelReader()
    if kind == "planted":
        from counterbench.judges.planted import PlantedJudge

        return PlantedJudge(rest, keys)
    if kind == "replay":
        from counterbench.judges.replay import JOURNAL, ReplayJudge

        path, mark, journal = rest.rpartition(JOURNAL)
        return ReplayJudge(fetched(path if mark else rest), journal if mark else "")
    if kind == "panel":
        from counterbench.judges.panel import PanelJudge

        return PanelJudge.of_spec(rest)
    if kind == SCORER and rest.startswith("planted:"):
        from counterbench.judges.planted.scorer import PlantedScorer

        return PlantedScorer(rest, keys)
    if kind == SCORER:
        return open_scorer(rest)
    if kind == OWN:
        return open_own(rest, Judge, FunctionJudge)  # type: ignore[type-abstract]
    if not kind.isidentifier() or "-" in spec or "/" in spec:  # a model's own name, such as gpt-4o
        raise InputError(
            f"unknown judge {spec!r}: a model behind a server is openai:{spec}, a checkpoint transformers:{spec}; "
            f"judges are: {', '.join(KINDS)}"
        )
    raise unknown("judge", spec, KINDS)


def is_spec(name: str) -> bool:
    """True if a name has the form of those that `open_judge` takes; a user's own judge object may have any other."""
    if name.startswith(f"{RATER}:"):
        return is_spec(split_rater(name.partition(":")[2])[0])
    return name == "pixels" or name.endswith(".toml") or name.partition(":")[0] in _NAMED


def _open_model(file: JudgeFile, connection: dict[str, str]) -> Judge:
    """The real model that a judge's file, or a name with options, describes."""
    if file.kind in ("openai", "inspect"):
        from counterbench.judges.inspect.judge import InspectJudge
        from counterbench.judges.openai.sdk import given_price
        from counterbench.judges.openai.server_judge import OpenAIJudge

        if file.kind == "inspect" and connection["key_env"]:
            raise InputError(f"--key-env is for openai: judges; {file.model} has its key from its provider's variable")
        price_options = given_price(connection.pop("price"))
        options = file.options | {name: value for name, value in connection.items() if value} | price_options
        return (OpenAIJudge if file.kind == "openai" else InspectJudge)(file.model, options, file.name)
    _refuse_connection(connection, f"{file.kind}:{file.model}")
    from counterbench.judges.local.checkpoint_judge import TransformersJudge

    return TransformersJudge(file.model, file.options, file.name)


def _refuse_connection(connection: dict[str, str], judge: str) -> None:
    """Raise InputError if an option of the connection is given: `judge` takes none of them."""
    if any(connection.values()):
        raise InputError(f"--base-url, key_env and --price are for openai: and inspect: judges, not for {judge!r}")


__all__ = ["KINDS", "Failed", "Judge", "Reply", "Retry", "open_judge"]
