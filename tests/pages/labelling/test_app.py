"""The page's server: questions in their order, answers on disk before the reply, and nothing that it need not tell."""

import io
import os
import re
import socket
from pathlib import Path

import pytest
from commands import fails
from pages.labelling.served import FITS, HOST, MISFITS, SECRET, Page, open_labelling, rater_lines, sampled, serving
from PIL import Image

from counterbench.drawing.picture import Picture
from counterbench.drawing.png import pixel_digest
from counterbench.errors import InputError
from counterbench.pictures.judging.judged_run import load_models
from counterbench.pictures.labelling.pairs import model_pairs

ORIGIN = {"Origin": f"http://{HOST}"}
NAMES = re.compile(r"flux|sdxl|literal|noisy|g[01]/image|planted|\.png", re.IGNORECASE)


@pytest.fixture
def page(card_run: Path) -> Page:
    return Page(open_labelling(card_run))


def test_questions_come_in_order_without_names_of_model_file_or_judge(page: Page, card_run: Path) -> None:
    order, asked_ids = [question.id for question in sampled(card_run)], []
    replies = [page.client.get(path) for path in ("/", page.at, "/page.js", "/page.css")]
    while (state := page.next())["question"] is not None:
        assert (state["done"], state["total"]) == (len(asked_ids), len(order))
        assert state["then"] == order[len(asked_ids) + 1 : len(asked_ids) + 2]
        asked_ids.append(state["question"]["id"])
        replies.append(page.answer(asked_ids[-1], "?"))
        assert replies[-1].json() == page.next()
    assert asked_ids == order == [line["id"] for line in rater_lines(card_run)]
    for reply in replies:
        assert reply.status_code == 200
        assert not NAMES.search(f"{reply.text} {reply.headers}")
    assert Page(open_labelling(card_run), "bob").next()["question"]["id"] == order[0]


def test_only_pictures_are_served_and_only_as_pixels(page: Page, card_run: Path) -> None:
    models = load_models(card_run)
    digests = {(run.kept.model.name, row.id): row.picture_digest for run in models for row in run.kept.samples}
    files = sorted(Path(models[0].kept.model.images).rglob("*.png"))
    assert SECRET.encode() in files[0].read_bytes()
    for question in sampled(card_run):
        reply = page.client.get(f"/picture/{question.id}")
        shown = Image.open(io.BytesIO(reply.content))
        assert (shown.info, pixel_digest(shown)) == ({}, digests[question.model, question.sample])
        assert not re.search(SECRET.encode() + b"|eXIf", reply.content)
    for path in ("picture/none", "picture/..%2f..%2fjournal.jsonl", "journal.jsonl", "..%2frun.json", "by", "x/y"):
        assert page.client.get(f"/{path}").status_code == 404


def test_an_unreadable_picture_is_reported_without_its_name(card_run: Path, tmp_path: Path) -> None:
    shown_run = open_labelling(card_run)
    id = next(iter(shown_run.pictures))
    shown_run.pictures[id] = Picture.from_file(tmp_path / "no.png")  # type: ignore[index]
    reply = Page(shown_run).client.get(f"/picture/{id}")
    assert (reply.status_code, reply.text) == (410, "this picture cannot be read")


@pytest.mark.parametrize("check", FITS)
def test_every_kind_of_answer_is_checked_and_stored(page: Page, card_run: Path, check: str) -> None:
    id = next(question.id for question in sampled(card_run) if question.check == check)
    for label in (*FITS[check], "?"):
        assert page.answer(id, label).status_code == 200
        assert rater_lines(card_run)[-1]["label"] == label
    written = rater_lines(card_run)
    for label in MISFITS[check]:
        reply = page.answer(id, label)
        assert reply.status_code == 400
        assert "is no answer" in reply.text
    assert rater_lines(card_run) == written


def test_an_answer_is_on_disk_before_the_reply(page: Page, card_run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    synced = []
    monkeypatch.setattr(os, "fsync", lambda file: synced.append(rater_lines(card_run)))
    page.answer(page.ids[0], "?")
    assert [(line["id"], line["label"]) for line in synced[-1]] == [(page.ids[0], "?")]

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    reply = page.answer(page.ids[1], "?")
    assert (reply.status_code, reply.text) == (500, "the answer could not be written")
    assert page.next()["question"]["id"] == page.ids[1]


def test_undo_brings_the_last_question_back_also_after_a_restart(page: Page, card_run: Path) -> None:
    ids = page.ids
    for id in ids[:3]:
        page.answer(id, "?")
    for again, id, after in ((page, ids[2], ids[3]), (Page(open_labelling(card_run)), ids[1], ids[2])):
        assert again.next()["last"] == id
        state = again.post("undo", {"id": id}).json()
        assert (state["question"]["id"], state["was"], state["then"]) == (id, "?", [after])
    assert Page(open_labelling(card_run)).next()["done"] == 1


@pytest.mark.parametrize("sent", [b"", b'{"id":1}', b'{"id":"x","label":"yes"}', b"\xff", b" " * 20_000])
def test_a_malformed_request_is_refused(page: Page, card_run: Path, sent: bytes) -> None:
    for to in ("answer", "undo"):
        assert page.client.post(f"{page.at}/{to}", content=sent, headers=ORIGIN).status_code in (400, 413)
    assert rater_lines(card_run) == []


def test_the_first_page_asks_for_a_name(page: Page) -> None:
    assert page.client.get("/?rater=ann").headers["location"] == "/by/ann"
    for name in ("../x", "<b>"):
        reply = page.client.get("/", params={"rater": name})
        assert reply.status_code == 400
        assert "cannot be a rater" in reply.text
        assert "<b>" not in reply.text
        assert page.client.get(f"/by/{name}/next").status_code in (400, 404)


def test_requests_of_another_host_or_page_are_refused(page: Page, card_run: Path) -> None:
    every = Page(open_labelling(card_run), host="0.0.0.0")
    for host in ("evil.example", "127.0.0.1.evil.example:8765", "10.0.0.7", "", "localhost:x"):
        reply = page.client.get("/", headers={"Host": host})
        assert reply.status_code == 403
        assert reply.headers["content-security-policy"].startswith("default-src 'self';")
    for host, status in (("10.0.0.7:1", 303), ("evil.example", 403), ("", 403)):
        assert every.client.get(f"/?token={every.guard.token}", headers={"Host": host}).status_code == status
    sent = {"id": page.ids[0], "label": "?"}
    for origin in ("http://evil.example", "null", "http://127.0.0.1:8766", ""):
        assert page.post("answer", sent, Origin=origin).status_code == 403
    assert page.client.post(f"{page.at}/answer", json=sent).status_code == 403
    assert rater_lines(card_run) == []
    assert page.post("answer", sent, Host="localhost:1", Origin="http://localhost:1").status_code == 200


def test_beyond_loopback_a_token_becomes_a_cookie(card_run: Path) -> None:
    page = Page(open_labelling(card_run), host="192.0.2.7")
    client, token = page.client, page.guard.token
    client.base_url = "http://192.0.2.7:8765"  # type: ignore[assignment]
    wrong = (f"?token={word}" for word in ("", "é", f"{token}x"))
    for path in ("", page.at, f"picture/{page.ids[0]}", "page.js", *wrong):
        assert client.get(f"/{path.lstrip('/')}").status_code == 403
    reply = client.get(f"/?token={token}")
    assert (reply.status_code, reply.headers["location"]) == (303, "/")
    assert "httponly" in reply.headers["set-cookie"].lower()
    assert client.get(page.at).status_code == 200
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 403


def test_pairs_alternate_between_prompts_and_show_each_model_on_its_side(law_run: Path) -> None:
    page, models = Page(open_labelling(law_run, pairs=True)), load_models(law_run)
    pairs = model_pairs(models)
    assert len({pair.first for pair in pairs.values()}) == 2  # each model on either side
    prompts = [pair.sample.rpartition("/")[0] for pair in pairs.values()]
    assert len(set(prompts[: len(prompts) // 2])) == len(prompts) // 2
    rows = {run.kept.model.name: {row.id: row for row in run.kept.samples} for run in models}
    for label in ("first", "second", "equal"):
        question = page.next()["question"]
        assert not NAMES.search(str(question))
        shown = (page.client.get(f"/picture/{id}").content for id in question["pictures"])
        pair = pairs[question["id"]]
        expected = [rows[model][pair.sample].picture_digest for model in (pair.first, pair.second)]
        assert [pixel_digest(Image.open(io.BytesIO(data))) for data in shown] == expected
        page.answer(question["id"], label)
    assert [line["label"] for line in rater_lines(law_run, begins="pairs")] == ["first", "second", "equal"]
    assert page.answer(page.next()["question"]["id"], "yes").status_code == 400
    with pytest.raises(InputError, match="no prompt has pictures of two models"):
        model_pairs(models[:1])


def test_a_chunked_body_is_refused_unread(card_run: Path) -> None:
    known = "content-length: 40\r\n"
    with serving(card_run) as (address, _):
        host = address.removeprefix("http://").strip("/")
        name, _, port = host.partition(":")
        for begins, length in (("POST /by/ann/answer", known), ("GET /by/ann/next", known), ("GET /by/ann/next", "")):
            head = f"{begins} HTTP/1.1\r\n{length}transfer-encoding: chunked\r\nhost: {host}\r\norigin: http://{host}"
            with socket.create_connection((name, int(port)), timeout=30) as to_page:
                to_page.sendall(f"{head}\r\n\r\nffff\r\n".encode() + b" " * 0xFFFF)
                assert to_page.recv(1000).startswith(b"HTTP/1.1 413 "), (begins, length)


@pytest.mark.slow
def test_a_second_page_of_a_run_is_told_which_process_serves_it(card_run: Path, tmp_path: Path) -> None:
    file = tmp_path / "given.csv"
    file.write_text("sample,check,label,rater\ng0/image/0,red,yes,bob\n")
    with serving(card_run) as (_, first):
        for option in (("--port", 0), ("--import", file)):
            assert f"labels: is in use by process {first.pid} on " in fails("label", card_run, *option)
    with serving(card_run):
        pass
