"""Hypothesis profiles: never a deadline (shared machines), modest counts, and the same examples every time in CI."""

import gc
import importlib
import os
import re
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import sharing
from hypothesis import HealthCheck, settings

from counterbench.files import catalog
from counterbench.scene.pairs import Pair
from counterbench.suites.suite import Part, Suite

ROOT = Path(__file__).parents[1]
gc.disable()  # until all tests are collected: what is imported stays
# Where the shell forbids compiled files, every worker and every child would compile all modules anew, for seconds. They
# lie beside the modules: elsewhere, those that were compiled with the installation would not be found.
sys.dont_write_bytecode = False
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

sys.path.append(str(ROOT / "benchmarks"))  # for `rehearsal`, which tests use too
os.environ.pop("COLUMNS", None)  # of the shell that starts the tests: lines would be broken
# A shell that starts the tests in the background has them, and all that they start, ignore Ctrl-C.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

_SLOW_DATA = [HealthCheck.too_slow, HealthCheck.data_too_large]

settings.register_profile("default", deadline=None, max_examples=60, suppress_health_check=_SLOW_DATA)
settings.register_profile(
    "ci", settings.get_profile("default"), derandomize=True, print_blob=True, suppress_health_check=_SLOW_DATA
)
settings.load_profile("ci" if os.environ.get("CI") else "default")


def pytest_configure(config: pytest.Config) -> None:
    """A third of the examples among the quick tests; `make test-slow` runs all properties once more, with all."""
    if config.option.markexpr == "not slow":
        settings.register_profile("quick", settings.default, max_examples=20)
        settings.load_profile("quick")
        os.fsync = lambda file: None  # no test pulls the plug, and a disk takes milliseconds


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Without the slow tests, a file that has no others is not read: importing torch alone takes seconds."""
    if config.option.markexpr != "not slow" or collection_path.suffix != ".py":
        return None
    return re.search(r"^pytestmark = .*mark\.slow", collection_path.read_text(), re.MULTILINE) is not None or None


def pytest_collection_finish() -> None:
    """All that was imported stays: no search for garbage need look at it again."""
    gc.collect()
    gc.freeze()
    gc.enable()


@pytest.fixture(autouse=True, scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> sharing.Shared:
    """A folder by name, filled by the first test of any process that asks for it; tests read it, or copy it."""
    base = tmp_path_factory.getbasetemp()
    sharing.root = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    return sharing.shared


@pytest.fixture(autouse=True, scope="session")
def made_once() -> Iterator[None]:
    """Each pair of a shipped suite is made once for all tests of a process."""
    made: dict[tuple[object, ...], Pair] = {}
    shipped, sample = {*catalog.names("scenes")}, Suite.sample

    def remembered(suite: Suite, part: Part, index: int) -> Pair:
        key = (suite.name, suite.seed, suite.canvas, suite.compared, repr(part), index)
        if suite.name not in shipped:
            return sample(suite, part, index)
        if len(made) == 10_000:  # 60 MB
            made.clear()
        if key not in made:
            made[key] = sample(suite, part, index)
        return made[key]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(Suite, "sample", remembered)
        yield


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The folder of a run that is not there yet."""
    return tmp_path / "run"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The test's own folder, in which it works."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """No wait before a question is asked again."""
    monkeypatch.setattr("counterbench.asking.asker._MAX_WAIT", 0.001)


@pytest.fixture
def feeding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The file of the docs' law, among those of its discipline; after the test it is forgotten."""
    from own_law import FEEDING, laws_found_anew

    biology = importlib.import_module("counterbench.laws.biology")
    file = tmp_path / "laws" / "feeding.py"
    file.parent.mkdir()
    file.write_text(FEEDING, encoding="utf-8")
    monkeypatch.setattr(biology, "__path__", [str(file.parent), *biology.__path__])
    laws_found_anew()
    yield file
    monkeypatch.undo()
    laws_found_anew()
