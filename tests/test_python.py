"""Functions as judges, and what a call returns: both in any order that a user may write."""

import asyncio
import collections
import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from sweeping import swept

import counterbench as cb
from counterbench.judges.functions import FunctionJudge

pytestmark = pytest.mark.usefixtures("here")


def sees_red(image: Image.Image, question: str, least: int = 1) -> str:
    red, green, _ = np.moveaxis(np.asarray(image.resize((32, 32))), 2, 0)
    return "yes" if ((red > 150) & (green < 90)).sum() >= least else "no"


async def says_yes(image: Image.Image, question: str) -> str:
    await asyncio.sleep(0)
    return "yes"


class CountingJudge:
    def __call__(self, image: Image.Image, question: str) -> str:
        return str(len(question))


@pytest.mark.parametrize("judge", [sees_red, says_yes, CountingJudge(), functools.partial(sees_red, least=9)])
def test_a_function_is_a_judge_and_calls_on_its_run_chain(judge: Any) -> None:
    run = cb.probe("smoke", judge, limit=4)
    assert run.complete
    assert run.progress.figures.outcomes.get("failed", 0) == 0
    assert run.path.parent == Path("runs")
    assert run.score() == cb.score(run) == cb.score([run])[0] == cb.score(str(run.path))
    assert len(run.frame()) == 8
    assert run.certify().suite == "smoke"
    assert cb.probe("smoke", judge, limit=4).progress.calls == 0


def closing_over(word: str) -> Any:
    return lambda image, question: word


class Says:
    def __init__(self, word: str) -> None:
        self.word = word

    def __call__(self, image: Image.Image, question: str) -> str:
        return self.word


@swept(
    "made",
    [
        lambda word: eval(f"lambda image, question: {word!r}"),
        lambda word: eval(f"lambda image, question, word={word!r}: word"),
        lambda word: functools.partial(sees_red, least=len(word)),
        lambda word: functools.partial(says_yes if word == "yes" else sees_red),
        closing_over,
        Says,
        lambda word: Says(word).__call__,
    ],
)
def test_a_changed_function_is_another_judge(made: Any) -> None:
    assert FunctionJudge(made("yes")).name == FunctionJudge(made("yes")).name != FunctionJudge(made("no")).name


def test_state_that_changes_in_use_is_no_part_of_a_functions_name() -> None:
    questions: list[str] = []
    counts = collections.Counter[str]()

    def judge(image: Image.Image, question: str) -> str:
        questions.append(question)
        counts[question] += 1
        return judge.__name__

    before = FunctionJudge(judge).name
    assert judge(Image.new("RGB", (1, 1)), "?") == "judge"
    assert FunctionJudge(judge).name == before


class HeldModel:
    def __init__(self, path: str) -> None:
        self.path, self.api_key = path, "secret"
        vars(self)[3] = "no name"  # type: ignore[index]


class HeldPipeline:
    def __init__(self, path: str) -> None:
        self.model = HeldModel(path)


class Proxy:
    @property
    def __dict__(self) -> Any:  # type: ignore[override]
        raise RuntimeError("outside of a request")


MODEL, PROXY = HeldModel(""), Proxy()


def says_path(image: Image.Image, question: str) -> str:
    return MODEL.path or str(PROXY)


@pytest.mark.parametrize("kind", [HeldModel, HeldPipeline])
def test_functions_that_hold_other_models_are_other_judges(
    kind: type[HeldModel | HeldPipeline], monkeypatch: pytest.MonkeyPatch
) -> None:
    def name(held: HeldModel | HeldPipeline) -> list[str]:
        monkeypatch.setattr(sys.modules[__name__], "MODEL", held)
        return [FunctionJudge(judge).name for judge in (lambda image, question: str(held), says_path)]

    first, other, rekeyed = name(kind("a")), name(kind("b")), kind("a")
    assert all(name_a != name_b for name_a, name_b in zip(first, other, strict=True))
    getattr(rekeyed, "model", rekeyed).api_key = "another"
    assert name(rekeyed) == first


CACHE: dict[str, str] = {}
LOADED: HeldModel | None = None


def load() -> HeldModel:
    global LOADED
    LOADED = LOADED or HeldModel("a")
    return LOADED


def caches_and_loads(image: Image.Image, question: str) -> str:
    return CACHE.setdefault(question, load().path) + str(LOADED)


def test_a_cache_and_a_model_loaded_late_are_no_part_of_a_functions_name() -> None:
    before = FunctionJudge(caches_and_loads).name
    caches_and_loads(Image.new("RGB", (1, 1)), "?")
    assert (len(CACHE), FunctionJudge(caches_and_loads).name) == (1, before)


@pytest.mark.slow
def test_a_function_has_the_same_name_in_every_process() -> None:
    text = (
        "from counterbench.judges.functions import FunctionJudge as F\nprint(F(lambda i, q: q in {'a', 'b', 'c'}).name)"
    )
    names = {
        subprocess.run(
            [sys.executable, "-c", text], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in "123"
    }
    assert len(names) == 1


def test_a_function_that_raises_stop_iteration_fails() -> None:
    replies = iter(["yes"] * 3)
    run = cb.probe("smoke", lambda image, question: next(replies), limit=2)
    assert (run.progress.done, run.progress.failed) == (3, 1)


@swept(
    ("judge", "message"),
    [
        (lambda question: "yes", r"cannot be called with an image and a question"),
        (lambda image, question, mode: "yes", r"missing a required argument: 'mode'"),
        (3, r"int has no name, max_batch, max_in_flight, answer, close; a judge is a function \(image, question\)"),
        (CountingJudge, r"is the class CountingJudge: give an instance"),
        (type("Sync", (), dict.fromkeys(("name", "answer", "close"), str) | {"max_batch": 1, "max_in_flight": 1})(),
         r"Sync: answer must be `async def answer`"),
    ],
)  # fmt: skip
def test_a_function_of_a_wrong_signature_is_refused_before_any_call(judge: Any, message: str) -> None:
    with pytest.raises(cb.InputError, match=message):
        cb.probe("smoke", judge)
    assert not Path("runs").exists()


def test_a_function_that_returns_no_text_fails_with_the_reason() -> None:
    run = cb.probe("smoke", lambda image, question: True, limit=1, limits=cb.Limits(retries=0))
    assert set(run.progress.lasting.values()) == {"wrong-type the function returned bool, not a text"}


def test_a_run_with_a_seed_has_the_folder_of_the_command() -> None:
    suite = cb.load_suite("smoke", 7)
    assert cb.probe(suite, says_yes, limit=1).path == cb.probe("smoke", says_yes, seed=7, limit=1).path
    assert cb.probe("smoke", says_yes, limit=1).path.name == "smoke--says_yes--limit-1"


def test_a_folder_of_pairs_is_opened_as_a_suite_is() -> None:
    drawn = cb.generate("smoke", "pairs", limit=3)
    opened = cb.load_suite("./pairs")
    assert list(opened) == list(drawn) == opened[:3]
    assert (len(opened), opened[0].question) == (3, cb.load_suite("smoke")[0].question)
    with pytest.raises(cb.InputError, match="a folder's items are drawn already"):
        cb.load_suite("./pairs", seed=3)


def test_validate_returns_all_that_it_found_and_a_plan_asks_nothing() -> None:
    planned = cb.validate("planted:oracle", "smoke", plan=True, policy="exploratory")
    assert (planned.run, planned.plan.able, Path("runs").exists()) == (None, True, False)
    done = cb.validate("planted:oracle", "smoke", policy="exploratory")
    assert done.certificate is not None
    assert done.certificate.verdict == "pass"
    assert done.run is not None
    assert done.run.complete


def test_progress_is_reported() -> None:
    counts: list[int] = []
    cb.probe("smoke", says_yes, limit=2, on_progress=lambda progress: counts.append(progress.done))
    assert counts[-1] == 4
    drawn: list[tuple[int, int]] = []
    cb.generate("smoke", "pairs", limit=2, workers=1, on_progress=lambda done, total: drawn.append((done, total)))
    assert drawn[-1] == (2, 2)


def test_errors_name_python_parameters_and_not_flags() -> None:
    cb.generate("smoke", "pairs", limit=2, workers=1)
    for call, message in (
        (lambda: cb.probe("smoke", says_yes, repeats=0), "`repeats` must be at least 1, not 0"),
        (lambda: cb.probe("smoke", says_yes, "pairs"), "pairs: is not empty and not a run; choose another `out`"),
        (lambda: cb.probe("smoke", "pixels", repeats="3"), "`repeats` must be a number, not '3'"),  # type: ignore[arg-type]
        (lambda: cb.Limits(max_calls=0), "max_calls must be more than 0, not 0"),
        (lambda: cb.score("pairs"), "counterbench probe pairs --judge JUDGE"),  # a command stays one
    ):
        with pytest.raises(cb.InputError) as raised:
            call()
        assert str(raised.value).endswith(message)


def test_a_pairs_scene_can_be_drawn() -> None:
    pair = cb.load_suite("smoke")[0]
    assert pair.original.image().size == (512, 512)
    assert pair.intervened.image(256, "textured").size == (256, 256)
    assert pair.original.image().tobytes() != pair.intervened.image().tobytes()
