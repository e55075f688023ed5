"""Prompts that a pipeline cut, by the warnings of diffusers; what it says is made up here, in its words."""

import logging

import pytest
from sweeping import swept

from counterbench.pictures.generators.diffusion import cut_notes, warnings_heard

CUT = "The following part of your input was truncated because "
CLIP, T5 = "CLIP can only handle sequences up to 77 tokens: ", "`max_sequence_length` is set to  512 tokens: "


@swept(
    ("warnings", "notes"),
    [
        ([], ["", ""]),
        ([f"{CLIP}['a hat', '<|endoftext|><|endoftext|>']"], ["prompt cut because {clip}; not read: a hat", ""]),
        ([f"{CLIP}['!!!!', 'a hat<|endoftext|>']"] * 2, ["", "prompt cut because {clip}; not read: a hat"]),
        (
            [f"{CLIP}['is a hat', 'b']", f"{T5}['hat', '<pad></s>']"],
            [
                "prompt cut because {clip}; not read: is a hat; prompt cut because {t5}; not read: hat",
                "prompt cut because {clip}; not read: b",
            ],
        ),
        ([f"{CLIP}a hat"], ["prompt cut because {clip}; not read: a hat"] * 2),
    ],
)
def test_each_picture_is_noted_with_the_words_its_prompt_lost(warnings: list[str], notes: list[str]) -> None:
    known = {"clip": CLIP.removesuffix(": "), "t5": "`max_sequence_length` is set to 512 tokens"}
    assert cut_notes([CUT + warning for warning in warnings], 2) == [note.format(**known) for note in notes]


@pytest.mark.parametrize("level", [logging.WARNING, logging.ERROR])
def test_warnings_of_cut_prompts_are_caught_and_other_messages_pass(level: int) -> None:
    library, pipeline = logging.getLogger("diffusers"), logging.getLogger("diffusers.pipelines.one")
    shown: list[str] = []
    handler = logging.Handler()
    handler.emit = lambda record: shown.append(record.getMessage())  # type: ignore[method-assign]
    before = library.handlers, library.level
    library.handlers, library.level = [handler], level
    try:
        with warnings_heard() as heard:
            pipeline.warning(CUT + CLIP + "['a']")
            pipeline.warning("slow")
            pipeline.error("broken")
        pipeline.error(CUT)
        assert (library.handlers, library.level) == ([handler], level)
    finally:
        library.handlers, library.level = before
    assert heard == [CUT + CLIP + "['a']"]
    assert shown == (["slow"] if level == logging.WARNING else []) + ["broken", CUT]
