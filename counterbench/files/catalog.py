"""Finds the shipped data files: `scenes/` and `probes/`, in the installed package first, else in the checkout."""

from pathlib import Path

from counterbench.errors import InputError, unknown

_PACKAGE = Path(__file__).parents[1]


def shipped(folder: str) -> Path:
    """The folder of shipped files called `folder`, such as "scenes" or "probes/templates"."""
    for root in (_PACKAGE / "_data", _PACKAGE.parent):
        if (root / folder).is_dir():
            return root / folder
    raise InputError(f"the installation is incomplete: it has no {folder!r}; install counterbench again")


def names(folder: str) -> list[str]:
    """The bare names of the shipped TOML files in `folder`."""
    return sorted(path.stem for path in shipped(folder).glob("*.toml"))


def find(folder: str, thing: str, name: str) -> Path:
    """The file meant by `name`: a path if it contains "/" or ends in ".toml", else a shipped file's bare name.

    `folder`: the shipped folder to look in. `thing`: the kind of file ("suite"), for the InputError if there is none.
    """
    if is_path(name):
        path = Path(name)
        if not path.is_file():
            raise InputError(f"{path}: there is no such {thing} file")
        return path
    path = shipped(folder) / f"{name}.toml"
    if not path.is_file():
        raise unknown(thing, name, names(folder))
    return path


def is_path(name: str) -> bool:
    """True if a name on the command line is a path and not the bare name of a shipped file."""
    return "/" in name or "\\" in name or name.endswith(".toml")
