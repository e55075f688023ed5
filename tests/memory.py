"""The memory that a program takes at its peak, in a process of its own."""

import os
import sys

from processes import ran

_SAYS = """
import resource, sys
try:  # getrusage also counts what the parent held when it forked
    peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
except (OSError, StopIteration):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(peak)
"""


def peak_of(program: str, *words: object) -> tuple[float, str]:
    """The megabytes that a program in Python, with these words in `sys.argv`, takes at most, and what it prints."""
    ended = ran(sys.executable, "-c", program + _SAYS, *words, PYTHONPATH=os.pathsep.join(filter(None, sys.path)))
    printed, _, peak = ended.rstrip().rpartition("\n")
    return int(peak) / 1024, printed
