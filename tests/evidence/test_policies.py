"""Policies: the shipped ones are what their comments say; a file of one's own is read, or refused with one message."""

import math
from pathlib import Path

import msgspec
import pytest

from counterbench.errors import InputError
from counterbench.evidence.cells import needed_e_value
from counterbench.evidence.policies import OutcomeLimits, Policy, laxer, load_policy
from counterbench.files import catalog
from counterbench.stats.betting import hits_to_reach

NAMES = ("exploratory", "standard", "strict")
HEAD = 'format = "counterbench.policy/2"\nname = "mine"\n'
DEMANDS = "ccs = 0.85\ncontrol = 0.8\nalpha = 0.05\nmost = 300\ndays = 90\n"
OUTCOMES = "[outcomes]\nunparsed = 0.02\nrefused = 0.02\nfailed = 0\n"
REST = DEMANDS + OUTCOMES


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def policy(file: Path, text: str) -> Policy:
    file.write_text(text)
    return load_policy(str(file))


# ---- shipped


def test_three_policies_are_shipped_with_their_reasons() -> None:
    assert catalog.names("probes/policies") == list(NAMES)
    for name, bound in zip(NAMES, (0.70, 0.85, 0.95), strict=True):
        shipped = load_policy(name)
        assert (shipped.name, shipped.ccs, shipped.control, shipped.alpha) == (name, bound, bound, 0.05)
        assert shipped.one_model
        assert shipped.description
        text = catalog.find("probes/policies", "policy", name).read_text()
        assert sum(line.startswith("#") for line in text.splitlines()) >= 5
    assert load_policy() == load_policy("standard")


@pytest.mark.parametrize(
    ("name", "pairs"),
    [
        # What the comments in the files say: so many pairs show the bound with none, one or two of them wrong.
        ("exploratory", (12, 21)),
        ("standard", (26, 46, 60)),
        ("strict", (83, 143, 188)),
    ],
)
def test_a_policy_needs_the_documented_number_of_pairs(name: str, pairs: tuple[int, ...]) -> None:
    shipped = load_policy(name)
    log = math.log(needed_e_value(shipped, 1))
    for misses, total in enumerate(pairs):
        assert hits_to_reach(log, 0, misses, shipped.ccs) + misses == total


# ---- files


def test_the_digest_covers_name_and_requirements(file: Path) -> None:
    first = policy(file, HEAD + REST)
    assert policy(file, HEAD + 'description = "x"\n' + REST).digest == first.digest
    assert policy(file, HEAD.replace("mine", "yours") + REST).digest != first.digest
    others = [
        REST.replace("ccs = 0.85", "ccs = 0.86"),
        REST.replace("alpha = 0.05", "alpha = 0.04"),
        REST.replace("most = 300", "most = 301"),
        REST.replace("days = 90", "days = 91"),
        REST.replace("unparsed = 0.02", "unparsed = 0.03"),
        "one_model = false\n" + REST,
    ]
    assert len({policy(file, HEAD + rest).digest for rest in others} | {first.digest}) == len(others) + 1


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (HEAD + "mst = 3\n" + REST, r"unknown key 'mst' \(did you mean 'most'\?\); choose from: alpha, ccs,"),
        (HEAD + REST.replace("ccs = 0.85", "ccs = 1.0"), r"`float` < 1.0 - at `\$.ccs`"),
        (HEAD + REST.replace("unparsed = 0.02", "unparsed = 2"), r"`float` <= 1.0 - at `\$.outcomes.unparsed`"),
        (HEAD + REST.replace("most = 300", "most = 0"), r"`int` >= 1 - at `\$.most`"),
        (HEAD + REST.replace("ccs = 0.85\n", ""), "missing required field `ccs`"),
        (HEAD.replace("mine", "../mine") + REST, r"matching regex .* - at `\$.name`"),
        (HEAD.replace("/2", "/3") + REST, "newer format 'counterbench.policy/3'.*update counterbench"),
    ],
)
def test_a_wrong_file_is_one_message_that_names_file_place_and_choices(file: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"mine.toml.*{message}"):
        policy(file, text)


def test_a_policy_is_laxer_where_it_asks_for_less() -> None:
    exploratory, standard, strict = map(load_policy, NAMES)
    assert laxer(strict, standard) == laxer(standard, standard) == []
    assert laxer(exploratory, standard)[:2] == ["ccs 0.7, not 0.85", "control 0.7, not 0.85"]
    assert "days up to 365, not 180" in laxer(exploratory, standard)
    bold = msgspec.structs.replace(standard, alpha=0.2)
    assert laxer(bold, standard) == ["alpha up to 0.2, not 0.05"]
    lost = msgspec.structs.replace(standard, outcomes=OutcomeLimits(unparsed=0.5, refused=0, failed=0), one_model=False)
    assert laxer(lost, standard) == ["unparsed up to 0.5, not 0.02", "more than one model"]
