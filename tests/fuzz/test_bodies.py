"""What servers send, of any kind: a reply or a failure, in a second, and the key in none of it.

FUZZ_BODIES=100000 python -m pytest -n 0 -s tests/fuzz/test_bodies.py    so many bodies, not 20,000
"""

import asyncio
import json
import os
import random
import time
from collections import Counter

import openai
import pytest
from fuzz.mutants import mutant

from counterbench.asking.asker import checked
from counterbench.judges.base import Reply
from counterbench.judges.openai.failures import failed_reply, refusal_of
from counterbench.judges.openai.replies import Malformed, read_body
from counterbench.judges.openai.sdk import HTTP
from counterbench.judges.openai.server_judge import OpenAIJudge

pytestmark = pytest.mark.slow
BODIES = int(os.environ.get("FUZZ_BODIES", 20_000))
SLOWEST = 1.0  # CPU seconds a body
KEY = "sk-fuzz/0123456789+abcdef"
_USAGE = {"prompt_tokens": 900, "completion_tokens": 3, "total_tokens": 903}
_TOP = [{"token": "yes", "logprob": -0.1}, {"token": "no", "logprob": -2.5}]
SENT = [
    {"id": "a", "model": "m", "usage": _USAGE, "choices": [{"index": 0, "finish_reason": "stop", "message": {
        "role": "assistant", "content": f"yes, {KEY}", "reasoning_content": "because", "refusal": None},
        "logprobs": {"content": [{"token": "yes", "logprob": -0.1, "top_logprobs": _TOP}]}}]},
    {"id": "r", "model": "m", "status": "completed", "usage": {"input_tokens": 900, "output_tokens": 3}, "output": [
        {"type": "reasoning", "summary": []},
        {"type": "message", "content": [{"type": "output_text", "text": KEY, "logprobs": _TOP}]}]},
    {"error": {"message": f"wrong key {KEY}", "type": "invalid_request_error", "code": "content_filter", "param": "x"}},
    {"detail": [{"loc": ["body", "seed"], "msg": f"no {KEY}", "type": "value_error", "input": KEY}]},
    {"detail": "not found"},
]  # fmt: skip

STREAM = b"".join(
    b"data: " + json.dumps(event).encode() + b"\n\n"
    for event in (
        {"model": "m", "choices": [{"delta": {"role": "assistant", "content": "yes, "}}]},
        {"model": "m", "choices": [{"delta": {"content": KEY}, "finish_reason": "stop"}]},
        {"choices": [], "usage": _USAGE},
    )
)


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_whatever_a_server_sends_is_a_reply_or_a_failure(api: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUZZ_KEY", KEY)
    judge = OpenAIJudge("m", {"base_url": "http://127.0.0.1:1/v1", "key_env": "FUZZ_KEY", "api": api})
    client = openai.AsyncOpenAI(api_key=KEY, base_url="http://127.0.0.1:1/v1")
    chance = random.Random(12)
    bodies = [json.dumps(body).encode() for body in SENT] + [STREAM]
    kinds: Counter[str] = Counter()
    for _ in range(BODIES // 2):
        body = mutant(chance.choice(bodies), chance)
        status = chance.choice((200, 200, 400, 401, 403, 422, 429, 500))
        began = time.thread_time()
        reply = judge.access.redacted(answered(judge, body) if status == 200 else failed(client, judge, status, body))
        (kept,) = checked([reply], 1)
        assert time.thread_time() - began < SLOWEST, body[:2000]
        assert KEY not in repr(kept), body
        kinds["reply" if kept.failure is None else kept.failure.kind] += 1
    asyncio.run(judge.close())
    assert {"reply", "malformed", "http-400", "http-500"} <= kinds.keys(), kinds


def answered(judge: OpenAIJudge, body: bytes) -> Reply:
    """What becomes of a reply with that body."""
    try:
        return read_body(body, judge.options)
    except Malformed as error:
        return judge.malformed(error) or error.reply


def failed(client: openai.AsyncOpenAI, judge: OpenAIJudge, status: int, body: bytes) -> Reply:
    """What becomes of an error with that body, as the SDK raises it."""
    request = HTTP.Request("POST", "http://127.0.0.1:1/v1/chat/completions")
    response = HTTP.Response(status, content=body, headers={"content-type": "application/json"}, request=request)
    error = client._make_status_error_from_response(response)
    refusal_of(error)
    return failed_reply(error, judge.access, judge.model, reached=True)
