"""Choosing by likelihood: against one plain forward pass for each spelling, and the arithmetic on its own."""

import math
from pathlib import Path

import msgspec
import pytest

pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("transformers", reason="needs the extra heavy: pip install -e '.[heavy]'")

import torch
from judges.compared import replies_to
from judges.local.asked_here import Build
from small_vlm import ARCHITECTURES

from counterbench.answers import answer_type
from counterbench.answers.soft import from_choices
from counterbench.judges.local.checkpoint_judge import TransformersJudge
from counterbench.judges.local.choice import FLOOR, Spelling, candidate_scores, spellings
from counterbench.runs.queries import Query
from counterbench.testing import sample_queries

pytestmark = pytest.mark.slow


def reference(path: Path, query: Query) -> dict[str, float]:
    """The candidates' log-likelihoods by one whole forward pass for each spelling, nothing shared."""
    from transformers import AutoModelForImageTextToText, AutoProcessor

    model, processor = AutoModelForImageTextToText.from_pretrained(path), AutoProcessor.from_pretrained(path)
    content = [*[{"type": "image"} for _ in query.pictures], {"type": "text", "text": query.text}]
    prompt = processor.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True)
    assert prompt.endswith("Assistant:")
    pictures = [[p.image() for p in query.pictures]] if query.pictures else None
    inputs = dict(processor(text=[prompt], images=pictures, return_tensors="pt", add_special_tokens=False))
    prompt_ids = inputs["input_ids"]
    scores: dict[str, float] = {}
    for candidate in answer_type(query.answer_type).alphabet or ():
        total = -math.inf
        for text in (candidate, f" {candidate}", candidate.capitalize(), f" {candidate.capitalize()}"):
            tokens = processor.tokenizer.encode(text, add_special_tokens=False)
            ids = torch.cat([prompt_ids, torch.tensor([tokens])], dim=1)
            with torch.no_grad():
                rows = {**inputs, "input_ids": ids, "attention_mask": torch.ones_like(ids)}
                logits = model(**rows).logits[0].double().log_softmax(-1)
            logs = [logits[prompt_ids.shape[1] - 1 + i, token].item() for i, token in enumerate(tokens)]
            total = float(torch.logaddexp(torch.tensor(total), torch.tensor(sum(logs))))
        scores[candidate] = total
    return scores


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_likelihoods_are_those_of_plain_forward_passes(build: Build, architecture: str) -> None:
    path, queries = build(architecture, chatty=True), {q.answer_type: q for q in sample_queries(24)}
    closed = [query for query in queries.values() if answer_type(query.answer_type).alphabet]
    assert {"yes-no", "colour", "colour-shape"} <= {query.answer_type for query in closed}
    references = [reference(path, query) for query in closed]
    for batch in ("1", "8", "64"):
        replies = replies_to(TransformersJudge(str(path), {"mode": "choice", "batch": batch}), closed)
        for slow, reply in zip(references, replies, strict=True):
            assert reply.choices == pytest.approx(slow, abs=2e-3)
            assert reply.text == max(slow, key=lambda c: slow[c])
            assert (reply.mode, reply.tokens_out, reply.cost) == ("choice", 0, 0.0)


def test_a_question_without_a_picture_is_answered_by_choice(build: Build) -> None:
    (query, *_) = sample_queries(1)
    blank = Query(id="x", group="x", role="original", pictures=(), text=query.text, answer_type="yes-no")
    in_line = msgspec.structs.replace(blank, answer_line=True)
    reply, lined = replies_to(TransformersJudge(str(build()), {"mode": "choice"}), [blank, in_line])
    assert (lined.text, lined.choices) == (f"Answer: {reply.text}", pytest.approx(reply.choices, abs=2e-3))
    assert reply.choices == pytest.approx(reference(build(), blank), abs=2e-3)
    soft = from_choices(reply.choices)
    assert 0 <= soft.p_yes <= 1


class LetterTokens:
    """One token a character; each of `melts` is one token, where it occurs."""

    def __init__(self, *melts: str) -> None:
        self.melts = melts

    def encode(self, text: str, add_special_tokens: bool) -> list[int]:
        assert not add_special_tokens
        tokens = []
        while text:
            piece = next((melt for melt in self.melts if text.startswith(melt)), text[0])
            tokens.append(1000 + self.melts.index(piece) if piece in self.melts else ord(piece))
            text = text[len(piece) :]
        return tokens


def ords(text: str) -> tuple[int, ...]:
    return tuple(map(ord, text))


def test_spellings_depend_on_the_text_before_and_count_once() -> None:
    for before, candidate, texts in (
        ("Assistant:", "no", ("no", " no", "No", " No")),
        ("assistant\n", "no", ("no", "No")),
        ("x\n", "7", ("7",)),
    ):
        assert spellings(LetterTokens(), before, [candidate]) == [Spelling(candidate, ords(text)) for text in texts]


def test_a_spelling_is_tokenised_as_in_its_place() -> None:
    # " yes" is one token; alone, "yes" would be another one.
    assert Spelling("yes", (1000,)) in spellings(LetterTokens(" yes", "yes"), "Assistant:", ["yes"])
    # A boundary that melts: ":y" would be one token, but the prompt's tokens end in ":" as they are.
    assert Spelling("yes", ords("yes")) in spellings(LetterTokens(":y"), "Assistant:", ["yes"])
    assert [way for way in spellings(LetterTokens(":y"), "Assistant:", ["yes"]) if not way.tokens] == []


def test_spellings_of_a_candidate_are_summed() -> None:
    ways = [Spelling("yes", (1,)), Spelling("yes", (2,)), Spelling("no", (3,))]
    assert candidate_scores(ways, [math.log(0.3), math.log(0.2), math.log(0.1)]) == pytest.approx(
        {"yes": math.log(0.5), "no": math.log(0.1)}
    )


def test_a_candidate_is_not_credited_with_a_longer_one_that_it_begins() -> None:
    ways = [Spelling("red", (1,)), Spelling("red circle", (1, 2)), Spelling("blue", (3,))]
    chances = candidate_scores(ways, [math.log(0.6), math.log(0.4), math.log(0.3)])
    assert chances == pytest.approx({"red": math.log(0.2), "red circle": math.log(0.4), "blue": math.log(0.3)})
    sure = candidate_scores(ways, [math.log(0.6), math.log(0.6), math.log(0.3)])
    assert sure["red"] == FLOOR


def test_tiny_and_impossible_likelihoods_stay_finite_and_in_order() -> None:
    ways = [Spelling("yes", (1,)), Spelling("no", (2,)), Spelling("maybe", (3,))]
    chances = candidate_scores(ways, [-900.0, -1200.0, -math.inf])
    assert chances == {"yes": -900.0, "no": -1200.0, "maybe": FLOOR}


def test_a_model_that_overflows_fails_the_question(build: Build) -> None:
    judge = TransformersJudge(str(build()), {"mode": "choice"})
    judge._checkpoint.model.get_output_embeddings().weight.data.fill_(math.nan)
    (reply,) = replies_to(judge, sample_queries(1)[:1])
    assert reply.failure.kind == "nan"
