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
from functools import lru_cache
from threading import Event
from typing import Any, NamedTuple

import numpy as np
import torch

from counterbench.answers.outcomes import Failed
from counterbench.judges.base import Reply
from counterbench.judges.local.batching import OUT_OF_MEMORY, MicroBatches
from counterbench.judges.local.loading import Checkpoint
from counterbench.judges.local.prompts import Prompted

# Stands for "impossible": a journal cannot hold minus infinity.
FLOOR = -9999.0

Tokens = tuple[int, ...]
Beginning = tuple[int, Tokens]  # the beginning of a reply: the index of its prompt, and the reply's first tokens


class Spelling(NamedTuple):
    """One way to write a candidate, as the tokens that a reply would begin with."""

    candidate: str
    tokens: Tokens


def choose(
    checkpoint: Checkpoint,
    items: Sequence[Prompted],
    alphabets: Sequence[Iterable[str]],
    rows: MicroBatches,
    stop: Event,
) -> list[Reply]:
    """A reply to each item: the likeliest of its alphabet, with the log-likelihoods of all candidates in `choices`.

    The items (all with equally many pictures) go through the model together. Then the tokens of the candidates go
    through it, in the micro-batches `rows`. If one of these fails and there are several items, this raises MemoryError
    or RuntimeError, because an item alone may do; of a single item the reply is the failure.
    """
    tokenizer = checkpoint.processor.tokenizer
    variants = [spellings(tokenizer, item.prompt, alphabet) for item, alphabet in zip(items, alphabets, strict=True)]
    inputs = checkpoint.encode(items)
    scores = continuations(checkpoint.model, inputs, [[way.tokens for way in item] for item in variants], rows, stop)
    tokens_in = inputs["attention_mask"].sum(dim=1).tolist()
    return [_choice_reply(checkpoint, *parts) for parts in zip(items, variants, scores, tokens_in, strict=True)]


def _choice_reply(
    checkpoint: Checkpoint, item: Prompted, variants: Sequence[Spelling], scores: list[float] | Failed, tokens_in: int
) -> Reply:
    """The reply to an item, by the scores (log-probabilities) of all its spellings."""
    if isinstance(scores, Failed):
        return Reply(failure=scores, mode="choice")
    if any(math.isnan(score) for score in scores):
        return Reply(failure=Failed("nan", "the model's output is not a number; try dtype=float32"), mode="choice")
    choices = candidate_scores(variants, scores)
    return Reply(
        text=item.query.phrased(max(choices, key=lambda candidate: choices[candidate])),
        model=checkpoint.label,
        finish="stop",
        tokens_in=tokens_in,
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
    return _spellings_after(tokenizer, prompt[-64:], tuple(alphabet))  # tokens depend on the text next to them alone


@lru_cache(maxsize=64)  # most prompts end alike
def _spellings_after(tokenizer: Any, tail: str, alphabet: tuple[str, ...]) -> list[Spelling]:
    """The spellings of each candidate, each once, after a prompt that ends with `tail`; see `spellings`."""
    prompt = tokenizer.encode(tail, add_special_tokens=False)
    spelled: dict[Spelling, None] = {}
    for candidate in alphabet:
        for word in (candidate, candidate[:1].upper() + candidate[1:]):
            for text in (word,) if tail[-1:].isspace() else (word, f" {word}"):
                joined = tokenizer.encode(tail + text, add_special_tokens=False)
                continues = joined[: len(prompt)] == prompt and len(joined) > len(prompt)
                tokens = joined[len(prompt) :] if continues else tokenizer.encode(text, add_special_tokens=False)
                spelled[Spelling(candidate, tuple(tokens))] = None
    return list(spelled)


def continuations(
    model: Any, inputs: Any, row_lists: Sequence[Sequence[Tokens]], batches: MicroBatches, stop: Event
) -> list[list[float] | Failed]:
    """For each prompt in `inputs`, the log-probabilities of its rows of tokens, in order, or the failure.

    `row_lists`: for each prompt its rows, each the 1 or more tokens of a possible continuation. Prompts and pictures go
    through the model once, together. The beginnings of rows follow in `batches`, each once: they share the memory of
    their prompt, and rows that begin alike share a beginning. Raises the errors of `choose`.
    """
    following: dict[Beginning, list[int]] = {}  # the tokens whose chances after a beginning are read
    for prompt, rows in enumerate(row_lists):
        for row in rows:
            for n in range(len(row)):
                following.setdefault((prompt, row[:n]), []).append(row[n])
    inner = {(prompt, tokens[:-1]) for prompt, tokens in following}  # read within longer ones
    starts = [(prompt, ()) for prompt in range(len(row_lists))]
    parts = sorted(following.keys() - inner - {*starts}, key=lambda part: (len(part[1]), part))
    device = inputs["input_ids"].device
    with torch.inference_mode():
        holders = [module for module in model.modules() if hasattr(module, "rope_deltas")]
        for holder in holders:  # a prompt without pictures would go on with those of the last one
            holder.rope_deltas = None
        passed = model(**inputs, use_cache=True, **_last_only(model))
        deltas = next((holder.rope_deltas for holder in holders if holder.rope_deltas is not None), None)

        def next_log_probs(logits: Any, part: Sequence[Beginning], first: int) -> list[dict[Beginning, float]]:
            """For each beginning of `part` the log-probabilities of the wanted next tokens.

            The key of each is the beginning that ends with that token. `logits` (beginning, position, vocabulary):
            position 0 predicts the token number `first` of each beginning, counted from 0.
            """
            wanted = [
                (row, n - first, (prompt, (*tokens[:n], token)))
                for row, (prompt, tokens) in enumerate(part)
                for n in range(first, len(tokens) + 1)
                for token in following[prompt, tokens[:n]]
            ]
            rows, places, ends = zip(*wanted, strict=True)
            logs = logits.float().log_softmax(-1)[rows, places, [tokens[-1] for _, tokens in ends]]
            found_logs: list[dict[Beginning, float]] = [{} for _ in part]
            for row, end, value in zip(rows, ends, logs.tolist(), strict=True):
                found_logs[row][end] = value
            return found_logs

        def log_probs_after(part: Sequence[Beginning]) -> list[dict[Beginning, float]]:
            """The result of `next_log_probs` for beginnings that go through the model here, after their prompts."""
            width = max(len(tokens) for _, tokens in part)
            # Padded on the right: no position that is read here depends on later ones.
            ids = torch.tensor([tokens + (0,) * (width - len(tokens)) for _, tokens in part], device=device)
            memory = copy.deepcopy(passed.past_key_values)
            if not hasattr(memory, "batch_select_indices"):
                raise TypeError("this model keeps no memory of a prompt that rows can share; use mode=generate")
            prompts = torch.tensor([prompt for prompt, _ in part], device=device)
            memory.batch_select_indices(prompts)
            places: dict[str, Any] = {}
            if len(row_lists) > 1:  # prompts of different lengths: padding is masked, and places are each prompt's own
                mask = inputs["attention_mask"][prompts]
                places["attention_mask"] = mask = torch.cat([mask, mask.new_ones(ids.shape)], dim=1)
                if deltas is not None:
                    steps = mask.cumsum(dim=1)[:, -width:] - 1 + deltas[prompts]
                    places["position_ids"] = steps.expand(3, -1, -1)
            return next_log_probs(
                model(input_ids=ids, past_key_values=memory, use_cache=True, **places).logits, part, 1
            )

        known = {end: log for logs in next_log_probs(passed.logits[:, -1:], starts, 0) for end, log in logs.items()}
        failed: dict[int, Failed] = {}
        for (prompt, _), result in zip(parts, batches.run(parts, log_probs_after, stop), strict=True):
            if isinstance(result, Failed):
                failed[prompt] = result
            else:
                known |= result
    if failed and len(row_lists) > 1:
        lacks_memory = any(failure.kind == OUT_OF_MEMORY for failure in failed.values())
        raise (MemoryError if lacks_memory else RuntimeError)(next(iter(failed.values())).message)
    return [
        failed.get(prompt) or [sum(known[prompt, row[:n]] for n in range(1, len(row) + 1)) for row in rows]
        for prompt, rows in enumerate(row_lists)
    ]


def candidate_scores(variants: Sequence[Spelling], scores: Sequence[float]) -> dict[str, float]:
    """The log-likelihood of each candidate from those of its spellings, in the order of the candidates.

    `scores`: the log-likelihood of each of `variants`. See the module for the spellings that begin another's.
    """
    longer: dict[Tokens, list[tuple[str, float]]] = {}  # by tokens: each longer spelling, as candidate and probability
    for spelling, score in zip(variants, scores, strict=True):
        for n in range(1, len(spelling.tokens)):
            longer.setdefault(spelling.tokens[:n], []).append((spelling.candidate, math.exp(score)))
    chances: dict[str, list[float]] = {}
    for spelling, score in zip(variants, scores, strict=True):
        chance = math.exp(score)
        for candidate, other in longer.get(spelling.tokens, ()):
            if candidate != spelling.candidate:
                chance -= other
        if chance != math.exp(score):
            score = math.log(chance) if chance > 0 else FLOOR
        chances.setdefault(spelling.candidate, []).append(score)
    return {candidate: max(FLOOR, float(np.logaddexp.reduce(logs))) for candidate, logs in chances.items()}


def _last_only(model: Any) -> dict[str, int]:
    """The model's argument to compute the last position's logits only, if it has one: a prompt's are large."""
    supports = getattr(model, "_supports_logits_to_keep", None)
    return {"logits_to_keep": 1} if supports is not None and supports() else {}
