"""How far one question goes, and how much one answer takes: files and calls of ours, counted.

    python tests/golden/trace.py            # prints both numbers
    python tests/golden/trace.py --list     # and which files, and which functions how often

Files: those under counterbench/, without drawing/, from the call of `Asking.run` to a journal's first line, for `probe
smoke --judge pixels --limit 1`. Calls: of functions under counterbench/, from the journal of an `evaluate` of 2 models
and 6 pictures to its answer; a generator that goes on counts again, an import and a comprehension do not count.
"""

import sys
import tempfile
import threading
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "counterbench"
COMPREHENSIONS = ("<genexpr>", "<listcomp>", "<setcomp>", "<dictcomp>")  # later Pythons have no calls of some
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]


def files_asked() -> list[str]:
    """Files in the order in which a function of theirs is first called; the import of a module is no call."""
    from counterbench.asking.probe import Probe

    files: dict[str, None] = {}
    importing, finished = 0, False

    def note(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal importing, finished
        if finished:
            return
        if event == "c_return" and getattr(arg, "__name__", "") == "write":
            finished = journal.is_file() and journal.stat().st_size > 0
        elif frame.f_code.co_name == "<module>":
            importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing:
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(PACKAGE) and not path.is_relative_to(PACKAGE / "drawing"):
                files.setdefault(str(path.relative_to(PACKAGE)))

    with tempfile.TemporaryDirectory() as folder:
        journal = Path(folder) / "run" / "journal.jsonl"
        asking = Probe("smoke", "pixels", journal.parent, limit=1).asking()
        threading.setprofile(note)
        sys.setprofile(note)
        asking.run()
        sys.setprofile(None)
    return list(files)


def calls_answered(run: Path) -> Counter[str]:
    """The calls of each function when the answer of an evaluated run is computed from its journal."""
    from counterbench.pictures.answer import answer

    calls, importing = Counter[str](), 0

    def note(frame: FrameType, event: str, arg: Any) -> None:
        nonlocal importing
        name = frame.f_code.co_name
        if name == "<module>":
            importing += {"call": 1, "return": -1}.get(event, 0)
        elif event == "call" and not importing and name not in COMPREHENSIONS:
            path = Path(frame.f_code.co_filename)
            if path.is_relative_to(PACKAGE):
                calls[f"{path.relative_to(PACKAGE)} {frame.f_code.co_qualname}"] += 1

    sys.setprofile(note)
    answer(run)
    sys.setprofile(None)
    return calls


def evaluated(folder: Path) -> Path:
    """A run of `evaluate` about 2 models and 6 pictures."""
    from pictures.own_pictures import Eyes, table

    import counterbench as cb

    cb.evaluate(table(folder, prompts=3), Eyes(), folder / "run")
    return folder / "run"


if __name__ == "__main__":
    files = files_asked()
    with tempfile.TemporaryDirectory() as folder:
        calls = calls_answered(evaluated(Path(folder)))
    print(f"{len(files)} files run between Asking.run and the first line of the journal")
    print(f"{calls.total()} calls between the journal of evaluate and its answer")
    if "--list" in sys.argv:
        print("\n".join([*files, *(f"{count} {name}" for name, count in calls.most_common())]))
