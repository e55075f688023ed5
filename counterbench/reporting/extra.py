"""The extra `report`: jinja2 and matplotlib, asked for only when a report is made."""

from __future__ import annotations

from counterbench.errors import InputError
from counterbench.files.installation import install_command


def require_extra() -> None:
    """InputError that names the command to install what is missing, if jinja2 or matplotlib is."""
    try:
        import jinja2  # noqa: F401
        import matplotlib  # noqa: F401
    except ImportError as error:
        raise InputError(
            f"a report needs jinja2 and matplotlib ({error}); this installs them: {install_command('report')}"
        ) from None
