"""What each command does with a judge: a function for each row of the table in docs/any-judge.md."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from commands import document, done, fails

EXAMPLES = Path(__file__).parents[1] / "examples" / "pictures.csv"
SUITES = {True: "smoke", False: "pairwise"}  # what it is asked about: any questions, or comparisons alone


class Tried(NamedTuple):
    """A judge's name, the options of calls that ask it, and True if it answers any question; else comparisons alone."""

    judge: str
    options: Sequence[object] = ()
    answers: bool = True

    @property
    def words(self) -> list[object]:
        """The judge and the options of a call."""
        return ["--judge", self.judge, *self.options]


def doctor(tried: Tried) -> None:
    checks = {check["name"]: check["holds"] for check in document("doctor", *tried.words)["findings"]}
    of_numbers = {"finite", "repeats", "sees", "reads", "sign", "long texts"}
    assert checks.keys() == (of_numbers if "mine:" in tried.judge else {"answers", "sees", "together", "again"})
    assert all(checks.values()), checks


def probed(tried: Tried, out: str = "run", limit: int = 40) -> str:
    done("probe", SUITES[tried.answers], *tried.words, "--limit", limit, "--out", out)
    return out


def probe(tried: Tried) -> None:
    (run,) = document("score", probed(tried))["runs"]
    assert run["complete"]
    assert run["overall"]["ccs"]["value"] > 0.9
    if not tried.answers:
        message = " ".join(fails("probe", "smoke", *tried.words, "--out", "other").split())
        assert "answers no question about one" in message
        assert "--for pairwise" in message
        assert not Path("other").exists()


def validate(tried: Tried) -> None:
    printed = done("validate", tried.judge, *tried.options, "--for", SUITES[tried.answers], "--out", "valid")
    assert "Supported: the judge was shown to" in printed or tried.answers  # "smoke" is too small to certify
    assert ("the level of its numbers was not tested" in printed) == (not tried.answers)
    if not tried.answers:
        assert "answers no question about one" in fails("validate", tried.judge, *tried.options, "--for", "certify")


def diagnose(tried: Tried) -> None:
    (found,) = document("diagnose", probed(tried))["runs"]
    assert found["faults"] == []


def compare(tried: Tried) -> None:
    other = "scorer:planted:blind" if not tried.answers else "planted:sticky?p=1"
    probed(Tried(other, answers=tried.answers), "other")
    found = document("compare", probed(tried), "other")
    (contrast,) = found["overall"]["contrasts"]
    assert contrast["better"] == contrast["first" if contrast["difference"]["value"] > 0 else "second"]
    controls = "control" in found["categories"]
    assert controls == tried.answers or "scorer" not in f"{tried.judge} {other}"


def evaluate(tried: Tried) -> None:
    words = ("evaluate", EXAMPLES, *tried.words, "--out", "evaluated")
    if tried.answers:
        assert document(*words, code=0)["verdict"] in ("supported", "in part")
    else:
        assert "t2i judge IMAGES/A IMAGES/B --protocol pairwise" in " ".join(fails(*words).split())


def card(tried: Tried) -> None:
    out = probed(tried)
    printed = " ".join(done("card", out, "--out", "card").split())
    assert ("it orders pictures; it gives no shares" in printed) == (not tried.answers)


COMMANDS: Mapping[str, Callable[[Tried], None]] = {
    "doctor": doctor,
    "probe": probe,
    "validate": validate,
    "diagnose": diagnose,
    "compare": compare,
    "evaluate": evaluate,
    "card": card,
}
