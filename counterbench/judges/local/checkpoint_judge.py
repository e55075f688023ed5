"""The judge `transformers:ID_OR_PATH`: a local model behind the interface that all judges share."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Any

from counterbench.answers import answer_type
from counterbench.answers.outcomes import Failed
from counterbench.errors import InputError
from counterbench.files.installation import install_command
from counterbench.judges.base import Reply
from counterbench.judges.local.batching import LocalModel, MicroBatches
from counterbench.judges.local.checkpoint_options import IDENTITY, LocalOptions, local_options
from counterbench.judges.local.prompts import Prompted
from counterbench.judges.specs import judge_name
from counterbench.runs.queries import Query

if TYPE_CHECKING:
    from counterbench.judges.local.loading import Checkpoint

KIND = "transformers"


class TransformersJudge(LocalModel):
    """A vision-language model run by transformers in a worker thread of its own.

    `model`: a name on the hub or a folder; `options`: see `LocalOptions`. The model is loaded when the judge is built.
    InputError: an option, path or device is not valid, or the extra `local` is not installed; JudgeError: the model
    cannot be loaded or cannot be a judge.
    """

    max_in_flight = 2  # batches: one in the model, and one whose pictures are decoded

    def __init__(self, model: str, options: Mapping[str, Any], short_name: str = "") -> None:
        """Load the model, which takes long; see the class for the parameters and the errors."""
        self.short_name = short_name  # the user's name for it
        self._options = local_options(options, f"{KIND}:{model}")
        self.name = judge_name(KIND, model, self._options, IDENTITY)
        # A few micro-batches at once, so that questions of like length can be put together.
        self.max_batch = 4 * self._options.batch
        try:
            from counterbench.judges.local.loading import free_memory, load
        except ImportError as error:
            raise InputError(
                f"{self.name} needs torch and transformers 5.20 or newer ({error}); this installs them: "
                f"{install_command('local')}"
            ) from None
        self.max_pictures = self._options.max_pictures
        super().__init__(self._options.batch, free_memory)
        self._checkpoint: Checkpoint | None = load(model, self._options)
        self.versions: dict[str, str] = dict(self._checkpoint.versions)
        self._rows = MicroBatches(self.max_batch, free_memory)  # of short rows: candidates' tokens
        self._decoder = ThreadPoolExecutor(1, thread_name_prefix="counterbench-decoder")

    async def answer(self, batch: Sequence[Query]) -> Sequence[Reply]:
        """One reply for each query, in order. When this is cancelled, the model stops at the next token.

        The pictures are decoded in a second thread, while the model answers the batch before.
        """
        loop = asyncio.get_running_loop()
        return await self.work(self._answer, await loop.run_in_executor(self._decoder, self._prompted, batch))

    def drop(self) -> None:
        """Let the model go, so that its memory can be freed."""
        self._decoder.shutdown(wait=False)
        self._checkpoint = None

    def _prompted(self, batch: Sequence[Query]) -> list[Prompted]:
        """The queries of a batch with their prompts and their decoded pictures."""
        assert self._checkpoint is not None, "answer after close"
        text = self._checkpoint.prompts.text
        return [
            Prompted(index, query, text(query), tuple(picture.image() for picture in query.pictures))
            for index, query in enumerate(batch)
        ]

    def _answer(self, batch: Sequence[Prompted], stop: Event) -> list[Reply]:
        """The replies to a batch, in its order: questions of like size go through the model together.

        An alphabet is the list of a question's candidates, empty for a question that the model answers by writing.
        """
        from counterbench.judges.local.choice import choose

        checkpoint = self._checkpoint
        assert checkpoint is not None, "answer after close"
        choosing = self._options.mode == "choice"
        alphabets = [answer_type(item.query.answer_type).alphabet or () if choosing else () for item in batch]
        prepared = sorted(batch, key=lambda item: (not alphabets[item.index], item.size))
        writing = MicroBatches(1, self._free) if self._options.temperature > 0 else self._batches
        in_words = partial(generate, checkpoint, options=self._options, stop=stop)

        def by_choice(part: Sequence[Prompted]) -> list[Reply]:
            """The replies to some queries, each by its likeliest candidate."""
            return choose(checkpoint, part, [alphabets[item.index] for item in part], self._rows, stop)

        replies: dict[int, Reply] = {}
        for (is_choice, _), group in itertools.groupby(prepared, lambda a: (bool(alphabets[a.index]), len(a.images))):
            part = list(group)
            done = self._batches.run(part, by_choice, stop) if is_choice else writing.run(part, in_words, stop)
            for item, reply in zip(part, done, strict=True):
                if isinstance(reply, Failed):  # after a CUDA error the device answers nothing more in this process
                    advice = "the CUDA device reports an error; run the same command again"
                    reply = Reply(failure=reply, stop=advice if "CUDA error" in reply.message else "")
                replies[item.index] = reply
        return [replies[index] for index in range(len(batch))]


def generate(checkpoint: Checkpoint, prepared: Sequence[Prompted], options: LocalOptions, stop: Event) -> list[Reply]:
    """One reply for each of `prepared` (all with equally many pictures), by one call of the model's `generate`.

    Decoding is greedy at temperature 0. Above it the whole distribution is sampled (no top-k, no top-p), and torch is
    seeded with the options' seed, the query's digest and its repeat. `prepared` must then be one query, so that its
    sample does not depend on others; it still depends on the device and on torch's version. Writing ends early once
    `stop` is set.
    """
    import torch

    inputs = checkpoint.encode(prepared)
    decoding: dict[str, Any] = {"do_sample": False}
    if options.temperature > 0:
        assert len(prepared) == 1, "sampled replies are written one at a time"
        decoding = {"do_sample": True, "temperature": options.temperature, "top_k": 0, "top_p": 1.0}

    def stop_flags(ids: Any, scores: object, **_: object) -> Any:
        """For each row of `ids` (N, tokens) True once the work is to stop, as transformers wants it: (N,)."""
        return torch.full((ids.shape[0],), stop.is_set(), dtype=torch.bool, device=ids.device)

    # The random state is put back afterwards: other code in this process may draw from it too.
    with torch.inference_mode(), torch.random.fork_rng(devices=range(torch.cuda.device_count())):
        if options.temperature > 0:
            seed_text = f"{options.seed} {prepared[0].query.digest} {prepared[0].query.repeat}".encode()
            digest = hashlib.blake2b(seed_text, digest_size=8).digest()
            torch.manual_seed(int.from_bytes(digest, "big") >> 1)  # torch takes 63 bits everywhere
        written = checkpoint.model.generate(
            **inputs, max_new_tokens=options.max_tokens, stopping_criteria=[stop_flags], **decoding
        )
    prompt_ids = inputs["input_ids"]
    if written.shape[1] >= prompt_ids.shape[1] and torch.equal(written[:, : prompt_ids.shape[1]], prompt_ids):
        written = written[:, prompt_ids.shape[1] :]
    tokens_in = inputs["attention_mask"].sum(dim=1).tolist()
    return [
        _reply(checkpoint, tokens, int(prompt_tokens), options.max_tokens)
        for tokens, prompt_tokens in zip(written.tolist(), tokens_in, strict=True)
    ]


def _reply(checkpoint: Checkpoint, tokens: list[int], tokens_in: int, limit: int) -> Reply:
    """The reply from `tokens`: the written ones, then padding. The end token, if there is one, counts as written.

    `tokens_in`: the prompt's number of tokens. `limit`: the most that may be written.
    """
    end = next((i for i, token in enumerate(tokens) if token in checkpoint.ends), None)
    written = tokens if end is None else tokens[: end + 1]
    return Reply(
        text=checkpoint.processor.tokenizer.decode(written, skip_special_tokens=True),
        model=checkpoint.label,
        finish="length" if end is None and len(written) >= limit else "stop",
        tokens_in=tokens_in,
        tokens_out=len(written),
        cost=0.0,
        mode="generate",
    )
