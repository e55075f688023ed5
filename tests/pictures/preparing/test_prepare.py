"""What an author writes about prompts: asked once, each outcome counted, one file whatever happened on the way."""

from pathlib import Path

import msgspec
import pytest
from loopback import LoopbackServer, Reset, Say, Status, by_attempt, every, out_of_order, where
from pictures.drawn import QUICK
from pictures.preparing.authors import LIST, Author, Script, bare, replying

from counterbench.answers.outcomes import Failed
from counterbench.asking.asker import Limits
from counterbench.errors import InputError
from counterbench.judges import open_judge
from counterbench.judges.base import Reply
from counterbench.pictures.preparing import Prepared, prepare
from counterbench.pictures.protocols import protocol
from counterbench.prompts.files import load_prompts
from counterbench.prompts.prompt_set import PromptSet

CF_EVAL = protocol("cf-eval")


def prepared(prompts_file: Path, author: object, prompts: PromptSet | None = None, limits: Limits = QUICK) -> Prepared:
    return prepare(prompts or bare(), CF_EVAL, author, prompts_file, limits=limits)  # type: ignore[arg-type]


def test_every_prompt_is_asked_about_once_and_the_file_is_a_prompt_set(prompts_file: Path) -> None:
    author = Author()
    made = prepared(prompts_file, author)
    assert made.progress.complete
    assert author.counts == {f"{id}/questions": 1 for id in bare().by_id}
    assert {(query.pictures, query.prompt) for query in author.queries.values()} == {((), "")}
    assert [query for query in author.queries.values() if "JSON list" not in query.system] == []
    found = load_prompts(prompts_file)
    assert found == made.prompts
    assert (found.name, found.levels, found.protocol) == ("small", ("l1", "l2", "l3"), "cf-eval")
    assert [(prompt.id, prompt.text) for prompt in found.prompts] == [(p.id, p.text) for p in bare().prompts]
    assert [check.id for check in found.prompts[0].checks] == ["integrity", "assessment", "logic-1"]
    assert made.without == {}
    again = Author()
    assert prepared(prompts_file, again).prompts == found
    assert not again.counts


@pytest.mark.parametrize(
    ("script", "why", "calls"),
    [
        (replying("g0/l2", "No JSON here."), "malformed", 7),
        (replying("g0/l2", "I'm sorry, I can't help with that."), "refused", 6),
        (replying("g0/l2", Reply(text="", finish="content_filter")), "refused", 6),
        (replying("g0/l2", Reply(text=LIST[:90], finish="length")), "cut off", 7),
        (replying("g0/l2", "None.", Reply(text=LIST, finish="length")), "cut off", 7),
        (replying("g0/l2", "None.", "I'm sorry, I can't help with that."), "refused", 7),
        (replying("g0/l2", Reply(failure=Failed("http-400", "no"))), "failed", 6),
        (replying("g0/l2", "None.", Reply(failure=Failed("http-400", "no"))), "failed", 7),
    ],
)
def test_each_unusable_reply_is_counted_by_its_kind(prompts_file: Path, script: Script, why: str, calls: int) -> None:
    author = Author(script)
    made = prepared(prompts_file, author)
    assert made.without == {why: ["g0/l2"]}
    assert sum(author.counts.values()) == calls
    assert made.progress.complete == (why != "failed")
    found = load_prompts(prompts_file)
    assert [prompt.id for prompt in found.prompts if not prompt.checks] == ["g0/l2"]
    again = Author(script)
    prepared(prompts_file, again)
    assert sum(again.counts.values()) == (why == "failed")  # what was answered is never asked again


def test_a_failure_that_may_pass_leaves_the_file_unwritten_and_is_asked_again(prompts_file: Path) -> None:
    made = prepared(prompts_file, Author(replying("g0/l2", Reply(failure=Failed("http-500", "oops")))))
    assert (made.prompts, made.progress.complete, prompts_file.exists()) == (None, False, False)
    author = Author()
    assert prepared(prompts_file, author).progress.complete
    assert author.counts == {"g0/l2/questions": 1}
    assert [prompt for prompt in load_prompts(prompts_file).prompts if not prompt.checks] == []


def test_limits_stop_preparing_between_any_two_calls(prompts_file: Path) -> None:
    script = replying("g0/l2", "Nothing.", LIST)
    whole = prompts_file.with_name("whole.jsonl")
    prepared(whole, Author(script))
    authors = []
    while not prompts_file.exists():
        authors.append(Author(script))
        made = prepared(prompts_file, authors[-1], limits=Limits(max_calls=1))
        assert made.progress.calls == 1
    assert [sum(author.counts.values()) for author in authors] == [1] * 7
    assert prompts_file.read_bytes() == whole.read_bytes()


def test_prepare_without_a_usable_reply_is_an_error_and_writes_no_file(prompts_file: Path) -> None:
    such = r"\(6 malformed, such as g0/l1: it has no such JSON list\)"
    with pytest.raises(InputError, match=rf"author: nothing that it wrote can be used {such}, and .* not writ"):
        prepared(prompts_file, Author(lambda query: "No."))
    assert not prompts_file.exists()


def test_a_file_that_was_edited_is_not_written_over(prompts_file: Path) -> None:
    script = replying("g0/l2", Reply(failure=Failed("http-400", "no")))
    prepared(prompts_file, Author(script))
    edited = prompts_file.read_bytes().replace(b"right?", b"as it should be?", 1)
    prompts_file.write_bytes(edited)
    author = Author()
    with pytest.raises(InputError, match=r"was edited since `t2i prepare` wrote it.*use it as it is, or move it away"):
        prepared(prompts_file, author)
    assert prompts_file.read_bytes() == edited
    assert not author.counts  # nothing is paid for beforehand
    prompts_file.unlink()
    assert prepared(prompts_file, author).progress.complete
    assert author.counts == {"g0/l2/questions": 1}


def test_a_file_of_another_origin_is_not_overwritten(prompts_file: Path) -> None:
    prompts_file.write_text("mine")
    with pytest.raises(InputError, match="`t2i prepare` did not write it"):
        prepared(prompts_file, Author())
    assert sorted(prompts_file.parent.iterdir()) == [prompts_file]


def test_the_prepared_file_does_not_depend_on_order_or_faults(tmp_path: Path) -> None:
    bad = where(lambda ask: "g1 by l2" in ask.text and "cannot be used" not in ask.text, Say("Hm."), Say(LIST))
    scripts = {
        "one at a time": (bad, 1),
        "out of order": (where(lambda ask: "g1 by l2" in ask.text, bad, out_of_order(0.05, Say(LIST))), 8),
        "with faults": (every(3, Status(500), every(4, Reset(), bad)), 3),
        "cut connections": (by_attempt([Reset(), bad]), 8),
    }
    contents = set()
    for name, (script, concurrency) in scripts.items():
        with LoopbackServer(script) as server:
            out = tmp_path / f"{name}.jsonl"
            author = open_judge("openai:writer", list, base_url=server.url)
            limits = msgspec.structs.replace(QUICK, concurrency=concurrency)
            assert prepared(out, author, limits=limits).progress.complete
            assert set(server.answered_per_question().values()) == {1}
        contents.add(out.read_bytes().replace(server.url.encode(), b""))
    assert len(contents) == 1
