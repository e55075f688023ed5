"""Scorers over real architectures with random weights: CLIPScore, and VQAScore's P(yes) over the local judge."""

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("transformers", reason="needs the extra heavy: pip install -e '.[heavy]'")

from judges.compared import comparison, plain, replies_to
from judges.local.asked_here import Build
from PIL import Image

import counterbench as cb
from counterbench.answers.soft import from_choices
from counterbench.drawing.picture import Picture
from counterbench.judges import open_judge
from counterbench.judges.scorers import numbers_in

pytestmark = pytest.mark.slow

CLIP = """
import torch
from transformers import CLIPModel, CLIPProcessor

class ClipScore:
    def __init__(self, path):
        self.path, self._model = path, CLIPModel.from_pretrained(path).eval()
        self._processor = CLIPProcessor.from_pretrained(path)

    def scores(self, images, texts):
        inputs = self._processor(text=texts, images=images, return_tensors="pt", padding=True, truncation=True)
        with torch.no_grad():
            return self._model(**inputs).logits_per_image.diagonal().tolist()
"""
COMPARED = [
    comparison("red", "blue", prompt, id=prompt) for prompt in ("a red circle", "a blue square", "a wall, " * 40)
]


def small_clip(path: Path) -> Path:
    """A CLIP of two layers with random weights and texts of at most 77 tokens, saved in `path`."""
    import torch
    from small_vlm import build_tokenizer
    from tokenizers.processors import TemplateProcessing
    from transformers import CLIPConfig, CLIPImageProcessor, CLIPModel, CLIPProcessor

    tokenizer = build_tokenizer("<pad> <s> <x> </s>")  # an end with the number 2 means something else to CLIP
    ends = [("<s>", 1), ("</s>", 3)]
    tokenizer._tokenizer.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=ends)
    tokenizer.model_max_length, tokenizer.padding_side = 77, "right"
    shape: dict[str, Any] = {
        "hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2,
        "projection_dim": 16,
    }  # fmt: skip
    text = shape | {"vocab_size": len(tokenizer), "max_position_embeddings": 77, "eos_token_id": 3, "pad_token_id": 0}
    vision = shape | {"image_size": 32, "patch_size": 8}
    config = CLIPConfig(text_config=text | {"bos_token_id": 1}, vision_config=vision, projection_dim=16)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        CLIPModel(config).save_pretrained(path)
    images = CLIPImageProcessor(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32})
    CLIPProcessor(images, tokenizer).save_pretrained(path)
    return path


@pytest.fixture(scope="module")
def clip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_clip(tmp_path_factory.mktemp("clip"))


def test_a_clip_model_is_a_scorer_of_six_lines(clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("clip_here.py").write_text(CLIP)
    judge = open_judge(f"scorer:clip_here:ClipScore?path={clip}&batch=2")
    replies = replies_to(judge, COMPARED)
    assert [reply.failure for reply in replies] == [None] * 3
    numbers = [numbers_in(reply.text or "") for reply in replies]
    rounded = {round(number, 3) for both in numbers for number in both or ()}
    assert len(rounded) == 6  # it follows pictures and texts
    import clip_here  # type: ignore[import-not-found]

    alone = clip_here.ClipScore(str(clip)).scores([plain("red").image()], ["a red circle"])
    assert numbers[0] is not None
    assert numbers[0][0] == pytest.approx(alone[0], abs=1e-4)


def test_the_doctor_finds_where_clip_cuts_a_text(clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("clip_cut.py").write_text(CLIP)
    found = {finding.name: finding for finding in cb.doctor(f"scorer:clip_cut:ClipScore?path={clip}").findings}
    assert all(found[name].holds for name in ("finite", "repeats", "sees", "reads"))
    assert "the end of a text of 50 words does not count" in found["long texts"].message


def test_the_chance_of_yes_of_a_local_judge_is_a_scorer(build: Build) -> None:
    judge = open_judge(f"transformers:{build('llava', chatty=True)}?mode=choice")

    def vqa_score(image: Image.Image, text: str) -> float:
        query = cb.Query(
            id="q", group="q", role="original", pictures=(Picture(lambda: image, "q"),), answer_type="yes-no",
            text=f'Does this picture show "{text}"? Answer yes or no.',
        )  # fmt: skip
        (reply,) = asyncio.run(judge.answer([query]))
        soft = from_choices(reply.choices or {})
        assert soft is not None
        return soft.p_yes

    replies = replies_to(cb.scorer(vqa_score, name="llava"), COMPARED[:2])
    numbers = [number for reply in replies for number in numbers_in(reply.text or "") or ()]
    assert len(numbers) == 4
    assert all(0 < number < 1 for number in numbers)
    assert len(set(numbers)) > 1
