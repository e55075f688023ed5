"""What the tests of local judges share: queries of all kinds, and a model that chokes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from counterbench.judges.local.checkpoint_judge import TransformersJudge
from counterbench.runs.queries import Query
from counterbench.testing import sample_queries

Build = Callable[..., Path]  # the folder of a small model, by the fixture `build`


def mixed_queries() -> list[Query]:
    """Queries of very different lengths, with 0, 1 and 2 pictures, in no order."""
    queries = sample_queries(12)
    for i, query in enumerate(queries):
        if i % 3 == 0:
            queries[i] = msgspec.structs.replace(query, text=f"{query.text} Look closely. " * (1 + i % 5))
        if i % 5 == 1:
            queries[i] = msgspec.structs.replace(query, pictures=query.pictures * 2)
        if i % 7 == 3:
            queries[i] = msgspec.structs.replace(query, pictures=())
    return queries


class Choking:
    """A model that runs out of memory above `room` rows."""

    def __init__(self, model: Any, room: int = 10**6) -> None:
        self._model, self.room = model, room
        self.sizes: list[int] = []
        self.widths: list[int] = []
        self.inputs: dict[str, Any] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._model, name)

    def _take(self, ids: Any) -> None:
        self.sizes.append(ids.shape[0])
        self.widths.append(ids.shape[1])
        if ids.shape[0] > self.room:
            import torch

            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 20.00 GiB.")

    def generate(self, **inputs: Any) -> Any:
        self.inputs = inputs
        self._take(inputs["input_ids"])
        return self._model.generate(**inputs)

    def __call__(self, **inputs: Any) -> Any:
        self._take(inputs["input_ids"])
        return self._model(**inputs)


def choking(path: Path, options: dict[str, str], **how: int) -> tuple[TransformersJudge, Choking]:
    """A judge whose model chokes, and the model: `choking(path, options, room=3)`."""
    judge = TransformersJudge(str(path), options)
    model = Choking(judge._checkpoint.model, **how)
    judge._checkpoint = judge._checkpoint._replace(model=model)
    return judge, model
