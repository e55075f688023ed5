"""One test over many cases: a test of its own for each of thousands would cost more than what it tests."""

import functools
import inspect
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import pytest

Test = Callable[..., None]


def swept(names: str | Sequence[str], values: Iterable[Any]) -> Callable[[Test], Test]:
    """As `parametrize` takes them; all cases are tried, and those that fail are named, each with its failure."""
    arguments = [name.strip() for name in names.split(",")] if isinstance(names, str) else list(names)
    cases = [dict(zip(arguments, value if len(arguments) > 1 else [value], strict=True)) for value in values]

    def sweep(test: Test) -> Test:
        signature = inspect.signature(test)

        @functools.wraps(test)
        def run(**fixtures: Any) -> None:
            failures = []
            for n, case in enumerate(cases):
                with pytest.MonkeyPatch.context() as patched:  # what a case makes or patches is its own
                    anew = {"monkeypatch": patched, "tmp_path": _folder(fixtures, n)}
                    try:
                        test(**{name: anew.get(name, fixture) for name, fixture in fixtures.items()}, **case)
                    except (Exception, pytest.fail.Exception) as failure:
                        failure.add_note(f"where {case!r:.500}")
                        failures.append(failure)
            if failures:
                raise BaseExceptionGroup(f"{len(failures)} of {len(cases)} cases fail", failures)

        left = [parameter for name, parameter in signature.parameters.items() if name not in arguments]
        run.__signature__ = signature.replace(parameters=left)  # type: ignore[attr-defined]
        return run

    return sweep


def _folder(fixtures: dict[str, Any], n: int) -> Path | None:
    if "tmp_path" not in fixtures:
        return None
    folder: Path = fixtures["tmp_path"] / str(n)
    folder.mkdir()
    return folder
