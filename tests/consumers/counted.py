"""CCS of pairs as a consumer loaded them: each question is put to a judge by another client, and we read its replies.

It is held against `probe` and `score`: the same, if what was loaded is what we ask, about the same pictures.
"""

from __future__ import annotations

import base64
import io
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from consumers.served import MODEL, judge
from openai import OpenAI
from PIL import Image

import counterbench as cb
from counterbench.asking.asker import Limits
from counterbench.judges.openai import OpenAIJudge
from counterbench.runs.queries import Query
from counterbench.runs.wordings import load_wording
from counterbench.scoring.scores import Document
from counterbench.suites.suite import load_suite

SUITE, PAIRS = "counterbench-550", 100


class Loaded(NamedTuple):
    """A pair: the prompt that both pictures are asked with, and of each the picture and the right answer."""

    prompt: str
    answer_type: str
    pictures: tuple[Image.Image, Image.Image]
    answers: tuple[str, str]


def dressed(question: str, answer_type: str) -> str:
    """The prompt of a row that has the bare question alone."""
    query = Query(id="", group="", role="", pictures=(), text=question, answer_type=answer_type, labels={})
    return load_wording().dress(query).text


def holds(loaded: Iterable[Loaded], out: Path) -> None:
    """Pairs that were loaded have the CCS of `probe` and `score` with the same judge, whose run goes to `out`."""
    with judge() as address:
        ours = by_probe(address, out).overall.ccs
        with OpenAI(base_url=address, api_key="none") as client:
            right = [_is_right(client, pair) for pair in loaded]
    assert ours.of == len(right) == PAIRS
    assert 0 < ours.hits < PAIRS, "this judge shows nothing"
    assert sum(right) == ours.hits


def by_probe(address: str, out: Path) -> Document:
    """What our own `probe` and `score` say of the first 100 pairs."""
    model = OpenAIJudge(MODEL, {"base_url": address, "price_in": 0, "price_out": 0})
    cb.probe(load_suite(SUITE), model, out, limit=PAIRS, limits=Limits(concurrency=16))
    return cb.score(out)


def _is_right(client: OpenAI, pair: Loaded) -> bool:
    """Whether the replies about both pictures are right."""
    replies = [_asked(client, pair.prompt, picture) for picture in pair.pictures]
    item: dict[str, Any] = {"answer_type": pair.answer_type, "labels": {}}
    return all(cb.reward(reply, item | {"answer": key}) for reply, key in zip(replies, pair.answers, strict=True))


def _asked(client: OpenAI, prompt: str, picture: Image.Image) -> str:
    file = io.BytesIO()
    picture.convert("RGB").save(file, "PNG")
    shown = f"data:image/png;base64,{base64.b64encode(file.getvalue()).decode()}"
    content: Any = [{"type": "image_url", "image_url": {"url": shown}}, {"type": "text", "text": prompt}]
    said = client.chat.completions.create(model=MODEL, messages=[{"role": "user", "content": content}])
    return said.choices[0].message.content or ""
