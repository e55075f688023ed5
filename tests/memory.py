"""The memory that a program takes at its peak, in a process of its own."""

import os
import subprocess
import sys

_SAYS = """
import resource, sys
try:  # getrusage also counts what the parent held when it forked
    peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
except (OSError, StopIteration):
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // (1024 if sys.platform == "darwin" else 1)
print(peak, file=sys.stderr)
"""


def peak_of(program: str, *words: object) -> tuple[float, str]:
    """The megabytes that a program in Python, with these words in `sys.argv`, takes at most, and what it prints."""
    line = [sys.executable, "-c", program + _SAYS, *map(str, words)]
    paths = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    ended = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False, env=paths)
    assert ended.returncode == 0, ended.stderr
    return int(ended.stderr.split()[-1]) / 1024, ended.stdout
