"""Policies: the shipped ones are what their comments say; a file of one's own is read, or refused with one message."""

from __future__ import annotations

import itertools
from pathlib import Path

import msgspec
import pytest

from counterbench.certificate.chances import least_hits
from counterbench.certificate.policies import OutcomeLimits, Override, Policy, laxer, load_policy, usurps
from counterbench.errors import InputError
from counterbench.files import catalog

HEAD = 'format = "counterbench.policy/1"\nname = "mine"\n'
DEFAULT = "[default]\npairs = 30\nccs = 0.85\nsensitivity = 0.8\nspecificity = 0.8\n"
CONTROL = "[control]\npairs = 30\nstability = 0.85\naccuracy = 0.85\n"
OUTCOMES = "[outcomes]\nunparsed = 0.02\nrefused = 0.02\nfailed = 0\n"
REST = DEFAULT + CONTROL + OUTCOMES


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "mine.toml"


def policy(file: Path, text: str) -> Policy:
    file.write_text(text)
    return load_policy(str(file))


# ---- shipped


def test_three_ship_each_with_its_reasons() -> None:
    assert catalog.names("probes/policies") == ["exploratory", "standard", "strict"]
    for name, bound in (("exploratory", 0.70), ("standard", 0.85), ("strict", 0.95)):
        shipped = load_policy(name)
        assert (shipped.name, shipped.default.ccs, shipped.control.accuracy) == (name, bound, bound)
        assert shipped.complete
        assert shipped.one_model
        assert shipped.description
        text = catalog.find("probes/policies", "policy", name).read_text()
        assert sum(line.startswith("#") for line in text.splitlines()) >= 10
    assert load_policy() == load_policy("standard")


@pytest.mark.parametrize(
    ("name", "pairs", "hits"),
    [
        # What the comments in the files say of numbers.
        ("exploratory", 20, 19),
        ("standard", 21, 22),
        ("standard", 22, 22),
        ("standard", 240, 215),
        ("strict", 72, 73),
        ("strict", 73, 73),
        ("strict", 240, 235),
    ],
)
def test_what_the_files_say_of_the_pairs_that_show_their_bound(name: str, pairs: int, hits: int) -> None:
    assert least_hits(pairs, load_policy(name).default.ccs) == hits


@pytest.mark.parametrize("name", ["exploratory", "standard", "strict"])
def test_yes_no_bounds_ask_nothing_new_of_a_judge_that_is_as_good_at_yes_no(name: str) -> None:
    """Half of the errors that the CCS of 240 pairs allows, all on one side of the 120 yes/no pairs, still pass."""
    default = load_policy(name).default
    errors = 240 - least_hits(240, default.ccs)
    for bound in (default.sensitivity, default.specificity):
        assert least_hits(120, bound) <= 120 - (errors + 1) // 2
        assert bound <= default.ccs


def test_later_policies_ask_for_more() -> None:
    order = [load_policy(n) for n in ("exploratory", "standard", "strict")]
    for one, other in itertools.pairwise(order):
        for field in one.default.__struct_fields__:
            assert getattr(one.default, field) < getattr(other.default, field)
        for field in ("pairs", "stability", "accuracy"):
            assert getattr(one.control, field) < getattr(other.control, field)
        assert one.outcomes.unparsed > other.outcomes.unparsed
        assert one.outcomes.failed == other.outcomes.failed == 0


# ---- files


def test_a_policy_of_ones_own_with_overrides(file: Path) -> None:
    mine = policy(file, HEAD + REST + "[skills.count]\nccs = 0.5\n[skills.colour]\npairs = 3\n")
    by_skill = mine.for_skills(["colour", "count", "inside"])
    assert by_skill["inside"] == mine.default
    assert by_skill["count"] == msgspec.structs.replace(mine.default, ccs=0.5)
    assert by_skill["colour"] == msgspec.structs.replace(mine.default, pairs=3)


def test_an_override_of_a_skill_that_is_not_there_is_refused(file: Path) -> None:
    mine = policy(file, HEAD + REST + "[skills.cuont]\nccs = 0.5\n")
    with pytest.raises(InputError, match=r"policy 'mine', \[skills\]: unknown skill 'cuont' \(did you mean 'count'"):
        mine.for_skills(["colour", "count"])
    with pytest.raises(InputError, match="the run has none"):
        mine.for_skills([])


def test_a_shipped_policys_name_stands_for_its_conditions(file: Path) -> None:
    with pytest.raises(InputError, match="calls itself 'strict', the name of a shipped policy, but asks for something"):
        policy(file, HEAD.replace("mine", "strict") + REST)
    text = catalog.find("probes/policies", "policy", "standard").read_text()
    file.write_text(text.replace("description = ", "description = 'a copy' # "))
    copy = load_policy(str(file))
    assert not usurps(copy)
    assert usurps(msgspec.structs.replace(copy, one_model=False))


def test_the_digest_is_of_the_name_and_what_is_asked_for(file: Path) -> None:
    one = policy(file, HEAD + REST)
    assert policy(file, HEAD + 'description = "x"\n' + REST).digest == one.digest
    assert policy(file, HEAD.replace("mine", "yours") + REST).digest != one.digest
    others = [
        REST.replace("ccs = 0.85", "ccs = 0.86"),
        REST.replace("pairs = 30", "pairs = 31"),
        REST.replace("unparsed = 0.02", "unparsed = 0.03"),
        REST + "[skills.count]\nccs = 0.5\n",
    ]
    digests = {policy(file, HEAD + rest).digest for rest in others} | {
        policy(file, HEAD + "one_model = false\n" + REST).digest
    }
    assert len(digests | {one.digest}) == len(others) + 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            HEAD + "complet = true\n" + REST,
            r"unknown key 'complet' \(did you mean 'complete'\?\); choose from: complete,",
        ),
        (
            HEAD + REST.replace("ccs", "css"),
            r", default: unknown key 'css' \(did you mean 'ccs'\?\); choose from: ccs, pa",
        ),
        (HEAD + REST + "[skills.count]\ncss = 1\n", r", skills 'count': unknown key 'css' \(did you mean 'ccs'\?\)"),
        (HEAD + REST.replace("ccs = 0.85", "ccs = 1.0"), r"`float` < 1.0 - at `\$.default.ccs`"),
        (HEAD + REST.replace("ccs = 0.85", "ccs = nan"), r"\$.default.ccs"),
        (HEAD + REST.replace("unparsed = 0.02", "unparsed = 2"), r"`float` <= 1.0 - at `\$.outcomes.unparsed`"),
        (HEAD + REST.replace("pairs = 30", "pairs = 0", 1), r"`int` >= 1 - at `\$.default.pairs`"),
        (HEAD + REST.replace("ccs = 0.85\n", ""), "missing required field `ccs` - at `\\$.default`"),
        (HEAD + DEFAULT + OUTCOMES, "missing required field `control`"),
        (HEAD + "complete = false\n" + REST, "complete must be true: a run with questions left is never certified"),
        (HEAD.replace("mine", "../mine") + REST, r"matching regex .* - at `\$.name`"),
        (HEAD.replace("/1", "/2") + REST, "newer format 'counterbench.policy/2'.*update counterbench"),
    ],
)
def test_a_wrong_file_is_one_message_that_names_file_place_and_choices(file: Path, text: str, message: str) -> None:
    with pytest.raises(InputError, match=f"mine.toml.*{message}"):
        policy(file, text)


def test_an_unknown_name_lists_the_shipped_ones(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r"unknown policy 'strikt' \(did you mean 'strict'\?\); choose from: exploratory,"
    ):
        load_policy("strikt")
    with pytest.raises(InputError, match=r"there is no such policy file"):
        load_policy(str(tmp_path / "none.toml"))


def test_a_policy_is_laxer_where_it_asks_for_less() -> None:
    exploratory, standard, strict = (load_policy(name) for name in ("exploratory", "standard", "strict"))
    assert laxer(strict, standard, ["place"]) == []
    assert laxer(standard, standard, ["place", "colour"]) == []
    assert "place: pairs 20, not 30" in laxer(exploratory, standard, ["place"])
    assert any(part.startswith("controls: ") for part in laxer(exploratory, standard, []))
    skill = msgspec.structs.replace(standard, skills={"colour": Override(ccs=0.5)})
    assert laxer(skill, standard, ["place"]) == []
    assert laxer(skill, standard, ["place", "colour"]) == ["colour: ccs 0.5, not 0.85"]
    lost = msgspec.structs.replace(standard, outcomes=OutcomeLimits(unparsed=0.5, refused=0, failed=0), one_model=False)
    assert laxer(lost, standard, []) == ["unparsed up to 0.5, not 0.02", "more than one model"]
