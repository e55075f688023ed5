"""Commands for many machines: merge, which joins their shards; ray generate and ray probe, for a Ray cluster.

A shard is the part of a suite or run that one machine draws or asks.
"""

from pathlib import Path

import typer

from counterbench.asking.options import Calls
from counterbench.cli import options
from counterbench.cli.app import UNFINISHED, commands, guarded
from counterbench.cli.printing import command, print_json, progress, say, say_all, say_next
from counterbench.cli.work import next_step
from counterbench.text import counted

ADDRESS = typer.Option("", help="The cluster, such as ray://head:10001 or auto (default: $RAY_ADDRESS, or here).")

app = commands("Draw and probe on a Ray cluster, in shards.")


def merge(
    shards: list[Path] = typer.Argument(
        metavar="DIR…", help="The folders of all shards, in any order, or their addresses."
    ),
    out: Path = typer.Option(help="The folder to join them in."),
    as_json: options.AsJson = False,
) -> None:
    """Merge the shards that several machines made with --shard.

    The result is what one machine would have made. The shards are only read.
    Example: counterbench merge part-0 part-1 part-2 part-3 --out pairs
    """
    from counterbench.cluster.merge import PAIRS, PICTURES
    from counterbench.cluster.merge import merge as join

    with progress("merging", quiet=as_json) as report:
        joined = join(shards, out, on_progress=report)
    if as_json:
        print_json({"merged": {"shards": joined.shards, "records": joined.records}})
        return
    what = {PAIRS: "pair", PICTURES: "sample"}.get(joined.kind, "record")
    say(f"{out}: {counted(joined.records, what)} of {counted(joined.shards, 'shard')}")
    if joined.kind == PAIRS:
        say_next(command("verify", str(out) if "/" in str(out) else f"./{out}"))
    elif joined.kind != PICTURES:
        say_next(command("score", out))


def generate(
    suite: str = typer.Argument(help="A shipped suite's name, or a suite file (a path with / or .toml)."),
    out: Path = typer.Option(help="The folder, which all nodes share; shards lie beside it."),
    address: str = ADDRESS,
    shards: int | None = typer.Option(None, min=1, help="Parts to draw in (default: one a CPU of the cluster)."),
) -> None:
    """Draw a suite's pairs on a cluster, in shards, and merge them.

    The folder is that of generate, pixel for pixel. The same command again resumes.
    Example: counterbench ray generate counterbench-550 --out pairs --address auto
    """
    from counterbench.cluster.ray import connected
    from counterbench.cluster.ray import generate as draw
    from counterbench.suites.suite import load_suite

    loaded = load_suite(suite)
    with connected(address), progress("drawing shards") as report:
        info = draw(loaded, out.absolute(), shards, on_progress=report)
    say(f"{out}: {counted(info.pairs, 'pair')} of {info.name} (seed {info.seed}, digest {info.digest})")
    say_next(command("verify", str(out) if "/" in str(out) else f"./{out}"))


@options.fields_as_options
def probe(
    source: options.SourceName,
    judge: str = typer.Option(help="As for probe; each replica opens one of its own."),
    out: Path = typer.Option(help="The run's folder, which all nodes share; shards lie beside it."),
    replicas: int = typer.Option(min=1, help="Number of judges that ask at once, each with its shard."),
    address: str = ADDRESS,
    gpus: float = typer.Option(0, min=0, help="Number of GPUs for each replica."),
    template: options.TemplateOption = "default",
    *,
    calls: Calls,
) -> None:
    """Ask a judge on a cluster, in shards, and merge the run.

    Replicas share --max-calls and --max-cost. Each node reads a key from its own variable, which the judge's key_env
    names. The same command again resumes. Exits with 3 if a replica was stopped by a limit or questions failed.
    Example: counterbench ray probe smoke --judge pixels --replicas 4 --out runs/pixels --address auto
    """
    from counterbench.asking.probe import Probe
    from counterbench.cluster.ray import connected
    from counterbench.cluster.ray import probe as ask

    job = Probe(source, judge, template=template, limits=calls.limits)
    say(f"{counted(replicas, 'replica')} of {judge}, a shard each, with its part of calls and money", err=True)
    _ = job.pairs  # an error in it is raised here
    with connected(address), progress("asking shards") as report:
        ends, whole = ask(job, out.absolute(), replicas, gpus=gpus, on_progress=report)
    done, total = sum(end.done for end in ends), sum(end.total for end in ends)
    say(f"{out}: {done} of {counted(total, 'question')} answered by {counted(len(ends), 'replica')}")
    say_all(f"stopped: {why}" for why in dict.fromkeys(end.stopped for end in ends if end.stopped))
    then = command("score", out)
    say_next(next((next_step(end, then) for end in ends if not end.complete), then))
    if done < total or not whole:
        raise typer.Exit(UNFINISHED)


app.command("generate")(guarded(generate))
app.command("probe")(guarded(probe, ("source",)))
