"""Chooses among the candidates of a closed answer type by the probability that the model's reply begins with each.

The score of a candidate is the log of the probability that the reply *begins* with one of its spellings (lower case, or
with a capital; after a space too, if the prompt does not end in one), token by token: teacher-forced, summed over
the spellings, not divided by length. The end of the reply is not part of the score, because "Yes", "Yes." and "Yes, it
is" say the same. If one candidate's tokens begin another's ("red", "red circle"), the probability of the longer one is
subtracted from that of the shorter one, so that no reply counts for both.
"""

import copy
import math
from collections.abc import Iterable, Sequence
from threading import Event
from typing import Any, NamedTuple

import numpy as np
import torch

from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Reply
from counterbench.judges.local.batching import MicroBatches
from counterbench.judges.local.loading import Checkpoint
from counterbench.judges.local.prompts import Prompted

# Stands for "impossible": a journal cannot hold minus infinity.
FLOOR = -9999.0


class Spelling(NamedTuple):
    """One way to write a candidate, as the tokens that a reply would begin with."""

    candidate: str
    tokens: tuple[int, ...]


def choose(checkpoint: Checkpoint, item: Prompted, alphabet: Iterable[str], rows: MicroBatches, stop: Event) -> Reply:
    """The likeliest of `alphabet` as the reply to `item`, with all their log-likelihoods in `choices`."""
    ways = spellings(checkpoint.processor.tokenizer, item.prompt, alphabet)
    inputs = checkpoint.encode([item])
    scores = continuations(checkpoint.model, inputs, [spelling.tokens for spelling in ways], rows, stop)
    failure = next((score for score in scores if isinstance(score, Failed)), None)
    if failure:
        return Reply(failure=failure, mode="choice")
    numbers = [score for score in scores if isinstance(score, float)]
    if any(math.isnan(number) for number in numbers):
        return Reply(failure=Failed("nan", "the model's output is not a number; try dtype=float32"), mode="choice")
    choices = combine(ways, numbers)
    return Reply(
        text=item.query.phrased(max(choices, key=lambda candidate: choices[candidate])),
        model=checkpoint.label,
        finish="stop",
        tokens_in=int(inputs["attention_mask"].sum()),
        tokens_out=0,
        cost=0.0,
        mode="choice",
        choices=choices,
    )


def spellings(tokenizer: Any, prompt: str, alphabet: Iterable[str]) -> list[Spelling]:
    """Every way to write each candidate after `prompt`, as tokens, each once.

    A spelling is tokenised together with the prompt, whose tokens are then removed, so that it gets the tokens for this
    place: " yes" after "Assistant:", "yes" after a line's end. If a token would cross the boundary of the two, the
    spelling is tokenised alone: the model goes on from the prompt's tokens as they are.
    """
    tail = prompt[-64:]  # tokens depend on the text next to them, not on the whole prompt
    before = tokenizer.encode(tail, add_special_tokens=False)
    ways: dict[Spelling, None] = {}
    for candidate in alphabet:
        for word in (candidate, candidate[:1].upper() + candidate[1:]):
            for text in (word,) if tail[-1:].isspace() else (word, f" {word}"):
                whole = tokenizer.encode(tail + text, add_special_tokens=False)
                joined = whole[: len(before)] == before and len(whole) > len(before)
                tokens = whole[len(before) :] if joined else tokenizer.encode(text, add_special_tokens=False)
                ways[Spelling(candidate, tuple(tokens))] = None
    return list(ways)


def continuations(
    model: Any, inputs: Any, rows: Sequence[tuple[int, ...]], batches: MicroBatches, stop: Event
) -> list[float | Failed]:
    """The log-probability of each row of tokens (1 or more) after the one prompt in `inputs`, in order.

    Prompt and pictures go through the model once; all rows share its cache of them.
    """
    with torch.inference_mode():
        prompt = model(**inputs, use_cache=True, **_last_only(model))
        first = prompt.logits[0, -1].float().log_softmax(-1)

        def score(part: Sequence[int]) -> list[float]:
            """The log-likelihood of each of these continuations, after the prompt whose memory they share."""
            scores = [first[rows[i][0]].item() for i in part]
            width = max(len(rows[i]) for i in part) - 1
            if width == 0:
                return scores
            # Padded on the right: no position that is read here depends on later ones.
            padded = [rows[i][:-1] + (0,) * (width - len(rows[i]) + 1) for i in part]
            memory = copy.deepcopy(prompt.past_key_values)
            if not hasattr(memory, "batch_repeat_interleave"):
                raise TypeError("this model keeps no memory of a prompt that rows can share; use mode=generate")
            memory.batch_repeat_interleave(len(part))
            ids = torch.tensor(padded, device=inputs["input_ids"].device)
            logits = model(input_ids=ids, past_key_values=memory, use_cache=True).logits.float().log_softmax(-1)
            for row, i in enumerate(part):
                rest = torch.tensor(rows[i][1:], dtype=torch.long, device=logits.device)
                scores[row] += logits[row, range(len(rest)), rest].sum().item()
            return scores

        by_length = sorted(range(len(rows)), key=lambda i: len(rows[i]))
        scored = batches.run(by_length, score, stop)
    return [score for _, score in sorted(zip(by_length, scored, strict=True), key=lambda pair: pair[0])]


def combine(ways: Sequence[Spelling], scores: Sequence[float]) -> dict[str, float]:
    """The log-likelihood of each candidate from those of its spellings, in the order of the candidates."""
    chances: dict[str, list[float]] = {}
    for spelling, score in zip(ways, scores, strict=True):
        chance = math.exp(score)
        for other, longer in zip(ways, scores, strict=True):
            begins = other.tokens[: len(spelling.tokens)] == spelling.tokens
            if begins and other.candidate != spelling.candidate and len(other.tokens) > len(spelling.tokens):
                chance -= math.exp(longer)
        if chance != math.exp(score):
            score = math.log(chance) if chance > 0 else FLOOR
        chances.setdefault(spelling.candidate, []).append(score)
    return {candidate: max(FLOOR, float(np.logaddexp.reduce(logs))) for candidate, logs in chances.items()}


def _last_only(model: Any) -> dict[str, int]:
    """The argument for only the last position's logits, for models that have it: all logits of a prompt are large."""
    supports = getattr(model, "_supports_logits_to_keep", None)
    return {"logits_to_keep": 1} if supports is not None and supports() else {}
