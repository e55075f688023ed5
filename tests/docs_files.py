"""The pages of the docs as they are run: their commands, their Python, and the example files that they speak of.

Commands are the indented blocks that begin with one; a file stands in a fenced block behind its name and a colon, and a
change of a file that is there likewise, as a diff; what is printed stands in a block marked as output. A page that
shows changes of the package is run on a copy of it.
"""

import re
import shutil
from pathlib import Path

from pictures.drawn import painting

ROOT = Path(__file__).parents[1]
PICTURES = (".png", ".jpg")
COMMAND = re.compile(r"(counterbench|make|pip|source|python|printf|[A-Z_0-9]+=\S+)\b")
# Not run: what installs, what serves until it is stopped, what needs a cluster (as in tests/consumers/ray_cluster), the
# developer's own commands (tests, benchmarks), and the variables that the test sets.
SKIPPED = re.compile(
    r"make\b|pip install|counterbench (ray|label) |source \.venv/|python benchmarks/"
    r"|(MODEL|ADDRESS|T2I|CF_WORLD|COREBENCH|R2I_BENCH)="
)
# A file that a page shows: its name, a colon, and its text or what changes in it.
SHOWN = re.compile(r"`([\w./-]+)`:\n\n```(csv|json|toml|python|diff)\n(.*?)```", re.DOTALL)
# What the copy of a clone holds: what is asked for, and what tests need.
CLONE = ("counterbench", "scenes", "probes", "tests", "pyproject.toml", "README.md")
# Said in the page, where a command is to end so.
EXIT = re.compile(r"# exits with (\d)")


def page_commands(page: Path) -> list[str]:
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
    """The fenced Python of a page that is no file, and no session with its results, which doctest runs."""
    text = SHOWN.sub("", page.read_text())
    return [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if ">>>" not in block]


def outputs(page: Path) -> list[str]:
    """The lines that a page says are printed: of blocks marked as output, without those of "…"."""
    blocks = re.findall(r"```output\n(.*?)```", page.read_text(), re.DOTALL)
    return [line for block in blocks for line in block.splitlines() if line.strip(" …")]


def shown_files(page: Path) -> dict[str, str]:
    """The files that a page shows, by their names."""
    return {name: block for name, kind, block in SHOWN.findall(page.read_text()) if kind != "diff"}


def make_examples(page: Path, folder: Path) -> None:
    """Every file that a page shows, every change of one, and every picture that it names by its path."""
    text = page.read_text()
    changes = [(name, block) for name, kind, block in SHOWN.findall(text) if kind == "diff"]
    shown = shown_files(page).items()
    if any(name.startswith("counterbench/") for name, _ in (*shown, *changes)):
        copy_clone(folder)
    for name, block in shown:
        write_file(folder / name, block.encode())
    for name, block in changes:
        apply_diff(folder / name, block)
    listed = [line for block in re.findall(r"```text\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    named = re.findall(r"`([\w.-]+/[\w./-]+)`", text)
    cells = [
        cell for name, block in shown if name.endswith(".csv") for cell in re.split(r"[,\n]", block) if "/" in cell
    ]
    for name in (*listed, *named, *cells):
        if name.endswith(PICTURES):
            write_file(folder / name, painting(name, 0, (64, 64)))


def copy_clone(folder: Path) -> None:
    """What a clone of the repository holds, but for its documentation."""
    for name in CLONE:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, folder / name)


def apply_diff(path: Path, diff: str) -> None:
    """Change a file as a diff says. Lines of @ part its hunks, without numbers: what each replaces is there once."""
    text = path.read_text("utf-8")
    for hunk in re.split(r"^@@.*\n", diff, flags=re.MULTILINE):
        lines = hunk.splitlines(keepends=True)
        old, new = ("".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
        assert text.count(old) == 1, f"{path}: {text.count(old)} times:\n{old}"
        text = text.replace(old, new)
    path.write_text(text, "utf-8")


def write_file(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
