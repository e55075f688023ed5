"""Runs and reports that several tests look at. Made once, also where several processes run the tests."""

from pathlib import Path

import msgspec
import pytest
from planted_runs import edit_info, read_journal, rewrite, write_run
from sharing import Shared

from counterbench.evidence.document import write_certificate
from counterbench.evidence.issue import certify
from counterbench.evidence.policies import load_policy
from counterbench.pages import write_report

SUITE, LIMIT = "counterbench-550", 96
JUDGES = ("oracle", "sticky", "off-by-one", "arrow-blind")
# Eight judges and what they are called.
CROWD = {
    "oracle": "",
    "sticky?p=1.0": "W" * 32,
    "off-by-one": "qwen2.5-vl-72b-instruct-awq-int4",
    "arrow-blind": "another-model-72b-instruct-awq-4",
    "constant": "",
    "refusing?p=1.0": "refuses everything",
    "colour-confusion": "x",
    "blind": "w" * 31 + "!",
}

HOSTILE_NAME = "<img src=x onerror=alert(6)>\"'{{7*7}}\u202e"
HOSTILE = [
    "</script><script>window.pwned = 1; alert(1)</script>",
    '<img src=x onerror="window.pwned = 1; alert(2)">',
    '"><svg onload=alert(3)>',
    "{{7*7}} {% raw %} ${7*7} <!-- -->",
    "\x1b[31mred\x1b[0m \x00 \x07 \u009b31m",
    "w" * 3000,
    "\u202eevil\u202c \u200bhidden\ufeff \u2067abc\u2069",
    '<a href="javascript:alert(4)">yes</a>',
    "<style>*{display:none}</style><base href=//example.org>",
    "'; alert(5); '",
    "&lt;b&gt; &amp; \u2028 \u2029",
]
MANY = """format = "counterbench.suite/1"
name = "many"
seed = 5
width = 128
height = 128
[[family]]
name = "spatial"
count = 1000
params = { distractors = [0, 0] }
"""


@pytest.fixture(scope="session")
def runs(shared: Shared) -> list[Path]:
    """Four, of judges that are right on all pairs, or on some."""

    def make(path: Path) -> None:
        for name in JUDGES:
            write_run(path / name, f"planted:{name}", SUITE, LIMIT)

    folder = shared("runs", make)
    return [folder / name for name in JUDGES]


@pytest.fixture(scope="session")
def report(runs: list[Path], shared: Shared) -> Path:
    """The report of four judges on 96 pairs, one file."""
    return shared("report", lambda path: write_report(runs, path / "report.html")) / "report.html"


@pytest.fixture(scope="session")
def crowd(shared: Shared) -> list[Path]:
    """Eight runs, some with the longest names, that are right on all pairs of a kind, on some, or on none."""

    def make(path: Path) -> None:
        for judge, name in CROWD.items():
            edit_info(write_run(path / judge, f"planted:{judge}", SUITE, LIMIT), name=name)

    folder = shared("crowd", make)
    return [folder / judge for judge in CROWD]


@pytest.fixture(scope="session")
def crowded(crowd: list[Path], shared: Shared) -> Path:
    """The report of eight judges."""
    return shared("crowded", lambda path: write_report(crowd, path / "report.html", pictures="none")) / "report.html"


@pytest.fixture(scope="session")
def hostile(shared: Shared) -> Path:
    """The report of a judge whose replies, name and run try to run something."""

    def make(path: Path) -> None:
        run = write_run(path / "run", "planted:oracle", "smoke")
        write_certificate(run / "certificate.json", certify(run, load_policy("standard")))
        (run / "certificate-damaged.json").write_text("{")
        records = read_journal(run)
        rewrite(run, [msgspec.structs.replace(r, reply=HOSTILE[i % len(HOSTILE)]) for i, r in enumerate(records)])
        template, source = "</title><script>alert(7)</script>", "<iframe src=//example.org>"
        edit_info(run, judge=HOSTILE_NAME, template=template, source=source)
        write_report([run], path / "report.html")

    return shared("hostile", make) / "report.html"


@pytest.fixture(scope="session")
def many(shared: Shared) -> Path:
    """The report on 1,000 pairs of a suite of one's own."""

    def make(path: Path) -> None:
        path.mkdir()
        suite = path / "many.toml"
        suite.write_text(MANY)
        run = write_run(path / "run", "planted:sticky", str(suite))
        written = write_report([run], path / "report.html", pictures=str(suite))
        assert (written.pairs, written.pictures) == (1000, 2000)

    return shared("many", make) / "report.html"
