"""One word for one thing: no name of the past is left, and a docstring opens with the thing or the deed."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
# Names that were given up; parts of identifiers count too. `inspect.signature` is Python's.
GIVEN_UP = re.compile(
    r"(?i:wording|turkey|habit|oddit|graft|\bvotes?\b|climb_|_climb|e_threshold|write_site)"
    r"|\b(?:Due|dues|Growing|STILL|Standing|Climb|SIGNED)\b|(?<!inspect\.)(?<!_)\b[Ss]ignatures?\b(?!_)"
)
OPENERS = re.compile(r"\W*(?:What|Whether|Which|Who|Whoever|How)\b")
DOCSTRINGS = re.compile(rf'"""{OPENERS.pattern}')  # that may open so: files without are not parsed


def shipped_texts() -> Iterator[tuple[Path, str]]:
    for folder in ("counterbench", "probes", "scenes"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".toml", ".html", ".js", ".jsonl"):
                yield path, path.read_text()
    yield ROOT / "README.md", (ROOT / "README.md").read_text()


def test_shipped_files_use_no_abandoned_name() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()}"
        for path, text in shipped_texts()
        for number, line in enumerate(text.split("\n"), 1)
        if GIVEN_UP.search(line) and not re.search(r"inspect\.[Ss]ignature|__signature__", line)
    ]
    assert not found, f"names that were given up (GIVEN_UP, above); use today's word for the thing: {found}"


def test_docstrings_open_with_a_noun_or_a_verb() -> None:
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    found = [
        f"{path.relative_to(ROOT)}:{getattr(node, 'lineno', 1)}"
        for path, text in shipped_texts()
        if path.suffix == ".py" and DOCSTRINGS.search(text)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, kinds) and OPENERS.match(ast.get_docstring(node) or "")
    ]
    assert not found, f"docstrings open with the thing (a noun) or the deed (a verb), not with a question word: {found}"
