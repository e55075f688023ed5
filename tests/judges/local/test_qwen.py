"""Qwen-VL-style models: pictures as one flat row of patches, positions in three dimensions, templates of their own.

Their processor wants torchvision for videos. Without it, the same processor class without its video half stands in;
the checkpoint as such is loaded where torchvision is installed.
"""

from collections.abc import Callable
from pathlib import Path
from threading import Event
from typing import Any

import pytest

pytest.importorskip("torch", reason="needs the extra heavy: pip install -e '.[heavy]'")
pytest.importorskip("transformers", reason="needs the extra heavy: pip install -e '.[heavy]'")

import torch
import transformers
from judges.compared import replies_to
from judges.local.asked_here import mixed_queries
from small_vlm import build_tokenizer, save_model, text_options
from transformers import Qwen2VLConfig, Qwen2VLProcessor
from transformers.utils import is_torchvision_available

from counterbench.answers import answer_type
from counterbench.judges.local.batching import MicroBatches
from counterbench.judges.local.checkpoint_judge import TransformersJudge
from counterbench.judges.local.choice import continuations, spellings
from counterbench.judges.local.prompts import Prompted
from counterbench.testing import sample_queries

pytestmark = pytest.mark.slow

_TOKENS = "<pad> <s> </s> <|im_start|> <|im_end|> <|vision_start|> <|vision_end|> <|image_pad|> <|video_pad|>"
_TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% for part in m['content'] %}{% if part['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part['text'] }}{% endif %}{% endfor %}<|im_end|>\n"
    "{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


class ImagesOnly(Qwen2VLProcessor):
    """The processor without videos."""

    def __init__(self, image_processor: Any, tokenizer: Any, chat_template: str) -> None:
        self.image_token, self.video_token = "<|image_pad|>", "<|video_pad|>"
        self.image_token_id = tokenizer.convert_tokens_to_ids(self.image_token)
        self.video_token_id = tokenizer.convert_tokens_to_ids(self.video_token)
        super(Qwen2VLProcessor, self).__init__(image_processor, tokenizer, chat_template=chat_template)


def save_small_qwen(path: Path) -> Any:
    """Save a small Qwen2-VL in `path` and return its processor."""
    tokenizer = build_tokenizer(_TOKENS)
    rope = {"rope_type": "default", "mrope_section": [2, 3, 3]}
    config = Qwen2VLConfig(
        text_config={**text_options(tokenizer), "rope_parameters": rope},
        vision_config={"depth": 2, "embed_dim": 32, "hidden_size": 64, "num_heads": 2, "mlp_ratio": 2},
        image_token_id=tokenizer.convert_tokens_to_ids("<|image_pad|>"),
        video_token_id=tokenizer.convert_tokens_to_ids("<|video_pad|>"),
        vision_start_token_id=tokenizer.convert_tokens_to_ids("<|vision_start|>"),
        vision_end_token_id=tokenizer.convert_tokens_to_ids("<|vision_end|>"),
        tie_word_embeddings=False,
    )
    save_model(path, config, tokenizer, chatty=True)
    pixels = {"min_pixels": 28 * 28, "max_pixels": 6 * 28 * 28}
    if is_torchvision_available():
        images, videos = transformers.Qwen2VLImageProcessor(**pixels), transformers.Qwen2VLVideoProcessor()
        processor = Qwen2VLProcessor(images, tokenizer, videos, chat_template=_TEMPLATE)
        processor.save_pretrained(path)
        return processor
    return ImagesOnly(transformers.Qwen2VLImageProcessorPil(**pixels), tokenizer, _TEMPLATE)


@pytest.fixture(scope="module")
def qwen(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Any]:
    path = tmp_path_factory.mktemp("qwen")
    return path, save_small_qwen(path)


@pytest.fixture
def open_qwen(qwen: tuple[Path, Any], monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, str]], TransformersJudge]:
    path, processor = qwen

    def build(options: dict[str, str]) -> TransformersJudge:
        loads = "counterbench.judges.local.loading.AutoProcessor.from_pretrained"
        monkeypatch.setattr(loads, lambda *_, **__: processor)
        return TransformersJudge(str(path), {"max_tokens": "16", **options})

    return build


def test_the_batch_size_changes_no_reply(open_qwen: Callable[..., TransformersJudge]) -> None:
    queries = mixed_queries()
    alone = replies_to(open_qwen({"batch": "1"}), queries)
    assert not [reply.failure for reply in alone if reply.failure]
    assert len({reply.text for reply in alone}) > 4
    assert [reply.text for reply in replies_to(open_qwen({}), queries)] == [reply.text for reply in alone]


def test_sharing_the_prompt_changes_no_likelihood(open_qwen: Callable[..., TransformersJudge]) -> None:
    """The prompt's memory is shared by the candidates: positions must go on where the pictures' end."""
    judge = open_qwen({"mode": "choice"})
    checkpoint = judge._checkpoint
    for query in [q for q in mixed_queries() if q.answer_type == "colour-shape" and q.pictures][:2]:
        prompted = Prompted(0, query, checkpoint.prompts.text(query), tuple(p.image() for p in query.pictures))
        inputs = checkpoint.encode([prompted])
        alphabet = (answer_type(query.answer_type).alphabet or ())[:6]
        rows = [way.tokens for way in spellings(checkpoint.processor.tokenizer, prompted.prompt, alphabet)]
        (quick,) = continuations(checkpoint.model, inputs, [rows], MicroBatches(4, lambda: None), Event())
        length = inputs["input_ids"].shape[1]
        for row, score in zip(rows, quick, strict=True):
            whole = dict(inputs)
            whole["input_ids"] = torch.cat([inputs["input_ids"], torch.tensor([row])], dim=1)
            whole["attention_mask"] = torch.ones_like(whole["input_ids"])
            kinds = inputs["mm_token_type_ids"]
            whole["mm_token_type_ids"] = torch.cat([kinds, torch.zeros(1, len(row), dtype=kinds.dtype)], dim=1)
            with torch.inference_mode():
                logits = checkpoint.model(**whole).logits[0].log_softmax(-1)
            slow = sum(logits[length - 1 + i, token].item() for i, token in enumerate(row))
            assert score == pytest.approx(slow, abs=2e-3)


def test_the_batch_size_changes_no_likelihood(open_qwen: Callable[..., TransformersJudge]) -> None:
    """Prompts of different lengths are padded, and their pictures take other numbers of positions than tokens."""
    queries = [query for query in mixed_queries() if answer_type(query.answer_type).alphabet]
    alone = replies_to(open_qwen({"mode": "choice", "batch": "1"}), queries)
    for single, batched in zip(alone, replies_to(open_qwen({"mode": "choice"}), queries), strict=True):
        assert batched.choices == pytest.approx(single.choices, abs=2e-3)


@pytest.mark.skipif(not is_torchvision_available(), reason="Qwen-VL's processor needs torchvision")
def test_a_saved_checkpoint_is_loaded_whole(qwen: tuple[Path, Any]) -> None:
    replies = replies_to(TransformersJudge(str(qwen[0]), {"max_tokens": "8"}), sample_queries(4))
    assert not [reply.failure for reply in replies if reply.failure]
