"""Self-preference: a line where a model and its judge are of one maker by their names, and nowhere else."""

from types import SimpleNamespace

import pytest

from counterbench.pictures.words.about_judges import makers_in, same_maker_lines


@pytest.mark.parametrize(
    ("model", "judge"),
    [
        ("gpt-image-1", "openai:gpt-4o?temperature=0.7"),
        ("dall-e-3", "openai:o3"),
        ("Imagen 4 Ultra", "openai:google/gemini-2.5-flash?base_url=https://openrouter.ai/api/v1"),
        ("nano-banana", "inspect:google/gemini-2.5-pro"),
        ("Qwen-Image", "panel:all(openai:gpt-4o, transformers:Qwen/Qwen2.5-VL-72B-Instruct)"),
        ("Seedream 4.0", "openai:doubao-1.5-vision"),
        ("cogview4", "openai:glm-4.5v"),
    ],
)
def test_models_and_judges_of_one_maker_are_told(model: str, judge: str) -> None:
    assert makers_in(model) & makers_in(judge)


@pytest.mark.parametrize(
    ("model", "judge"),
    [
        ("openai:gpt-image-1", "openai:qwen/qwen2.5-vl-72b"),
        ("flux.1-dev", "openai:gpt-4o"),
        ("gpt-image-1", "transformers:x?name=gpt"),
        ("swan", "transformers:Qwen/Qwen2.5-VL"),
        ("metallic", "transformers:llama-3.2-vision"),
        ("tool3", "openai:o3"),
        ("good", "pixels"),
    ],
)
def test_a_kind_of_judge_an_option_or_a_part_of_a_word_names_no_maker(model: str, judge: str) -> None:
    assert not makers_in(model) & makers_in(judge)


def test_each_model_gets_one_line_that_claims_no_effect() -> None:
    judge = SimpleNamespace(judge="openai:gpt-4o", name="")
    assert same_maker_lines([("gpt-image-1", judge), ("flux", judge), ("gpt-image-1", judge)]) == [
        "gpt-image-1 and its judge gpt-4o are by the same maker: judges may prefer their own."
    ]
