"""What the tests of `openai:` judges share: cheap questions about pictures, and the truth about what was answered.

Every question has a picture of a colour of its own, and a server that answers with `said` gives each a number of its
own, so that a reply which reaches another question is seen. What was asked is worked out here from the query alone.
"""

import base64
import hashlib
import io
from collections import Counter
from pathlib import Path
from typing import Any

from asked import probe
from asking.fakes import Paper, records
from loopback import Asked, LoopbackServer, question_key
from PIL import Image

from counterbench.asking.asker import Limits
from counterbench.asking.runner import Progress
from counterbench.drawing.domain import Domain
from counterbench.drawing.picture import Picture
from counterbench.judges import open_judge
from counterbench.judges.openai.server_judge import OpenAIJudge
from counterbench.runs.folder import Record
from counterbench.runs.pair_queries import queries
from counterbench.runs.queries import Query, load_template
from counterbench.scene.pairs import Pair

QUICK = Limits(backoff=0.01)


class Dots(Paper):
    """Pairs with two pictures of one pixel each. Question i says "Dot i", twice, about two pictures."""

    def __init__(self, pairs: int, answer_type: str = "integer", truths: tuple[str, str] = ("1", "2")) -> None:
        super().__init__(pairs, "dots", "Dot {}: how many?", answer_type, truths)
        self._pictures = {pair.id: tuple(_dot(2 * pair.index + i) for i in range(2)) for pair in self.pairs}

    @property
    def domain(self) -> Domain:
        return Domain(renderer="imported", style="", size="1x1", file_format="png")

    def pictures(self, pair: Pair) -> tuple[Picture, ...]:
        return self._pictures[pair.id]


def _dot(number: int) -> Picture:
    file = io.BytesIO()
    Image.new("RGB", (1, 1), (number >> 16 & 255, number >> 8 & 255, number & 255)).save(file, "PNG")
    return Picture(file.getvalue, f"dot {number}")


def dot_number(request: Asked) -> int:
    """The number in the question's words."""
    return int(request.text.partition("Dot ")[2].partition(":")[0])


def answer_to(key: str) -> str:
    """What the server answers to the question with that key."""
    return str(int(hashlib.sha256(key.encode()).hexdigest()[:8], 16) % 900_000 + 100_000)


def echo(request: Asked) -> str:
    """A reply that tells which question it is for."""
    return f"The answer is {answer_to(request.key)}."


def expected(key: str) -> str:
    """The reply that `said` gives to the question with that key."""
    return f"The answer is {answer_to(key)}."


def keys_by_id(source: Any) -> dict[str, str]:
    """The server's key of every query, from the query alone and by none of the judge's code."""
    template = load_template()
    return {query.id: key_of(template.dress(query)) for query in queries(source)}


def key_of(query: Query) -> str:
    """The server's key of a dressed query with the default template."""
    content: list[dict[str, Any]] = [
        {"image_url": {"url": "data:image/png;base64," + base64.b64encode(picture.png).decode()}}
        for picture in query.pictures
    ]
    system = [{"content": query.system}] if query.system else []
    return question_key({"messages": [*system, {"content": [*content, {"text": query.text}]}]})


def judge_at(server: LoopbackServer | str, options: str = "") -> OpenAIJudge:
    """The judge as a user names it: `options` as they stand after the question mark."""
    url = server if isinstance(server, str) else server.url
    opened = open_judge("openai:m" + (f"?{options}" if options else ""), list, base_url=url)
    assert isinstance(opened, OpenAIJudge)
    return opened


def ask(
    source: Any, server: LoopbackServer | str, out: Path, options: str = "", limits: Limits = QUICK, **more: Any
) -> Progress:
    """A run through the public path."""
    return probe(source, judge_at(server, options), out, limits=limits, **more)


def finals(out: Path) -> dict[str, Record]:
    """The final records by query; no query has two."""
    final = [record for record in records(out) if record.final]
    assert max(Counter(record.id for record in final).values(), default=0) <= 1, "a question has two final records"
    return {record.id: record for record in final}


def assert_true(source: Any, out: Path) -> None:
    """Every answer in the journal is the one that the server gave to that very question."""
    keys = keys_by_id(source)
    for record in records(out):
        if record.outcome == "answer":
            assert record.reply == expected(keys[record.id]), f"{record.id} has the reply to another question"


def assert_asked_at_most(server: LoopbackServer, times: int) -> None:
    """By the server's own log."""
    worst = server.asked_per_question().most_common(1)
    assert not worst or worst[0][1] <= times, f"a question was asked {worst[0][1]} times, not {times} at most"
