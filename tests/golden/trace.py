"""The files of ours that run from the call of `Asking.run` to a journal's first line: how far one question goes.

    python tests/golden/trace.py            # prints how many
    python tests/golden/trace.py --list     # and which

Counts files under counterbench/, without drawing/, for `probe smoke --judge pixels --limit 1`.
"""

import sys
import tempfile
import threading
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "counterbench"
sys.path.insert(0, str(ROOT))


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


if __name__ == "__main__":
    asked = files_asked()
    print(f"{len(asked)} files run between Asking.run and the first line of the journal")
    if "--list" in sys.argv:
        print("\n".join(asked))
