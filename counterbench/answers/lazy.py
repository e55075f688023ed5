"""Regular expressions that are compiled when they are first used: most commands need few of them, or none."""

import re
from typing import Any, cast

_METHODS = ("search", "match", "fullmatch", "finditer", "findall", "sub", "split")


class _Lazy:
    """Has the methods of the compiled expression from their first use on."""

    def __init__(self, pattern: str, flags: int) -> None:
        self.pattern, self.flags = pattern, flags

    def __getattr__(self, name: str) -> Any:
        """A method of the compiled expression; the first use of one compiles it."""
        if name not in _METHODS:
            raise AttributeError(name)
        compiled = re.compile(self.pattern, self.flags)
        vars(self).update({method: getattr(compiled, method) for method in _METHODS})
        return vars(self)[name]


def lazily(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """The regular expression, which is compiled when it is first used."""
    return cast("re.Pattern[str]", _Lazy(pattern, flags))
