"""`openai:` generators against a server on loopback: what is asked, what comes back, and every way it goes wrong."""

import asyncio
import base64
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from loopback import (
    HTML,
    MODERATED,
    Asked,
    CloseEarly,
    Draw,
    LoopbackServer,
    Raw,
    Reset,
    Status,
    after,
    by_attempt,
    error,
    every,
    refuse,
    refusing,
    where,
)
from loopback.images import picture_for
from pictures.drawn import QUICK, files, prompt_set

from counterbench.asking.asker import Limits
from counterbench.drawing import reading
from counterbench.errors import InputError, JudgeError
from counterbench.pictures.generation.generate import Generated, generate_images
from counterbench.pictures.generators import Drawing, open_generator
from counterbench.pictures.generators.openai_images import OpenAIImages
from counterbench.runs.folder import read_journal
from counterbench.testing import check_generator, sample_requests

pytestmark = pytest.mark.slow

KEY = "sk-loopback-1234567890"
ONE = prompt_set(1)
ONE_AT_A_TIME = Limits(concurrency=1, backoff=0.01)


@pytest.fixture(autouse=True)
def no_account(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def generator_at(server: LoopbackServer, options: str = "") -> OpenAIImages:
    opened = open_generator("openai:m" + (f"?{options}" if options else ""), ONE, base_url=server.url)
    assert isinstance(opened, OpenAIImages)
    return opened


def draw_samples(server: LoopbackServer, options: str = "", count: int = 1) -> Sequence[Drawing]:
    generator = generator_at(server, options)

    async def all_of() -> list[Drawing]:
        found: list[Drawing] = []
        for request in sample_requests(count):
            found += await generator.draw([request])
        await generator.close()
        return found

    return asyncio.run(all_of())


def draw_from(server: LoopbackServer, out: Path, options: str = "", limits: Limits = QUICK, **more: Any) -> Generated:
    generator = generator_at(server, options)
    return generate_images(more.pop("prompts", ONE), generator, out, **({"samples": 2} | more), limits=limits)


def at_l2(fault: Any) -> Any:
    """A script: the fault for each prompt at L2, and pictures for the others."""
    return where(lambda request: "l2" in request.body["prompt"], fault, Draw())


def bodies(server: LoopbackServer) -> list[dict[str, Any]]:
    return [entry.asked.body for entry in server.questions]


def test_the_request_has_prompt_seed_and_options(tmp_path: Path) -> None:
    with LoopbackServer(Draw()) as server:
        draw_samples(server, "size=512x512&quality=low")
        request = sample_requests(1)[0]
        own = {"prompt": request.text, "seed": request.seed, "size": "512x512", "quality": "low"}
        assert bodies(server) == [own | {"model": "m", "n": 1, "response_format": "b64_json"}]
        assert server.questions[0].asked.path == "/v1/images/generations"


@pytest.mark.parametrize("form", ["b64", "url", "data"])
def test_every_picture_is_the_one_of_its_prompt_and_seed(tmp_path: Path, form: Any) -> None:
    with LoopbackServer(Draw(form=form, delay=0.01)) as server:
        made = draw_from(server, tmp_path, prompts=prompt_set(3))
    assert made.images.counts == {"ok": 18}
    for row in made.images.rows:
        assert row.picture_digest == reading.normalised(picture_for(row.prompt, row.seed)).digest


def test_the_openai_generator_conforms() -> None:
    with LoopbackServer(Draw()) as server:
        check_generator(lambda: generator_at(server))


def test_model_revised_prompt_and_cost_are_recorded(tmp_path: Path) -> None:
    reply = Draw(model="m-2026", revised="A nicer ball.", usage=(20, 300), cost=0.04)
    with LoopbackServer(reply) as server:
        row = draw_from(server, tmp_path, samples=1).images.rows[0]
        assert (row.model, row.revised, row.cost) == ("m-2026", "A nicer ball.", 0.04)
        assert draw_samples(server, "price=0.25")[0].cost == 0.04, "what the server says comes first"
    with LoopbackServer(Draw(usage=(20, 300))) as server:
        assert draw_samples(server, "price=0.25")[0].cost == 0.25
        assert draw_samples(server, "price_in=1&price_out=10")[0].cost == pytest.approx((20 + 3000) / 1e6)


def test_refused_parameters_are_learnt_once(tmp_path: Path) -> None:
    script = refusing(
        "response_format", "seed", otherwise=Draw(form="url"), saying=lambda name: refuse(name, "unknown_parameter")
    )
    with LoopbackServer(script) as server:
        made = draw_from(server, tmp_path, limits=ONE_AT_A_TIME)
        assert made.images.counts == {"ok": 6}
        assert len(bodies(server)) == 6 + 2
        assert bodies(server)[-1].keys() == {"model", "prompt", "n"}
    assert {r.dropped for r in read_journal(made.images.path / "journal.jsonl")} == {("response_format", "seed")}


def test_a_prompt_about_seeds_does_not_drop_the_seed_parameter(tmp_path: Path) -> None:
    """A server repeats the prompt in its error: the word in it names no parameter."""
    seeds = prompt_set(["seed"], ["l1"])
    refused = Status(400, error("Cannot draw 'Draw seed by l1.' today", "invalid_request_error"))
    with LoopbackServer(refused) as server, pytest.raises(JudgeError, match="Cannot draw"):
        draw_from(server, tmp_path, prompts=seeds, samples=1)
    assert len(server.questions) == 1


@pytest.mark.parametrize(
    "refusal",
    [
        MODERATED,
        Status(400, error("Your prompt may contain text that is not allowed by our safety system.", "user_error")),
        Status(400, error("The response was filtered", "user_error", "prompt", "contentFilter")),
        Raw('{"error": {"code": 400, "message": "flagged by content moderation"}}'),
        Raw('{"data": [{"finish_reason": "content_filter"}]}'),
        Raw(
            '{"data": [{"url": null, "prompt_filter_results": [{"content_filter_results": {"": {"filtered": true}}}]}]}'
        ),
        Status(403, {"detail": "Blocked by our guardrails."}),
    ],
)
def test_a_refusal_is_an_outcome_and_no_failure(tmp_path: Path, refusal: Any) -> None:
    with LoopbackServer(at_l2(refusal)) as server:
        made = draw_from(server, tmp_path)
        assert made.progress.complete
        assert made.images.counts == {"ok": 4, "refused": 2}
        assert len(server.questions) == 6  # asked once, and never again
        assert [row for row in made.images.rows if row.status == "refused" and not row.message] == []
        draw_from(server, tmp_path)
        assert len(server.questions) == 6


def not_allowed(message: str) -> Status:
    return Status(400, error(message, "invalid_request_error"))


@pytest.mark.parametrize(
    ("fault", "why"),
    [
        (refuse("size", message="Invalid value: '9x9'."), r"Invalid value: '9x9'.*; check.*\(size, quality, body\)"),
        (not_allowed("Extra inputs are not permitted: moderation"), "moderation.*; check that the model draws"),
        (not_allowed("moderation 'none' is not allowed"), "moderation.*; check that the model draws"),
    ],
)
def test_a_400_about_the_users_options_ends_the_run_without_dropping_any(tmp_path: Path, fault: Any, why: str) -> None:
    with LoopbackServer(fault) as server:
        options = {"base_url": server.url, "size": "9x9", "body": {"moderation": "none"}}
        with pytest.raises(JudgeError, match=why):
            generate_images(ONE, OpenAIImages("m", options), tmp_path, samples=2, limits=ONE_AT_A_TIME)
        assert len(server.questions) == 3


PAGE = "<html><body>Blocked. Our content moderation and guardrails: see the content policy.</body></html>"


def test_a_firewalls_page_is_not_taken_for_a_refusal(tmp_path: Path) -> None:
    """Before anything was drawn it ends the run; after that, the prompts that it blocks are failures."""
    wall = Status(403, PAGE)
    with LoopbackServer(wall) as server, pytest.raises(JudgeError, match="answered 403"):
        draw_from(server, tmp_path / "a")
    with LoopbackServer(at_l2(wall)) as server:
        made = draw_from(server, tmp_path / "b", limits=ONE_AT_A_TIME)
    assert made.images.counts == {"ok": 4, "missing": 2}


@pytest.mark.parametrize(
    "fault",
    [
        CloseEarly(after_bytes=30, of=Draw()),
        HTML,
        Raw('{"data": [{"b64_json": "@@@"}]}'),
        # Words of moderation alone are no refusal.
        Raw('{"data": [], "content_filter_results": {"hate": {"filtered": false, "severity": "safe"}}}'),
        Raw(PAGE, "text/html"),
        Raw('{"error": {"code": 503, "message": "the content filter is unavailable"}}'),
    ],
    ids=lambda fault: type(fault).__name__ + str(getattr(fault, "status", "")),
)
def test_passing_faults_are_retried_and_each_picture_fits_its_prompt(tmp_path: Path, fault: Any) -> None:
    with LoopbackServer(every(3, fault, Draw())) as server:
        made = draw_from(server, tmp_path, limits=Limits(concurrency=2, backoff=0.01))
    assert made.images.counts == {"ok": 6}
    assert made.progress.retried
    for row in made.images.rows:
        assert row.picture_digest == reading.normalised(picture_for(row.prompt, row.seed)).digest


def test_a_picture_that_was_paid_for_is_fetched_again_before_it_is_drawn_again() -> None:
    with LoopbackServer() as server:
        server.script = lambda request: Draw(url=server.url.replace("/v1", "/p.png"))
        server.files["/p.png"] = Reset(after_bytes=5, of=Raw(picture_for("a", 1), "image/png"))
        found = draw_samples(server, "price=2")[0]
        assert found.failure is not None
        assert found.retry is not None
        assert found.cost == 2
        assert len(server.questions) == 1
        assert sum(entry.asked.path == "/p.png" for entry in server.log) == 3


def test_a_key_goes_to_the_api_alone_and_into_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DRAWING_KEY", KEY)
    leak = Status(500, error(f"Incorrect key {KEY}", "server_error"))
    with LoopbackServer(by_attempt([leak, Draw(form="url", revised=f"with {KEY}")])) as server:
        made = generate_images(ONE, generator_at(server, "key_env=DRAWING_KEY"), tmp_path, samples=1, limits=QUICK)
        sent = {entry.asked.path: entry.asked.headers.get("authorization", "") for entry in server.log}
    assert made.images.counts == {"ok": 3}
    assert sent.pop("/v1/images/generations") == f"Bearer {KEY}"
    assert set(sent.values()) == {""}  # the pictures' addresses
    for name in files(tmp_path):
        assert KEY.encode() not in (tmp_path / name).read_bytes()


def test_a_prompt_that_the_server_rejects_does_not_end_the_run(tmp_path: Path) -> None:
    too_long = Status(400, error("prompt is too long", "invalid_request_error", "prompt"))
    with LoopbackServer(after(1, at_l2(too_long), Draw())) as server:
        made = draw_from(server, tmp_path, limits=ONE_AT_A_TIME)
        again = draw_from(server, tmp_path, limits=ONE_AT_A_TIME)
    assert made.images.counts == again.images.counts == {"ok": 4, "missing": 2}
    assert not made.progress.stopped
    for row in made.images.rows:
        assert ("prompt is too long" in row.message) == (row.level == "l2")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"colour": "red"}, "unknown option 'colour'"),
        ({"body": {"prompt": "x"}}, "body may not set 'prompt'"),
        ({"price": -1}, "option 'price'"),
    ],
)
def test_invalid_options_are_refused(options: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        OpenAIImages("m", {"base_url": "http://localhost:1/v1"} | options)


def test_the_name_has_the_options_that_change_pictures() -> None:
    url = "http://localhost:1/v1"
    assert OpenAIImages("m", {"base_url": url, "timeout": 9, "price": 1}).name == f"openai:m?base_url={url}"
    assert OpenAIImages("m", {"base_url": url, "size": "1x1"}).name == f"openai:m?base_url={url}&size=1x1"


def test_a_reply_that_is_not_quite_json_is_a_picture_and_never_asked_again(tmp_path: Path) -> None:
    """Half a surrogate pair and a byte that is no UTF-8 in what it drew, NaN in its usage: it was paid for."""

    def script(request: Asked) -> Raw:
        picture = base64.b64encode(picture_for(request.body["prompt"], request.body.get("seed")))
        words = b'"revised_prompt": "a coin \\ud83d \xff", "b64_json": "' + picture
        return Raw(b'{"data": [{' + words + b'"}], "usage": {"input_tokens": NaN, "cost": 0.25}}')

    with LoopbackServer(script) as server:
        made = draw_from(server, tmp_path)
        assert draw_from(server, tmp_path).progress.complete
        assert len(server.log) == len(made.images.rows)
    assert made.images.counts == {"ok": len(made.images.rows)}
    assert made.progress.cost == pytest.approx(0.25 * len(made.images.rows))
