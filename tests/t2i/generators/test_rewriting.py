"""Reason first, then draw: prompts rewritten once each, their texts recorded, resumable."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from loopback import Draw, LoopbackServer, Say
from loopback.images import of
from t2i.drawn import QUICK, Painter, painting_digest, prompt_set

from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits
from counterbench.drawing import reading
from counterbench.errors import InputError, JudgeError
from counterbench.judges import open_judge
from counterbench.judges.base import Reply
from counterbench.runs.journal import read_journal
from counterbench.runs.queries import Query
from counterbench.t2i.generation.generate import generate_images
from counterbench.t2i.generation.samples import seed_of
from counterbench.t2i.generators import open_generator
from counterbench.t2i.generators.rewriting import SYSTEM, read_rewriting


class Thinker:
    """Rewrites prompts: "Draw g0 by l1." becomes "See g0 by l1.", after a thought; `odd` replies are by prompt id."""

    max_batch, max_in_flight = 1, 4

    def __init__(self, name: str = "thinker", **odd: Reply) -> None:
        self.name, self._odd = name, {id.replace("_", "/"): reply for id, reply in odd.items()}
        self.asked: Counter[str] = Counter()
        self.closed = 0

    async def answer(self, batch: Sequence[Query]) -> list[Reply]:
        replies = []
        for query in batch:
            self.asked[query.id] += 1
            assert query.system == SYSTEM
            assert not query.pictures
            words = query.text.replace("The prompt is:\nDraw", "See")
            said = f"First I think.\nprompt: a draft\n\n**PROMPT:** {words}"
            replies.append(self._odd.get(query.id, Reply(text=said, cost=0.5)))
        return replies

    async def close(self) -> None:
        self.closed += 1


def test_each_prompt_is_rewritten_once_and_every_sample_drawn_from_that(tmp_path: Path) -> None:
    prompts, painter, thinker = prompt_set(2), Painter(), Thinker()
    made = generate_images(prompts, painter, tmp_path, samples=3, limits=QUICK, rewriter=thinker)
    assert made.progress.complete
    assert thinker.asked == dict.fromkeys(prompts.by_id, 1)
    assert thinker.closed == painter.closed == 1
    assert made.images.path == tmp_path / "painter--after-thinker"
    assert (made.images.info.rewriter, made.images.info.label) == ("thinker", "painter after thinker")
    assert made.progress.calls == 6 + 18
    for row in made.images.rows:
        assert row.prompt == f"Draw {row.group} by {row.level}."
        assert row.drawn_text == painter.told[row.id].text == f"See {row.group} by {row.level}."
        assert row.seed == seed_of(prompts.by_id[f"{row.group}/{row.level}"], row.sample, 0)  # as without a rewriter
        assert row.picture_digest == painting_digest(row.drawn_text, row.seed)
    thoughts = {record.id: record.reply or "" for record in read_journal(made.images.path / "rewriting.jsonl")}
    assert thoughts.keys() == prompts.by_id.keys()
    assert all(thought.startswith("First I think.") for thought in thoughts.values())


def test_a_resumed_run_rewrites_nothing_again(tmp_path: Path) -> None:
    def go(calls: int | None, thinker: Thinker, painter: Painter) -> str:
        limits = Limits(max_calls=calls)
        made = generate_images(prompt_set(2), painter, tmp_path, samples=2, limits=limits, rewriter=thinker)
        return f"{made.images.counts} {made.progress.stopped}"

    thinkers, painters = [Thinker() for _ in range(4)], [Painter() for _ in range(4)]
    assert go(4, thinkers[0], painters[0]) == "{'missing': 12} --max-calls 4 reached"
    assert go(2, thinkers[1], painters[1]).endswith("--max-calls 2 reached")
    assert go(5, thinkers[2], painters[2]) == "{'ok': 5, 'missing': 7} --max-calls 5 reached"
    assert go(None, thinkers[3], painters[3]) == "{'ok': 12} "
    assert [sum(t.asked.values()) for t in thinkers] == [4, 2, 0, 0]
    assert [sum(p.drawn.values()) for p in painters] == [0, 0, 5, 7]


def test_its_cost_counts_too(tmp_path: Path) -> None:
    painter = Painter(cost=1.0)
    limits = Limits(max_cost=3.6)
    made = generate_images(prompt_set(1), painter, tmp_path, samples=2, limits=limits, rewriter=Thinker())
    assert made.progress.cost == 3.5  # three prompts at 0.5, two pictures
    assert sum(painter.drawn.values()) == 2


def test_a_refusal_to_rewrite_is_a_refusal(tmp_path: Path) -> None:
    painter, thinker = Painter(), Thinker(g0_l2=Reply(text="No.", finish="refusal"))
    made = generate_images(prompt_set(1), painter, tmp_path, samples=2, limits=QUICK, rewriter=thinker)
    assert made.progress.complete
    assert made.images.counts == {"ok": 4, "refused": 2}
    assert made.images.rows[2].message == "the rewriter: No."
    again = Thinker()
    assert generate_images(prompt_set(1), Painter(), tmp_path, samples=2, rewriter=again).images == made.images
    assert not again.asked


@pytest.mark.parametrize(
    "reply",
    [
        Reply(text="I thought about it."),
        Reply(text="PROMPT: a ball that", finish="length"),
        Reply(failure=Failed("http-400", "no")),
    ],
)
def test_without_a_prompt_in_it_a_rewriting_failed_and_is_asked_for_again(tmp_path: Path, reply: Reply) -> None:
    first = generate_images(prompt_set(1), Painter(), tmp_path, samples=1, limits=QUICK, rewriter=Thinker(g0_l3=reply))
    assert first.images.counts == {"ok": 2, "missing": 1}
    assert (first.progress.complete, first.progress.failed) == (False, 1)
    assert first.images.rows[2].message.startswith("the rewriter: ")
    thinker = Thinker()
    again = generate_images(prompt_set(1), Painter(), tmp_path, samples=1, limits=QUICK, rewriter=thinker)
    assert again.images.counts == {"ok": 3}
    assert thinker.asked == {"g0/l3": 1}


def test_a_rewriter_that_cannot_be_asked_ends_the_run(tmp_path: Path) -> None:
    stop = Reply(failure=Failed("http-401", "who"), stop="check the key")
    painter, thinker = Painter(), Thinker(g0_l1=stop)
    with pytest.raises(JudgeError, match="check the key"):
        generate_images(prompt_set(1), painter, tmp_path, samples=1, limits=QUICK, rewriter=thinker)
    assert painter.closed == thinker.closed == 1
    assert not painter.drawn


def test_another_rewriter_is_another_run(tmp_path: Path) -> None:
    for name in ("a:b", "a/b"):
        if name == "a/b":
            with pytest.raises(InputError, match="their rewriter is 'a:b', not 'a/b'"):
                generate_images(prompt_set(1), Painter(), tmp_path, samples=1, rewriter=Thinker(name))
        else:
            generate_images(prompt_set(1), Painter(), tmp_path, samples=1, rewriter=Thinker(name))


def test_models_behind_servers(tmp_path: Path) -> None:
    prompts = prompt_set(1)
    with LoopbackServer(Say("Hm.\nPROMPT: A ball.")) as writer, LoopbackServer(Draw()) as drawer:
        judge = open_judge("openai:writer", list, base_url=writer.url)
        generator = open_generator("openai:drawer", prompts, base_url=drawer.url)
        made = generate_images(prompts, generator, tmp_path, samples=2, limits=QUICK, rewriter=judge)
        assert len(writer.questions) == 3
        asked = [entry.asked.text for entry in writer.questions]  # in any order
        assert all(any(prompt.text in text for text in asked) for prompt in prompts.prompts)
    assert {row.drawn_text for row in made.images.rows} == {"A ball."}
    for row in made.images.rows:
        assert row.picture_digest == reading.file_digest(of("A ball.", row.seed))


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        ("PROMPT: A ball.", "A ball."),
        ("I think.\n\nPROMPT:\nA ball\non a box.", "A ball on a box."),
        ("PROMPT: draft\nBetter:\n**Prompt:** A ball.**", "A ball."),
        ("## PROMPT: A ball.", "A ball."),
        ('PROMPT: "A ball."', "A ball."),
        ("<think>PROMPT: not this</think>PROMPT: A ball.", "A ball."),
        ("Prompt : A ball.", "A ball."),
        ("The prompt: is unclear to me", ""),
        ("PROMPT:", ""),
        ("", ""),
    ],
)
def test_reading(reply: str, words: str) -> None:
    assert read_rewriting(reply) == words


def test_thoughts_may_come_in_any_number() -> None:
    thought = "<think>PROMPT: no</think>"
    assert read_rewriting(f"{thought}A.{thought}\nPROMPT: a red ball{thought}") == "a red ball"
    assert read_rewriting("no beginning</thinking>\nPROMPT: a red ball") == "a red ball"
