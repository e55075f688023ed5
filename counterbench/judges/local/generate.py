"""Lets a model write its replies, several at a time."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from threading import Event
from typing import Any

import torch

from counterbench.judges.base import Reply
from counterbench.judges.local.loading import Checkpoint
from counterbench.judges.local.options import Options
from counterbench.judges.local.prompts import Prepared
from counterbench.runs.queries import Query


def generate(checkpoint: Checkpoint, asked: Sequence[Prepared], options: Options, stop: Event) -> list[Reply]:
    """One reply for each of `asked` (all with equally many pictures), by one call of the model's `generate`.

    Decoding is greedy at temperature 0. Above it the whole distribution is sampled (no top-k, no top-p), and torch is
    seeded with the options' seed, the query's digest and its vote. `asked` must then be one query, so that its sample
    does not depend on others; it still depends on the device and on torch's version. Writing ends early once `stop` is
    set.
    """
    inputs = checkpoint.encode(asked)
    how: dict[str, Any] = {"do_sample": False}
    if options.temperature > 0:
        assert len(asked) == 1, "sampled replies are written one at a time"
        how = {"do_sample": True, "temperature": options.temperature, "top_k": 0, "top_p": 1.0}

    def stopped(ids: torch.Tensor, scores: object, **_: object) -> torch.Tensor:
        return torch.full((ids.shape[0],), stop.is_set(), dtype=torch.bool, device=ids.device)

    # The random state is put back afterwards: other code in this process may draw from it too.
    with torch.inference_mode(), torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        if options.temperature > 0:
            torch.manual_seed(_seed(options.seed, asked[0].query))
        written = checkpoint.model.generate(
            **inputs, max_new_tokens=options.max_tokens, stopping_criteria=[stopped], **how
        )
    given = inputs["input_ids"]
    if written.shape[1] >= given.shape[1] and torch.equal(written[:, : given.shape[1]], given):
        written = written[:, given.shape[1] :]
    tokens_in = inputs["attention_mask"].sum(dim=1).tolist()
    return [
        _reply(checkpoint, tokens, int(read), options.max_tokens)
        for tokens, read in zip(written.tolist(), tokens_in, strict=True)
    ]


def _reply(checkpoint: Checkpoint, tokens: list[int], tokens_in: int, limit: int) -> Reply:
    """The reply from `tokens`: the written ones, then padding. The end token, if there is one, counts as written."""
    end = next((i for i, token in enumerate(tokens) if token in checkpoint.ends), None)
    kept = tokens if end is None else tokens[: end + 1]
    return Reply(
        text=checkpoint.processor.tokenizer.decode(kept, skip_special_tokens=True),
        model=checkpoint.label,
        finish="length" if end is None and len(kept) >= limit else "stop",
        tokens_in=tokens_in,
        tokens_out=len(kept),
        cost=0.0,
        mode="generate",
    )


def _seed(seed: int, query: Query) -> int:
    text = f"{seed} {query.digest} {query.vote}".encode()
    return int.from_bytes(hashlib.blake2b(text, digest_size=8).digest(), "big") >> 1  # torch takes 63 bits everywhere
