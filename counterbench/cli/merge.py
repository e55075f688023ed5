"""The command `merge`: joins the shards that several machines made."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli import options
from counterbench.cli.printing import command, print_json, progress, say, say_next
from counterbench.text import counted, quoted

if TYPE_CHECKING:
    from counterbench.suites.shards import Shard


def merge(
    shards: list[Path] = typer.Argument(
        metavar="DIR…", help="The folders of all shards, in any order, or their addresses."
    ),
    out: Path = typer.Option(help="The folder to join them in."),
    as_json: options.AsJson = False,
) -> None:
    """Join what several machines made, each a part, by --shard.

    The whole is what one machine would have made. The shards are only read.
    Example: counterbench merge part-0 part-1 part-2 part-3 --out pairs
    """
    from counterbench.cluster.merge import JUDGED, PAIRS, PICTURES
    from counterbench.cluster.merge import merge as join

    with progress("merging", quiet=as_json) as report:
        made = join(shards, out, on_progress=report)
    if as_json:
        print_json({"merged": {"shards": made.shards, "records": made.records}})
        return
    what = {PAIRS: "pair", PICTURES: "sample"}.get(made.kind, "record")
    say(f"{out}: {counted(made.records, what)} of {counted(made.shards, 'shard')}")
    if made.kind == PAIRS:
        say_next(command("verify", str(out) if "/" in str(out) else f"./{out}"))
    elif made.kind != PICTURES:
        say_next(command(*(["t2i"] if made.kind == JUDGED else []), "score", out))


def then_merge(shard: Shard, path: Path) -> str:
    """The natural next step of a shard that is done; a command as it is where the shards' names say where all lie."""
    name = str(path).removesuffix(shard.ending)
    if name == str(path):
        return f"with all {shard.n} shards: {command('merge')} DIR … --out DIR"
    return f"with all {shard.n} shards: {command('merge')} {quoted(name)}--shard-*-of-{shard.n} --out {quoted(name)}"
