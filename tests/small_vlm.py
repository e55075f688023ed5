"""A small real vision-language model with random weights, built and saved without a hub: test support.

It says nothing sensible, but it is the real thing: real architecture classes, a byte-level BPE tokenizer, an image
processor and a chat template, loaded through the Auto classes. Its weights are large enough that a picture's change
often shows in the answer; its output layer favours the words that answers are made of, and after a word the end of the
reply, so that a reply reads like an answer.
"""

from pathlib import Path
from typing import Any

import torch
import transformers
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers
from transformers import (
    AutoModelForImageTextToText,
    CLIPVisionConfig,
    Idefics3Config,
    Idefics3Processor,
    LlamaConfig,
    LlavaConfig,
    LlavaProcessor,
    PreTrainedTokenizerFast,
)
from transformers.utils import is_torchvision_available

ARCHITECTURES = ("llava", "idefics3")
_WORDS = "yes no red blue green yellow purple orange cyan pink circle square triangle diamond 0 1 2 3 4 5 6 7 8 9"
ANSWERS = tuple(_WORDS.split())
_TOKENS = (
    "<pad> <s> </s> <image> <fake_token_around_image> <global-img> <end_of_utterance> <row_1_col_1> <row_1_col_2> "
    "<row_2_col_1> <row_2_col_2>"
)
# As LLaVA and Idefics write theirs: roles in words, a placeholder for each picture, and "Assistant:" to go on from.
TEMPLATE = (
    "<s>{% for message in messages %}{{ message['role'].capitalize() }}: {% for part in message['content'] %}"
    "{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}{% endif %}{% endfor %}"
    "{% if message['role'] == 'assistant' %}</s>{% endif %}{{ '\n' }}{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)
_CORPUS = (
    "Is the red triangle (labeled A) to the left of shape B? Answer yes or no. What color is the circle?",
    "How many purple triangles are in the picture? Answer with a single number. Count the shapes that are visible.",
    "To which shape does the arrow point? Answer with the color and the shape. Which shape is higher up, the cyan one",
    "Looking at the picture, is the blue square above the yellow diamond? Is the orange pink green inside a container",
    "User: Assistant: System: Answer with a single color word.",
    *(f"Assistant: {word}" for word in ANSWERS for _ in range(9)),
)
HIDDEN = 64
_CONNECTORS = ("multi_modal_projector", "connector", "merger")
_FROM_PICTURE = (*_CONNECTORS, "patch_embed", "language_model.layers.0.self_attn", "text_model.layers.0.self_attn")


def build_small_vlm(
    path: Path, architecture: str = "llava", seed: int = 0, *, blind: bool = False, chatty: bool = False
) -> Path:
    """Save a small model of `architecture` ("llava", "idefics3") in `path` and return it.

    `seed` decides the weights. `blind`: pictures make no difference to what it says. `chatty`: it goes on after an
    answer's word, to the limit of new tokens or until chance ends it.
    """
    tokenizer = build_tokenizer(_TOKENS)
    config, processor = {"llava": _llava, "idefics3": _idefics3}[architecture](tokenizer)
    save_model(path, config, tokenizer, seed, blind=blind, chatty=chatty)
    processor.save_pretrained(path)
    return path


def save_model(
    path: Path, config: Any, tokenizer: Any, seed: int = 0, *, blind: bool = False, chatty: bool = False
) -> None:
    """Save a model of `config`, its weights chosen as this module says."""
    bars = transformers.utils.logging.is_progress_bar_enabled()
    transformers.utils.logging.disable_progress_bar()
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model = AutoModelForImageTextToText.from_config(config).float().eval()
        _choose_weights(model, tokenizer, blind, chatty)
    model.generation_config.eos_token_id = tokenizer.eos_token_id
    model.generation_config.pad_token_id = tokenizer.pad_token_id
    model.save_pretrained(path)
    if bars:
        transformers.utils.logging.enable_progress_bar()


def build_tokenizer(special: str) -> PreTrainedTokenizerFast:
    """A byte-level BPE tokenizer trained on a few questions, with the `special` tokens (words) first."""
    raw = Tokenizer(models.BPE())
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=700,
        special_tokens=special.split(),
        initial_alphabet=sorted(pre_tokenizers.ByteLevel.alphabet()),
        show_progress=False,
        min_frequency=2,
    )
    raw.train_from_iterator(_CORPUS, trainer)
    # As Llama's does it, so that a prompt whose template writes the beginning's token could get it twice.
    raw.post_processor = processors.TemplateProcessing(single="<s> $A", special_tokens=[("<s>", 1)])
    return PreTrainedTokenizerFast(
        tokenizer_object=raw, bos_token="<s>", eos_token="</s>", pad_token="<pad>", padding_side="left"
    )


def text_options(tokenizer: Any) -> dict[str, Any]:
    """The options of a small text model of any architecture."""
    return {
        "vocab_size": len(tokenizer),
        "hidden_size": HIDDEN,
        "intermediate_size": 2 * HIDDEN,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "max_position_embeddings": 4096,
        "bos_token_id": tokenizer.bos_token_id,
        "eos_token_id": tokenizer.eos_token_id,
        "pad_token_id": tokenizer.pad_token_id,
        "tie_word_embeddings": False,
    }


def _llava(tokenizer: Any) -> tuple[Any, Any]:
    # 36 tokens a picture.
    vision = CLIPVisionConfig(
        hidden_size=HIDDEN, intermediate_size=HIDDEN, num_hidden_layers=2, num_attention_heads=2, image_size=84,
        patch_size=14, projection_dim=HIDDEN,
    )  # fmt: skip
    config = LlavaConfig(
        vision_config=vision,
        text_config=LlamaConfig(**text_options(tokenizer)),
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        vision_feature_layer=-1,
        tie_word_embeddings=False,
    )
    images = _image_processor("CLIP", size={"shortest_edge": 84}, crop_size={"height": 84, "width": 84})
    processor = LlavaProcessor(
        images, tokenizer, patch_size=14, vision_feature_select_strategy="default", num_additional_image_tokens=1,
        chat_template=TEMPLATE,
    )  # fmt: skip
    return config, processor


def _idefics3(tokenizer: Any) -> tuple[Any, Any]:
    # A square picture is shown as four parts and a whole, each 84×84 and 9 tokens.
    vision = {
        "hidden_size": HIDDEN, "intermediate_size": HIDDEN, "num_hidden_layers": 2, "num_attention_heads": 2,
        "image_size": 84, "patch_size": 14,
    }  # fmt: skip
    config = Idefics3Config(
        vision_config=vision,
        text_config=LlamaConfig(**text_options(tokenizer)).to_dict(),
        image_token_id=tokenizer.convert_tokens_to_ids("<image>"),
        pad_token_id=tokenizer.pad_token_id,
        scale_factor=2,
        tie_word_embeddings=False,
    )
    images = _image_processor("Idefics3", size={"longest_edge": 168}, max_image_size={"longest_edge": 84})
    return config, Idefics3Processor(images, tokenizer, image_seq_len=9, chat_template=TEMPLATE)


def _image_processor(kind: str, **options: Any) -> Any:
    name = f"{kind}ImageProcessor" + ("" if is_torchvision_available() else "Pil")
    return getattr(transformers, name)(**options)


def _choose_weights(model: Any, tokenizer: Any, blind: bool, chatty: bool) -> None:
    for name, parameter in model.named_parameters():
        if parameter.dim() >= 2:
            gain = 8.0 if any(part in name for part in _FROM_PICTURE) else 4.0
            parameter.data = torch.randn(parameter.shape) * (gain / parameter[0].numel() ** 0.5)
    words = [tokenizer.encode(f" {word}", add_special_tokens=False) for word in ANSWERS]
    assert [tokens for tokens in words if len(tokens) != 1] == [], "every answer's word is one token"
    ids = [tokens[0] for tokens in words]
    embeddings, output = model.get_input_embeddings().weight.data, model.get_output_embeddings().weight.data
    embeddings.normal_(0, 0.05)  # small beside what the layers add, so that pictures weigh more than the last word
    output.zero_()
    output[ids] = torch.randn(len(ids), HIDDEN)
    output[tokenizer.eos_token_id] = 0.5 * torch.randn(HIDDEN)
    if not chatty:
        _end_after_a_word(model, embeddings, output, ids, tokenizer.eos_token_id)
    if blind:
        for name, parameter in model.named_parameters():
            if any(part in name for part in _CONNECTORS):
                parameter.data.zero_()


def _end_after_a_word(model: Any, embeddings: Any, output: Any, words: list[int], end: int) -> None:
    """Keep one direction of the hidden state for "a word was said"; the end of the reply follows from it."""
    direction = torch.nn.functional.normalize(torch.randn(HIDDEN), dim=0)
    for name, parameter in model.named_parameters():
        if name.endswith(("o_proj.weight", "down_proj.weight")) and "vision" not in name:
            parameter.data -= torch.outer(direction, direction @ parameter.data)  # no layer writes in it
    for rows in (embeddings, output):
        rows -= torch.outer(rows @ direction, direction)
    embeddings[words] += 1000 * direction  # large beside what the layers add
    output[end] = 10 * direction
