"""The kind of folder at a path, known by its files, for messages of commands that take something else."""

from pathlib import Path

from counterbench.text import quoted

# The kinds of folders, the first that fits: a file in it, its name, and the command that takes it.
_KINDS = (
    ("t2i.json", "a run about generated pictures", "t2i score {}"),
    ("run.json", "a run about pairs", "score {}"),
    ("suite.json", "a folder of pairs", "probe {} --judge JUDGE"),
    ("shard.json", "a shard of a folder of pairs", "merge {} … --out DIR"),
    ("images.json", "a folder of generated pictures", "t2i judge {} --judge JUDGE"),
)
_SHOWN = 3


def instead(path: Path) -> str:
    """The end of a message: the kind of folder at a path that a command does not take, and the command that does."""
    if kind := _kind(path):
        return f"; it is {kind[0]}: counterbench {kind[1].format(quoted(path))}"
    if path.is_file() and (kind := _kind(path.parent)):
        return f"; it is a file of {kind[0]}: name the folder {quoted(path.parent)}"
    inside = [child for child in sorted(path.iterdir()) if _kind(child)] if path.is_dir() else []
    if not inside:
        return ""
    others = f" and {len(inside) - _SHOWN} more" if len(inside) > _SHOWN else ""
    return f"; name one that it holds: {', '.join(quoted(child) for child in inside[:_SHOWN])}{others}"


def _kind(path: Path) -> tuple[str, str] | None:
    return next(((what, command) for file, what, command in _KINDS if (path / file).is_file()), None)
