"""`watch`: a judge compared with its own first replies, then on fresh pairs; which changed, judge or model."""

import json
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
import pytest
from commands import call, document, done, fails
from drawn_reader import KnowingReader
from pictures.carded import checklist, judged, prompt
from pictures.drawn import QUICK

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.errors import InputError
from counterbench.evidence.looks import WatchDocument
from counterbench.files import formats
from counterbench.judges.base import Reply
from counterbench.pictures.generation.generate import generate_images
from counterbench.pictures.generators.card import CardGenerator
from counterbench.prompts.prompt_set import Check
from counterbench.runs.folder import RunInfo, last_records, read_keys
from counterbench.runs.queries import Query

CARDS = {"good": 0.9, "middling": 0.6, "bad": 0.3}


class YesSayer:
    """A judge that reads pixels, and says yes at a rate instead; its noise differs from one object to the next."""

    name, max_batch, max_in_flight = "mine", 8, 1

    def __init__(self, yes: float, seed: int) -> None:
        self._yes, self._chance, self._pixels = yes, random.Random(seed), KnowingReader()

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        return [
            Reply(text='{"answer": "yes"}') if self._chance.random() < self._yes else read
            for read in await self._pixels.answer(batch)
        ]

    async def close(self) -> None: ...


def look(judge: YesSayer, **options: Any) -> WatchDocument:
    return cb.watch("mine", judge=judge, **options)


def ids_asked(folder: str) -> list[str]:
    return [record.id for record in last_records(Path(folder) / "journal.jsonl").values()]


def banked(pairs: int) -> None:
    """The run `r` with a bank of so many first replies."""
    done("probe", "smoke", "--judge", "planted:oracle", "--limit", 16, "--out", "r")
    assert document("watch", "r", "--start", "--pairs", pairs)["pairs"] == pairs


@pytest.fixture
def bank(here: Path) -> None:
    cb.probe("certify=spatial,attribute", YesSayer(0.02, 0), limit=8, out="mine")
    assert cb.watch("mine", start=True, judge=YesSayer(0.02, 1), pairs=80) is None


@pytest.mark.slow
@pytest.mark.usefixtures("bank")
def test_each_look_asks_new_pairs() -> None:
    for number in range(1, 4):
        found = look(YesSayer(0.02, number + 1))
        assert (found.verdict, found.what, found.overall.pairs) == ("unchanged", "", 20 * number)
        assert len(found.looks) == number
        assert found.calls == len(set(ids_asked("mine/watch/again"))) == 40 * number
    assert set(ids_asked("mine/watch/again")) < set(ids_asked("mine/watch/first"))


@pytest.mark.usefixtures("bank")
def test_a_change_is_dated_and_remembered() -> None:
    look(YesSayer(0.02, 2))
    found = look(YesSayer(0.9, 3), pairs=60)
    assert (found.verdict, found.what) == ("changed", "judge")
    assert found.since == found.looks[1].at
    assert found.change < -0.2
    assert look(YesSayer(0.02, 4)).since == found.since
    assert call("watch", "mine", "--judge", "pixels").exit_code != 0  # another judge


def test_a_watch_without_a_certificate_ends_when_the_bank_is_used_up() -> None:
    banked(24)
    done("watch", "r", "--pairs", 16)
    done("watch", "r", "--pairs", 16)
    output = done("watch", "r", code=3)  # nothing is left to ask
    assert "3 looks, 24 of 24 pairs of the bank compared, 48 calls so far" in output
    assert "the bank is used up; without a certificate" in output
    assert "watch r --start" in output
    assert output.splitlines()[-1].startswith("UNCHANGED so far; a change of up to 30 points")


@pytest.mark.slow
def test_fresh_pairs_are_compared_with_the_certificates_bound() -> None:
    done("validate", "planted:oracle", "--for", "certify=spatial", "--out", "v")
    certificate = "v/certificate-standard.json"
    done("watch", certificate, "--start", "--pairs", 10)
    assert "used up: right on 0 of 0 fresh pairs" in done("watch", certificate, "--pairs", 10)
    found = document("watch", certificate, "--pairs", 50)
    assert found["overall"]["pairs"] == 10
    assert found["fresh"] == {"pairs": 50, "right": 50, "bound": 0.85, "verdict": "above"}


def test_a_stopped_look_is_completed_and_not_extended() -> None:
    banked(24)
    done("watch", "r", "--max-calls", 7, code=3)
    ended = call("watch", "r")
    assert "takes: 25 calls" in ended.stderr
    assert "asking the judge: 25/25" in ended.stderr  # of this look alone
    assert len(ids_asked("r/watch/again")) == 32


def test_the_bank_is_asked_only_once() -> None:
    banked(24)
    before = Path("r/watch/first/keys.jsonl").read_bytes()
    assert "the bank has 24 pairs" in fails("watch", "r", "--start", "--pairs", 16)
    assert "a bank of 24 pairs" in done("watch", "r", "--start")
    assert Path("r/watch/first/keys.jsonl").read_bytes() == before


@pytest.mark.slow
def test_a_mistake_is_reported_before_the_first_question(few_pictures: Path) -> None:
    banked(16)
    assert "no t2i.json" in fails("watch", "r", "r")
    Path("r/watch/watch.json").write_text("{")
    assert "or delete it" in fails("watch", "r")
    assert not Path("r/watch/again").exists()
    shutil.copytree(few_pictures / "run-before", "run")
    assert "watch run --start` first" in fails("watch", "run", few_pictures / "run-later")


@pytest.mark.slow
def test_a_later_run_of_another_judge_is_refused(few_pictures: Path) -> None:
    shutil.copytree(few_pictures / "run-before", "run")
    shutil.copytree(few_pictures / "run-later", "later")
    done("watch", "run", "--start", "--pairs", 20)
    info = formats.read_json(Path("later/run.json"), RunInfo)
    formats.write_json(Path("later/run.json"), msgspec.structs.replace(info, judge="planted:noisy"))
    assert "was judged by planted:noisy, not by planted:oracle" in fails("watch", "run", "later")
    assert not Path("run/watch/again").exists()


@pytest.mark.slow
def test_the_pictures_are_judged_again_for_each_later_run(pictures: Path) -> None:
    shutil.copytree(pictures / "run-before", "run")
    for when in ("may", "june"):
        shutil.copytree(pictures / "run-later", Path(when) / "run")
    done("watch", "run", "--start", "--pairs", 60)
    calls = [document("watch", "run", f"{when}/run", code=1)["calls"] for when in ("may", "june")]
    assert calls == [1480, 2960]  # each look 40 about pairs and 1,440 about pictures


@pytest.mark.slow
def test_a_look_stopped_at_its_pictures_asks_no_further_pairs(pictures: Path) -> None:
    shutil.copytree(pictures / "run-before", "run")
    done("watch", "run", "--start", "--pairs", 60)
    for limit in (60, 1000, 2000):
        result = call("watch", "run", pictures / "run-later", "--max-calls", limit, "--json")
        found = json.loads(result.stdout)
        assert found["overall"]["pairs"] == 20
    assert (found["calls"], found["verdict"]) == (1480, "changed")


def test_a_look_repeats_questions_as_often_as_its_run() -> None:
    done("probe", "smoke", "--judge", "planted:oracle", "--repeats", 3, "--limit", 16, "--out", "r")
    assert "a bank of 8 pairs, 48 of 48 questions" in done("watch", "r", "--start", "--pairs", 8)
    assert "8 of 8 pairs of the bank compared, 48 calls" in done("watch", "r")


@pytest.mark.slow
@pytest.mark.usefixtures("bank")
def test_a_change_shown_in_a_cell_is_remembered() -> None:
    cell, *_ = look(YesSayer(0.02, 2)).cells
    was = formats.read_json(Path("mine/watch/watch.json"), WatchDocument)
    shown = msgspec.structs.replace(was.cells[cell], verdict="changed")
    formats.write_json(Path("mine/watch/watch.json"), msgspec.structs.replace(was, cells={**was.cells, cell: shown}))
    found = look(YesSayer(0.02, 3))
    assert (found.cells[cell].verdict, found.what) == ("changed", "judge")


@pytest.mark.slow
def test_a_judge_that_has_changed_judges_no_pictures(few_pictures: Path) -> None:
    done("validate", "planted:oracle", "--for", "certify=spatial", "--out", "v")
    certificate, images = Path("v/certificate-standard.json"), few_pictures / "before" / "good"
    done("watch", certificate, "--start", "--pairs", 100)

    class ChangedOracle(YesSayer):
        name = "planted:oracle"

    with pytest.raises(InputError, match="planted:oracle: has changed since its test"):
        cb.t2i_judge(images, ChangedOracle(0.9, 1), "judged", certificate=certificate, uncertified=True)
    assert not Path("judged").exists()


@pytest.mark.slow
def test_looks_before_and_after_pictures_count_as_calls(pictures: Path) -> None:
    done("validate", "planted:oracle", "--for", "certify=spatial", "--out", "v")
    certificate, images = "v/certificate-standard.json", pictures / "before" / "good"
    done("watch", certificate, "--start", "--pairs", 100)
    judge = ("t2i", "judge", images, "--judge", "planted:oracle", "--certificate", certificate, "--uncertified")
    for limit, code, calls in ((("--max-calls", 40), 3, (40, 0)), ((), 0, (120, 480)), ((), 0, (120, 480))):
        done(*judge, "--out", "judged", *limit, code=code)
        assert tuple(map(len, map(ids_asked, ("v/watch/again", "judged")))) == calls


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_and_judge(tmp_path_factory.mktemp("pictures"), 40)


@pytest.fixture(scope="module")
def few_pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return draw_and_judge(tmp_path_factory.mktemp("few"), 8)


def draw_and_judge(folder: Path, groups: int) -> Path:
    """Three models' pictures and later ones of which one model draws worse; judged by a right judge."""
    prompts = checklist([prompt(f"g{i:02}", *(Check(id=f"q{k}", text=f"Is part {k} right?") for k in range(3)))
                         for i in range(groups)])  # fmt: skip
    for when, rates in (("before", CARDS), ("later", CARDS | {"good": 0.4})):
        cards = {name: CardGenerator(f"card?rate={rate}", prompts) for name, rate in rates.items()}
        made = [generate_images(prompts, card, folder / when, limits=QUICK, name=name) for name, card in cards.items()]
        judged([made_images.images for made_images in made], folder / f"run-{when}")
    return folder


@pytest.mark.slow
def test_a_swap_on_pictures_shows_scores_order_and_crosswalk(pictures: Path) -> None:
    found = document("swap", "planted:oracle", "planted:yes-bias?p=0.3", "--for", pictures / "run-before", code=1)
    ranking = found["ranking"]
    assert len(ranking["models"]) == 3
    for model in ranking["models"]:
        assert model["difference"]["value"] == pytest.approx(model["new"]["value"] - model["old"]["value"])
    assert ranking["models"][2]["difference"]["low"] > 0  # it says yes to more
    assert ranking["agreement"]["answers"]["only_second"] > 0 == ranking["agreement"]["answers"]["only_first"]
    old_scores = [model["old"]["value"] for model in ranking["models"]]
    places = [place["old"] for place in ranking["crosswalk"]]
    assert not places or (min(places), max(places)) == pytest.approx((min(old_scores), max(old_scores)))
    for place in ranking["crosswalk"]:
        assert place["new"]["low"] <= place["new"]["value"] <= place["new"]["high"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("slip", "what"), [(0.0, {"good": "model", "bad": ""}), (0.4, {"good": "judge", "bad": "judge"})]
)
def test_a_moved_score_is_attributed_to_judge_or_model(slip: float, what: dict[str, str], pictures: Path) -> None:
    """Today's judge has the name of the one that judged before, and turns answers at a rate."""
    truth = {key.id: key.expected for key in read_keys(pictures / "run-before")}
    shutil.copytree(pictures / "run-before", "run")

    class TurningOracle(YesSayer):
        name = "planted:oracle"

        async def answer(self, batch: Sequence[Query]) -> list[Reply]:
            return [
                Reply(text=self._turned(truth[query.id]))
                if query.id in truth
                else (await super(TurningOracle, self).answer([query]))[0]
                for query in batch
            ]

        def _turned(self, answer: str) -> str:
            return {"yes": "no", "no": "yes"}[answer] if self._chance.random() < slip else answer

    cb.watch("run", start=True, judge=TurningOracle(0, 1), pairs=20)
    found = cb.watch("run", pictures / "run-later", judge=TurningOracle(0, 2), pairs=20)
    assert {model.model: model.what for model in found.models if model.model != "middling"} == what
    assert (found.verdict, found.what) == ("changed", "model" if not slip else "judge")


@pytest.mark.slow
def test_max_cost_covers_pairs_and_pictures_together(few_pictures: Path) -> None:
    class Dear(YesSayer):
        async def answer(self, batch: Sequence[Query]) -> list[Reply]:
            return [msgspec.structs.replace(reply, cost=0.01) for reply in await super().answer(batch)]

    new = Dear(1.0, 1)
    found = cb.swap("planted:oracle", new, str(few_pictures / "run-before"), limits=Limits(max_cost=2))
    assert (found.verdict, found.ranking) == ("changed", None)
    assert found.stopped.startswith("the limit of 2 USD")
    assert sum(len(ids_asked(f"{found.run}/{part}")) for part in ("new", "pictures")) <= 200
