"""Models on loopback for the pages of the docs: one that sees, and one that draws.

`python -m stub_models` serves them until its standard input ends, for trying the README by hand.
"""

import base64
import contextlib
import io
import json
import os
import sys
from collections.abc import Iterator
from functools import cache

from loopback import Asked, Draw, LoopbackServer, Respond, Say
from pictures.pw_worlds import QUESTIONS, WRITTEN
from PIL import Image

from counterbench.drawing import png
from counterbench.judges.pixels import CannotRead, read_answer
from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.prompts.files import load_prompts
from counterbench.prompts.manifest import MIN_TESTED_SIDE
from counterbench.suites.sources import CellSource, cells_of, in_turn
from counterbench.suites.suite import load_suite

SEES, DRAWS = "some-vlm", "some-t2i-model"


@contextlib.contextmanager
def served() -> Iterator[str]:
    """The address of a server with both models."""
    with LoopbackServer(_respond) as server:
        yield server.url


def _respond(query: Asked) -> Respond:
    if query.path.endswith("/images/generations"):
        return Draw(_drawn()[query.body["prompt"]], model=DRAWS, usage=(60, 1000))
    answer = _answer(query)
    if 'line "Answer: …"' in query.text:
        return Say(f"I look closely at what is asked about.\nAnswer: {answer}", model=query.model, usage=(650, 14))
    other = {"yes": "no", "no": "yes"}.get(answer)
    sure = [{answer: -0.1, other: -2.4}] if other else None
    return Say(answer, model=query.model, usage=(620, 3), logprobs=sure)


def _answer(query: Asked) -> str:
    """What is to be seen, or what a model that writes is asked for."""
    if '"prompt": the new prompt' in query.text:
        return json.dumps([{"prompt": f"To be seen: {query.texts[-1].splitlines()[-1]}"}])
    if not query.images:
        return QUESTIONS if "The things are" in query.text else WRITTEN if '"phenomenon"' in query.text else _WRITTEN
    data = base64.b64decode(query.images[-1].partition(",")[2])
    try:
        return read_answer(Image.open(io.BytesIO(data)), query.texts[-1])
    except CannotRead as error:
        plain = next((reply for words, reply in _FOREIGN.items() if words in query.texts[-1]), error.plain)
        return _treated().get(data, plain)


# What is said of pictures of other people.
_FOREIGN = {"How many dogs": "2", "What colour is the cup": "red", "Does the picture show": "yes"}


@cache
def _treated() -> dict[bytes, str]:
    """What is to be answered about the shipped controls, of which our reader declines what is treated."""
    found = {}
    certify = load_suite("certify")
    small = certify.with_smallest(MIN_TESTED_SIDE)
    # 64 of each treatment are the most that are asked; of laws fewer are known, since their pictures take long.
    suites = (load_suite("laws"), {"law-control": 96}, 40), (certify, {"control": 400}, 64), (small, {}, 64)
    for suite, controls, known in suites:
        treated = {name: known for name in cells_of(suite) if "treated/" in name}
        source = CellSource(suite, in_turn(controls | treated))
        for pair in source:
            found[source.pictures(pair)[1].png] = pair.answers[1]
    return found


# What a model writes about any prompt.
_WRITTEN = json.dumps(
    [
        {"dimension": dimension, "question": question, "weight": weight,
         "criteria": {"1": "All of it is.", "0.5": "It can hardly be told.", "0": "Some of it is not."}}
        for dimension, question, weight in (
            ("visual-integrity", "Is the whole picture clear, with nothing garbled?", 3),
            ("assessment-point", "Is what is shown where it must be?", 15),
            ("logic-consistency", "Does everything else in the scene go by the same rule?", 8),
        )
    ]
)  # fmt: skip


@cache
def _drawn() -> dict[str, bytes]:
    """A picture of every prompt about a law, by its words: right where it says what is to be seen."""
    prompts = load_prompts("laws")
    model = PlantedGenerator("literal", prompts)
    return {p.text: png.encode(picture) for p in prompts.prompts if (picture := model.picture(p, 0)) is not None}


def main() -> None:
    """Serve until standard input ends."""
    with served() as url:
        print(f"ADDRESS={url}", flush=True)
        while os.read(sys.stdin.fileno(), 4096):
            pass


if __name__ == "__main__":
    main()
