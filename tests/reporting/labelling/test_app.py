"""The page's server: questions in their order, answers on disk before the reply, and nothing that it need not tell."""

import io
import os
import re
from pathlib import Path

import pytest
from PIL import Image
from reporting.labelling.served import FITS, HOST, MISFITS, SECRET, Page, labelling, lines

from counterbench.drawing.png import pixel_digest
from counterbench.errors import InputError
from counterbench.reporting.labelling.guard import Access
from counterbench.t2i.judging.results import load_models
from counterbench.t2i.labelling.pairs import model_pairs
from counterbench.t2i.labelling.sample import read_sample
from counterbench.t2i.labelling.units import Question

ORIGIN = {"Origin": f"http://{HOST}"}
NAMES = re.compile(r"flux|sdxl|g[01]/image|planted|\.png", re.IGNORECASE)


def sampled(run: Path) -> list[Question]:
    return [question for unit in read_sample(run) or () for question in unit.questions]


def test_questions_come_in_the_sample_s_order_and_none_twice(cards: Path) -> None:
    page, order, asked = Page(labelling(cards)), [of.id for of in sampled(cards)], []
    while (state := page.next())["question"] is not None:
        assert (state["done"], state["total"]) == (len(asked), len(order))
        assert state["then"] == order[len(asked) + 1 : len(asked) + 2]
        asked.append(state["question"]["id"])
        reply = page.answer(asked[-1], "?")
        assert lines(cards)[-1]["label"] == "?"
        assert reply.json() == page.next()
    assert asked == order
    assert (state["done"], state["last"]) == (len(order), order[-1])
    assert Page(labelling(cards), "bob").next()["question"]["id"] == order[0]


def test_nothing_that_is_sent_names_a_model_a_file_or_a_judge(cards: Path) -> None:
    page = Page(labelling(cards))
    sent = [page.client.get(path) for path in ("/", page.at, f"{page.at}/next", "/page.js", "/page.css")]
    sent += [page.answer(id, "?") for id in page.ids]
    for reply in sent:
        assert reply.status_code == 200
        assert not NAMES.search(reply.text)
        assert not NAMES.search(str(reply.headers))


def test_a_picture_is_its_pixels_alone(cards: Path) -> None:
    page, models = Page(labelling(cards)), load_models(cards)
    digests = {(of.kept.model.name, row.id): row.picture_digest for of in models for row in of.kept.samples}
    folder = Path(models[0].kept.model.images)
    assert SECRET.encode() in next(folder.rglob("*.png")).read_bytes()
    for of in sampled(cards):
        reply = page.client.get(f"/picture/{of.id}")
        assert (reply.headers["content-type"], reply.headers["cache-control"]) == ("image/png", "no-store")
        assert SECRET.encode() not in reply.content
        assert b"eXIf" not in reply.content
        shown = Image.open(io.BytesIO(reply.content))
        assert (shown.info, pixel_digest(shown)) == ({}, digests[of.model, of.sample])


def test_nothing_but_pictures_is_served(cards: Path) -> None:
    page = Page(labelling(cards))
    for path in ("picture/none", "picture/..%2f..%2fjournal.jsonl", "journal.jsonl", "..%2frun.json", "by", "x/y"):
        assert page.client.get(f"/{path}").status_code == 404
    assert page.client.put(f"/picture/{page.ids[0]}", content=b"x", headers=ORIGIN).status_code == 405


def test_a_picture_that_cannot_be_read_is_told_without_its_name(cards: Path, tmp_path: Path) -> None:
    of = labelling(cards)
    id, (_, row) = next(iter(of.pictures.items()))
    (tmp_path / row.path).parent.mkdir(parents=True)
    (tmp_path / row.path).write_bytes(b"no picture")
    of.pictures[id] = (tmp_path, row)  # type: ignore[index]
    reply = Page(of).client.get(f"/picture/{id}")
    assert (reply.status_code, reply.text) == (410, "this picture cannot be read")


@pytest.mark.parametrize("check", FITS)
def test_answers_of_every_kind(cards: Path, check: str) -> None:
    of = labelling(cards)
    page = Page(of)
    id = next(question.id for question in sampled(cards) if question.check == check)
    for label in (*FITS[check], "?"):
        assert page.answer(id, label).status_code == 200
        assert lines(cards)[-1]["label"] == label
    written = lines(cards)
    for label in MISFITS[check]:
        reply = page.answer(id, label)
        assert reply.status_code == 400
        assert "is no answer" in reply.text
    assert lines(cards) == written
    keys = [key for button in of.questions[id].form.buttons for key in button.keys]
    assert len(set(keys)) == len(keys)
    assert "u" not in keys


def test_an_answer_is_on_disk_before_the_reply(cards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = Page(labelling(cards))
    first, synced = page.next()["question"]["id"], []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(lines(cards)))
    page.answer(first, "?")
    assert [(line["id"], line["label"]) for line in synced[-1]] == [(first, "?")]

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    second = page.next()["question"]["id"]
    reply = page.answer(second, "?")
    assert (reply.status_code, reply.text) == (500, "the answer could not be written")
    assert page.next()["question"]["id"] == second


def test_undo_brings_the_last_one_back_also_after_a_restart(cards: Path) -> None:
    page = Page(labelling(cards))
    ids = page.ids
    for id in ids[:3]:
        page.answer(id, "?")
    for again, id, after in ((page, ids[2], ids[3]), (Page(labelling(cards)), ids[1], ids[2])):
        assert again.next()["last"] == id
        state = again.post("undo", {"id": id}).json()
        assert (state["question"]["id"], state["was"], state["then"]) == (id, "?", [after])
    assert Page(labelling(cards)).next()["done"] == 1


def test_what_is_sent_again_is_written_once(cards: Path) -> None:
    page = Page(labelling(cards))
    first = page.ids[0]
    replies = [page.answer(first, "?").json() for _ in range(2)]
    assert replies[0] == replies[1]
    assert len(lines(cards)) == 1
    undone = [page.post("undo", {"id": first}).json() for _ in range(2)]
    assert undone[0]["question"] == undone[1]["question"]
    assert [line["label"] for line in lines(cards)] == ["?", ""]


@pytest.mark.parametrize(
    "sent", [b"", b"[]", b'{"id":1}', b'{"id":"x","label":"yes"}', b'{"id":"x","more":1}', b"\xff"]
)
def test_what_is_no_answer_is_refused(cards: Path, sent: bytes) -> None:
    page = Page(labelling(cards))
    for to in ("answer", "undo"):
        assert page.client.post(f"{page.at}/{to}", content=sent, headers=ORIGIN).status_code == 400
    assert lines(cards) == []


def test_the_first_page_asks_for_a_name(cards: Path) -> None:
    page = Page(labelling(cards))
    assert page.client.get("/?rater=ann").headers["location"] == "/by/ann"
    for name in ("../x", "a b", "x" * 41, "<b>"):
        reply = page.client.get("/", params={"rater": name})
        assert reply.status_code == 400
        assert "cannot be a rater" in reply.text
        assert "<b>" not in reply.text
        assert page.client.get(f"/by/{name}/next").status_code in (400, 404)


# --- who may ask --------------------------------------------------------------------------------------------------


def test_another_host_is_turned_away(cards: Path) -> None:
    page = Page(labelling(cards))
    for host in ("evil.example", "evil.example:8765", "127.0.0.1.evil.example", "10.0.0.7", "", "[x", "localhost:x"):
        assert page.client.get("/", headers={"Host": host}).status_code == 403


def test_an_answer_from_another_page_is_turned_away(cards: Path) -> None:
    page = Page(labelling(cards))
    sent = {"id": page.ids[0], "label": "?"}
    for origin in ("http://evil.example", "null", "http://127.0.0.1:8766", "http://localhost:8765", ""):
        assert page.post("answer", sent, Origin=origin).status_code == 403
    assert page.client.post(f"{page.at}/answer", json=sent).status_code == 403
    assert page.post("answer", sent | {"label": "x" * 20_000}).status_code == 413
    assert lines(cards) == []
    assert page.post("answer", sent, Host="localhost:1", Origin="http://localhost:1").status_code == 200


def test_every_reply_has_the_headers_of_safety(cards: Path) -> None:
    page = Page(labelling(cards))
    for path, headers in (("/", {}), ("/none", {}), ("/", {"Host": "evil.example"})):
        reply = page.client.get(path, headers=headers)
        assert reply.headers["content-security-policy"].startswith("default-src 'self';")
        assert reply.headers["x-content-type-options"] == "nosniff"
        assert reply.headers["cache-control"] == "no-store"


def test_beyond_loopback_a_token_becomes_a_cookie(cards: Path) -> None:
    page = Page(labelling(cards), host="192.0.2.7")
    client, token = page.client, page.access.token
    client.base_url = "http://192.0.2.7:8765"  # type: ignore[assignment]
    wrong = (f"?token={word}" for word in ("", "é", f"{token}x"))
    for path in ("", page.at, f"picture/{page.ids[0]}", "page.js", *wrong):
        assert client.get(f"/{path.lstrip('/')}").status_code == 403
    reply = client.get(f"/?token={token}")
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert client.get(page.at).status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403
    assert Access("192.0.2.7").token != token


def test_hosts_that_are_known() -> None:
    own, every, loopback = Access("box.local"), Access("0.0.0.0"), Access("::1")
    assert [own.knows(host) for host in ("box.local:8765", "localhost", "192.0.2.7", "evil.example")] == [1, 1, 0, 0]
    assert [every.knows(host) for host in ("192.0.2.7:1", "[2001:db8::1]:1", "evil.example")] == [1, 1, 0]
    assert (loopback.knows("[::1]:8765"), loopback.token) == (True, "")
    assert own.token
    assert every.token


# --- pairs --------------------------------------------------------------------------------------------------------


def test_pairs_take_turns_among_prompts_and_show_each_model_on_its_side(laws: Path) -> None:
    of = labelling(laws, pairs=True)
    page = Page(of)
    assert list(of.questions) == list(labelling(laws, pairs=True).questions)
    pairs = model_pairs(load_models(laws)).values()
    assert len({pair.first for pair in pairs}) == 2  # each model on either side
    prompts = [pair.sample.rpartition("/")[0] for pair in pairs]
    assert len(set(prompts[: len(prompts) // 2])) == len(prompts) // 2
    rows = {run.kept.model.name: {row.id: row for row in run.kept.samples} for run in load_models(laws)}
    for label in ("first", "second", "equal"):
        question = page.next()["question"]
        assert not re.search("literal|noisy", str(question))
        shown = (page.client.get(f"/picture/{id}").content for id in question["pictures"])
        page.answer(question["id"], label)
        line = lines(laws, begins="pairs")[-1]
        assert (line["id"], line["label"]) == (question["id"], label)
        pair = model_pairs(load_models(laws))[question["id"]]
        expected = [rows[model][pair.sample].picture_digest for model in (pair.first, pair.second)]
        assert [pixel_digest(Image.open(io.BytesIO(data))) for data in shown] == expected
    assert page.answer(page.next()["question"]["id"], "yes").status_code == 400
    assert page.post("undo", {"id": line["id"]}).json()["was"] == "equal"


def test_pairs_need_two_models(cards: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reporting.labelling.served.load_models", lambda run: load_models(run)[:1])
    with pytest.raises(InputError, match="no prompt has pictures of two models"):
        labelling(cards, pairs=True)
