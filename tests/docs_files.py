"""The pages of the docs as they are run: their commands, their Python, and the example files that they speak of.

Commands are the indented blocks that begin with one; a file stands in a fenced block behind its name and a colon.
"""

from __future__ import annotations

import re
from pathlib import Path

from t2i.drawn import painting

ROOT = Path(__file__).parents[1]
PICTURES = (".png", ".jpg")
COMMAND = re.compile(r"(counterbench|make|pip|source|python|printf|[A-Z_0-9]+=\S+)\b")
# Not run: what installs, the developer's own commands (tests, benchmarks), and the variables that the test sets.
SKIPPED = re.compile(
    r"make\b|pip install|source \.venv/|python benchmarks/|(MODEL|ADDRESS|T2I|CF_WORLD|COREBENCH|R2I_BENCH)="
)
# Said in the page, where a command is to end so.
EXIT = re.compile(r"# exits with (\d)")


def commands(page: Path) -> list[str]:
    """The lines of a page that are commands, in their order, without those that are not run."""
    lines = []
    for block in re.findall(r"(?:^ {4}.*\n)+", page.read_text(), re.MULTILINE):
        if COMMAND.match(block[4:]):
            lines += [line[4:] for line in block.splitlines()]
    return [line for line in lines if not SKIPPED.match(line)]


def script(lines: list[str]) -> str:
    """Lines of a page as a bash script, which ends at the first that does not do what the page says."""
    ends = [(line, EXIT.search(line)) for line in lines]
    lines = [f"code=0; {{ {line}\n}} || code=$?; [ $code = {end[1]} ]" if end else line for line, end in ends]
    return "\n".join(["set -euo pipefail", *lines, ""])


def python_blocks(page: Path) -> list[str]:
    """The fenced Python of a page that is no session with its results, which doctest runs."""
    return [each for each in re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL) if ">>>" not in each]


def make_examples(page: Path, folder: Path) -> None:
    """Every file that a page shows (its name, a colon, and a block), and every picture that it names by its path."""
    text = page.read_text()
    shown = re.findall(r"`([\w./-]+)`:\n\n```(?:csv|json|toml)\n(.*?)```", text, re.DOTALL)
    for name, block in shown:
        put(folder / name, block.encode())
    listed = [line for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    named = re.findall(r"`([\w.-]+/[\w./-]+)`", text)
    cells = [
        cell for name, block in shown if name.endswith(".csv") for cell in re.split(r"[,\n]", block) if "/" in cell
    ]
    for name in (*listed, *named, *cells):
        if name.endswith(PICTURES):
            put(folder / name, painting(name, 0, (64, 64)))


def put(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
