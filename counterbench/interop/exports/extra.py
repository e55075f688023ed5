"""The extra `export`: pyarrow and fsspec, asked for only by the exports that need them."""

from __future__ import annotations

import importlib
from types import ModuleType

from counterbench.errors import InputError
from counterbench.files.installation import install_command


def needed(name: str, what: str) -> ModuleType:
    """The module called `name`; InputError that names the command to install it, if `what` cannot be had without."""
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise InputError(
            f"{what} needs {name.partition('.')[0]} ({error}); this installs it: {install_command('export')}"
        ) from None
