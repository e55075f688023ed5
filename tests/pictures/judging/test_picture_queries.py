"""What a judge is asked about pictures: queries without truth, keys with it where it is known."""

import shutil
from pathlib import Path

import msgspec
import pytest
from asked import judge_pictures
from pictures.drawn import Painter, prompt_set
from pictures.lawful import draw, of_laws, true_rows
from PIL import Image

from counterbench.asking.asking import Asking
from counterbench.drawing.domain import Domain
from counterbench.errors import InputError
from counterbench.evidence.prompt_checks import needed_cells
from counterbench.files import formats
from counterbench.judges.planted import PlantedJudge
from counterbench.laws.outcomes import law_cell
from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.judging.picture_queries import PictureQuestions
from counterbench.pictures.judging.run import read_t2i_run
from counterbench.pictures.protocols import protocol
from counterbench.prompts.manifest import Images, read_manifest
from counterbench.prompts.prompt_set import Check, PromptSet
from counterbench.runs.folder import read_run_info
from counterbench.runs.queries import Key, load_template
from counterbench.suites.sources import SuiteSource
from counterbench.suites.suite import load_suite

PROMPTS = of_laws()


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Images:
    return draw(PROMPTS, "prior", tmp_path_factory.mktemp("images"))


@pytest.fixture
def copied(pictures: Images, tmp_path: Path) -> Images:
    return read_manifest(Path(shutil.copytree(pictures.path, tmp_path / "prior")))


def asked_of(prompts: PromptSet) -> int:
    """How many checks there are, of prompts that are drawn alike once."""
    return sum(len(prompt.checks) for prompt in {p.drawn_as: p for p in prompts.prompts}.values())


def keys_by_id(images: Images) -> dict[str, Key]:
    known = PictureQuestions(images, PROMPTS).keys()
    return {key.id: key for key in known}


def test_each_query_has_its_key_and_holds_no_truth(pictures: Images) -> None:
    questions = PictureQuestions(pictures, PROMPTS)
    queries, keys = list(questions.queries()), list(questions.keys())
    assert len(questions) == len(queries) == len(keys) == asked_of(PROMPTS)
    for query, key in zip(queries, keys, strict=True):
        assert (query.id, query.group, query.role, query.answer_type) == (key.id, key.group, key.role, key.answer_type)
        prompt = PROMPTS.by_id[query.group.rpartition("/")[0]]
        check = next(check for check in prompt.checks if check.id == query.role)
        assert (query.text, query.prompt) == (check.text, prompt.text)
        assert (key.skill, key.weight, key.category, key.family) == (check.skill, check.weight, prompt.level, "falling")
        assert (key.law, key.cell) == ("falling", law_cell("falling", check.id))
        assert query.pictures[0].digest == next(r for r in pictures.rows if r.id == query.group).picture_digest
    assert len({key.id for key in keys}) == len(keys)
    assert (questions.name, questions.seed) == ("falling--planted-prior", PROMPTS.seed)


def test_the_keys_of_planted_pictures_are_the_truth(pictures: Images) -> None:
    keys = keys_by_id(pictures)
    first = next(iter(PROMPTS.groups))
    for row in true_rows(PROMPTS, "prior"):
        sample = f"{first}/l1/{row.sample}" if row.level == "l1" else row.sample_id  # all have one L1
        key = keys[f"{sample}/{row.check}"]
        assert (key.expected, key.truth) == (row.answer, "computed")


def test_pictures_in_a_manner_have_its_traits_and_domain(pictures: Images, tmp_path: Path) -> None:
    for spec, traits in (
        ("prior?style=blurred", {"style": "blurred"}),
        ("prior?small=true", {"size": "small"}),
        ("prior?style=textured&small=true", {"style": "textured", "size": "small"}),
    ):
        images = draw(PROMPTS, spec, tmp_path, limit=1)
        questions = PictureQuestions(images, PROMPTS)
        keys = list(questions.keys())
        assert [key.traits for key in keys] == [traits] * len(keys)
        assert questions.domain.style == traits.get("style", "flat")
        plain = keys_by_id(pictures)
        assert {key.id: key.expected for key in keys} == {key.id: plain[key.id].expected for key in keys}
    assert [key for key in plain.values() if key.traits] == []


def test_the_true_and_the_faulty_rating_follow_from_a_pictures_checks(tmp_path: Path) -> None:
    """At L2 and L3 only visual integrity holds, 3 of 26; to a judge that obeys the words, and one of priors: all."""
    images = draw(PROMPTS, "vandal", tmp_path, limit=1)
    questions = PictureQuestions(images, PROMPTS, protocol("direct"))
    for key in list(questions.keys()):
        of_level = key.category
        assert (key.truth, key.expected) == ("computed", "5" if of_level == "l1" else "1")
        assert key.misreadings.get("prompt-led") == (None if of_level == "l1" else "5")
        assert key.misreadings.get("text-led") == (None if of_level == "l1" else "5")
        assert "prior-bound" not in key.misreadings
    right = draw(PROMPTS, "reasoner", tmp_path, limit=1)
    questions = PictureQuestions(right, PROMPTS, protocol("direct"))
    for key in list(questions.keys()):
        assert key.expected == "5"
        assert key.misreadings.get("prior-bound") == (None if key.category == "l1" else "1")


def test_the_truth_about_a_picture_is_the_same_for_every_protocol(tmp_path: Path) -> None:
    """Which wrong picture a noisy model draws depends on the checks of its own prompts."""
    images = draw(PROMPTS, "noisy?l1=0.0&l2=0.0&l3=0.0", tmp_path, samples=6, limit=1)
    checks, ratings = ([*PictureQuestions(images, PROMPTS, protocol(name)).keys()] for name in ("checklist", "direct"))
    assert {key.truth for key in (*checks, *ratings)} == {"computed"}
    assert {key.group for key in checks} == {key.group for key in ratings}


def test_misreadings_are_the_wrong_answers_of_known_faults(tmp_path: Path) -> None:
    right, vandal = (keys_by_id(draw(PROMPTS, kind, tmp_path)) for kind in ("reasoner", "vandal"))
    named = ("prior-bound", "prompt-led", "text-led")

    def named_misreadings(key: Key) -> dict[str, str]:
        assert key.expected not in key.misreadings.values()
        return {name: answer for name, answer in key.misreadings.items() if name in named}

    for id, key in right.items():
        level, check = id.split("/")[1], key.role
        by_prior = {"assessment": "no", "moved": "no", "contrast": "yes"}
        wanted = {"prior-bound": by_prior[check]} if level != "l1" and check in by_prior else {}
        assert named_misreadings(key) == wanted, id
    for id, key in vandal.items():
        level, check = id.split("/")[1], key.role
        wrong = level != "l1" and check in ("assessment", "moved")
        believed = {"prompt-led": "yes"} if wrong else {}
        if level != "l1" and check == "contrast":
            believed = {"prompt-led": "no"}
        assert named_misreadings(key) == believed | ({"text-led": "yes"} if key.expected == "no" else {}), id


def test_keys_of_another_generators_pictures_hold_no_truth(tmp_path: Path) -> None:
    images = generate_images(PROMPTS, Painter(name="painter"), tmp_path, samples=1).images
    keys = keys_by_id(images)
    assert len(keys) == asked_of(PROMPTS)
    assert {(key.truth, key.expected) for key in keys.values()} == {("unknown", "")}
    assert {key.cell for key in keys.values()} == set(needed_cells(PROMPTS.prompts)["falling"])
    assert [key for key in keys.values() if key.misreadings] == []


@pytest.mark.parametrize("kind", ["blank", "refuser"])
def test_samples_without_a_picture_are_not_asked_about(kind: str, tmp_path: Path) -> None:
    images = draw(PROMPTS, kind, tmp_path)
    questions = PictureQuestions(images, PROMPTS)
    assert (len(questions), list(questions.queries()), list(questions.keys())) == (0, [], [])
    assert len(questions.drawn.prompts) == len(PROMPTS.prompts)


def test_the_runs_digest_covers_pictures_and_questions(pictures: Images) -> None:
    def digest(prompts: PromptSet) -> str:
        return PictureQuestions(pictures, prompts).digest

    same = digest(PROMPTS)
    assert digest(of_laws("falling", "wind")) == digest(of_laws("falling")) == same  # a law was added since
    assert digest(with_checks(PROMPTS)) != same
    assert digest(PROMPTS.holding(PROMPTS.first(1))) != same
    blank = msgspec.structs.replace(pictures.rows[0], status="blank")
    with_blank = msgspec.structs.replace(pictures, rows=(blank, *pictures.rows[1:]))
    assert PictureQuestions(with_blank, PROMPTS).digest != same


# ---- pictures outlive questions


def with_checks(prompts: PromptSet, level: str = "l1", *checks: Check) -> PromptSet:
    """The set with these checks, or none, at a level."""
    replace = msgspec.structs.replace
    return prompts.holding([replace(p, checks=checks) if p.level == level else p for p in prompts.prompts])


def test_pictures_of_prompts_that_a_set_does_not_have_are_left_out_and_counted(pictures: Images) -> None:
    questions = PictureQuestions(pictures, PROMPTS.holding(PROMPTS.prompts[1:]))
    (generator,) = questions.generators
    assert (generator.elsewhere, len(generator.images.rows)) == (1, len(pictures.rows) - 1)
    first = PROMPTS.prompts[0].id
    assert [query for query in questions.queries() if query.group.startswith(first)] == []
    assert first not in questions.drawn.by_id
    assert PictureQuestions(pictures, of_laws("falling", "wind")).generators[0].elsewhere == 0


def test_pictures_of_prompts_without_checks_are_in_the_run_and_nothing_is_asked(pictures: Images) -> None:
    questions = PictureQuestions(pictures, with_checks(PROMPTS))
    assert questions.generators[0].images.rows == pictures.rows
    assert questions.drawn.prompts == with_checks(PROMPTS).prompts
    assert {query.group.split("/")[1] for query in questions.queries()} == {"l2", "l3"}


# ---- what is wrong


def test_pictures_of_other_words_are_left_out_and_refused_if_none_remain(pictures: Images) -> None:
    prompts = of_laws(seed=8)
    some = PictureQuestions(pictures, prompts.holding([*PROMPTS.prompts[:-2], *prompts.prompts[-2:]]))
    assert (some.generators[0].reworded, some.generators[0].elsewhere) == (2 * pictures.info.samples, 0)
    assert {row.group for row in some.generators[0].images.rows} <= {prompt.group for prompt in PROMPTS.prompts[:-2]}
    with pytest.raises(InputError, match=f"prior: its pictures of '{PROMPTS.prompts[0].id}' and all others were drawn"):
        PictureQuestions(pictures, prompts)


@pytest.mark.parametrize("prompts", [of_laws("wind"), prompt_set(name="rules")])
def test_pictures_of_other_prompts_altogether_are_refused(pictures: Images, prompts: PromptSet) -> None:
    message = f"prior: its pictures are of other prompts, of 'falling'; '{prompts.name}' has none of them; choose other"
    with pytest.raises(InputError, match=message):
        PictureQuestions(pictures, prompts)


def file_of(images: Images, place: int) -> Path:
    return images.file(images.rows[place])


def ask_oracle(images: Images, out: Path) -> None:
    questions = PictureQuestions(images, PROMPTS)
    Asking(questions, PlantedJudge("oracle", questions.keys), out).run()


def test_swapped_pictures_are_noticed(tmp_path: Path) -> None:
    images = draw(PROMPTS, "reasoner", tmp_path)
    first_file, second_file = file_of(images, 0), file_of(images, 1)
    first, second = first_file.read_bytes(), second_file.read_bytes()
    assert first != second
    first_file.write_bytes(second)
    second_file.write_bytes(first)
    with pytest.raises(InputError, match=rf"^2 of \d+ pictures.*: {first_file}: is not the recorded picture.*delete"):
        ask_oracle(images, tmp_path / "run")


@pytest.mark.parametrize("damage", ["truncated", "empty", "no picture", "gone"])
def test_a_picture_damaged_after_it_was_drawn_stops_the_run_and_loses_nothing(
    damage: str, copied: Images, tmp_path: Path
) -> None:
    place = len(copied.rows) - 1
    path = file_of(copied, place)
    whole = path.read_bytes()
    if damage == "gone":
        path.unlink()
    else:
        path.write_bytes({"truncated": whole[: len(whole) // 2], "empty": b"", "no picture": b"<svg/>"}[damage])
    with pytest.raises(InputError, match=str(path)):
        ask_oracle(copied, tmp_path / "run")
    path.write_bytes(whole)
    ask_oracle(copied, tmp_path / "run")
    records = list(formats.read_lines(tmp_path / "run" / "journal.jsonl", dict[str, object]))
    assert len(records) == len({record["id"] for record in records}) == len(PictureQuestions(copied, PROMPTS))


# ---- what the pictures are like


def test_planted_pictures_are_our_drawings_whatever_the_prompts_ask_for(tmp_path: Path) -> None:
    photo = of_laws(style="photo")
    found = PictureQuestions(draw(photo, "prior", tmp_path), photo).domain
    assert found == SuiteSource(load_suite("laws")).domain


def test_a_models_domain_follows_from_its_files_and_prompts(tmp_path: Path) -> None:
    prompts, painter = prompt_set(), Painter()
    images = generate_images(prompts, painter, tmp_path).images
    found = PictureQuestions(images, prompts).domain
    assert found == Domain(renderer=painter.name, style="", size="8x8", file_format="png")
    Image.new("RGB", (1024, 768)).save(images.file(images.rows[0]), "JPEG")
    found = PictureQuestions(images, prompts).domain
    assert (found.size, found.file_format) == ("8x8, 1024x768", "jpeg, png")
    styled = [msgspec.structs.replace(prompt, style="photo") for prompt in prompts.prompts]
    prompts = PromptSet(prompts.name, prompts.levels, styled)
    found = PictureQuestions(images, prompts).domain
    assert (found.renderer, found.style) == (painter.name, "photo")


def test_a_run_about_pictures_keeps_their_domain(pictures: Images, tmp_path: Path) -> None:
    questions = PictureQuestions(pictures, PROMPTS)
    judge = PlantedJudge("oracle", questions.keys())
    judge_pictures(questions, judge, tmp_path / "run", template=load_template(), certificate=None, uncertified=True)
    assert read_t2i_run(tmp_path / "run")[0].model.domain == questions.domain == read_run_info(tmp_path / "run").domain
