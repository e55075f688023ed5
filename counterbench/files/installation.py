"""Parts of counterbench that need further packages, and the commands that install these here."""

import importlib
import importlib.util
import re
import sys
from importlib import metadata
from pathlib import Path
from types import ModuleType

from counterbench.errors import InputError
from counterbench.text import quoted

_CHECKOUT = Path(__file__).parents[2]


def needed(name: str, what: str, extra: str) -> ModuleType:
    """The imported module called `name`; InputError with the command to install it if it is missing.

    `what` needs the module ("Parquet", for the message); `extra` is our extra that contains it ("export").
    """
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(
            f"{what} needs {name.partition('.')[0]} ({error}); this installs it: {install_command(extra)}"
        ) from None


def install_command(extra: str) -> str:
    """The command that installs the packages of an extra ("report", "local", "t2i") for the running Python.

    It names the extra's own packages, so it is right for an editable checkout, a wheel and a release of an index.
    """
    python = quoted(sys.executable)
    has_pip = importlib.util.find_spec("pip") is not None  # an environment that uv made has none
    begin = f"{python} -m pip install" if has_pip else f"uv pip install --python {python}"
    return " ".join([begin, *map(quoted, _requirements(extra))])


def _requirements(extra: str) -> list[str]:
    """The requirements of an extra, as pip takes them (["pyarrow>=15"]).

    If counterbench's installation does not list them, the one requirement is counterbench with this extra.
    """
    try:
        every = [requirement.partition(";") for requirement in metadata.requires("counterbench") or []]
    except metadata.PackageNotFoundError:
        every = []
    of_extra = re.compile(rf"""extra\s*==\s*["']{extra}["']""")
    place = _CHECKOUT if (_CHECKOUT / "pyproject.toml").is_file() else "counterbench"
    return [package.strip() for package, _, marker in every if of_extra.search(marker)] or [f"{place}[{extra}]"]
