"""Prompts in other words: a variant of the set with its checks; unusable words are asked for once more, and counted."""

import json
from pathlib import Path

import pytest
from commands import document, done, fails
from loopback import LoopbackServer, Say
from pictures.drawn import QUICK, prompt_set
from pictures.preparing.authors import Author, Script, replying

from counterbench.errors import InputError
from counterbench.files import catalog
from counterbench.judges.base import Reply
from counterbench.pictures.preparing import Prepared, prepare
from counterbench.pictures.rewriting import FOLDER, Rewriting, load_rewrite
from counterbench.prompts.files import load_prompts
from counterbench.runs.queries import Query

REWRITING = Rewriting(load_rewrite("rewrite"))
ORIGINAL = prompt_set(2, ("l1", "l2", "l3"))


def listed(*texts: str) -> str:
    return json.dumps([{"prompt": text} for text in texts])


def writes(query: Query) -> str:
    """New words that say whose they are."""
    return listed(f"Seen:\n\n{query.text.rpartition(chr(10))[2]}")


def scripted(then: Reply | str, again: Reply | str | None = None) -> Script:
    return replying("g0/l2", then, again, "rewrite", writes)


def rewritten(prompts_file: Path, author: object, task: Rewriting = REWRITING) -> Prepared:
    return prepare(ORIGINAL, task, author, prompts_file, limits=QUICK)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", catalog.names(FOLDER))
def test_a_rewritten_set_is_a_variant_with_other_words_alone(prompts_file: Path, name: str) -> None:
    author = Author(writes)
    task = Rewriting(load_rewrite(name))
    made = rewritten(prompts_file, author, task)
    assert author.counts == {f"{id}/rewrite": 1 for id in ORIGINAL.by_id}
    assert {query.pictures for query in author.queries.values()} == {()}
    assert all(query.system.startswith(task.template.system) for query in author.queries.values())
    found = load_prompts(prompts_file)
    assert found == made.prompts
    assert (found.name, found.variant_of, found.levels) == (f"small-{name}", ORIGINAL.digest, ORIGINAL.levels)
    assert [(p.id, p.checks) for p in found.prompts] == [(p.id, p.checks) for p in ORIGINAL.prompts]
    assert [prompt.text for prompt in found.prompts] == [f"Seen: {prompt.text}" for prompt in ORIGINAL.prompts]


def test_an_author_that_refuses_is_not_asked_again_and_the_prompt_stays_out(prompts_file: Path) -> None:
    author = Author(scripted("I'm sorry, I can't help with that."))
    assert rewritten(prompts_file, author).without == {"refused": ["g0/l2"]}
    assert set(author.counts.values()) == {1}
    assert ORIGINAL.by_id.keys() - load_prompts(prompts_file).by_id.keys() == {"g0/l2"}


def test_other_words_of_the_template_make_another_run(prompts_file: Path, tmp_path: Path) -> None:
    rewritten(prompts_file, Author(writes))
    own = tmp_path / "own.toml"
    own.write_text('format = "counterbench.rewrite/1"\nname = "own"\nsystem = "Say it in rhyme."\nlongest = 50\n')
    with pytest.raises(InputError, match="choose another"):
        rewritten(prompts_file, Author(writes), Rewriting(load_rewrite(str(own))))
    own.write_text('format = "counterbench.rewrite/1"\nname = "own"\nsystem = " "\n')
    with pytest.raises(InputError, match=r"own\.toml.*system"):
        load_rewrite(str(own))
    with pytest.raises(InputError, match=r"unknown rewrite template 'shorter'.*describe, rewrite, rewrite-reasoned"):
        load_rewrite("shorter")


def test_the_command_names_what_is_written_and_what_stays_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("id,prompt,question\na,A cup.,Is there a cup?\nb,A jug.,Is there a jug?\n")
    with LoopbackServer(lambda ask: Say("No." if "jug" in ask.text else listed("A white cup."))) as server:
        author = f"openai:writer?base_url={server.url}"
        call = ("t2i", "prepare", "mine.csv", "--rewrite", "describe", "--author", author, "--out", "new.jsonl")
        shown = done(*call)
        assert "other words for 1 of 2 prompts" in shown
        assert "malformed, so no other words for: b/image" in shown
        assert document(*call)["variant_of"] == load_prompts("mine.csv").digest
        assert sum(server.answered_per_question().values()) == 3
    assert "--protocol and --rewrite" in fails(*call, "--protocol", "checklist")
