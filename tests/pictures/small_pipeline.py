"""A small real Stable Diffusion pipeline with random weights, built and saved without a hub: test support.

Its pictures say nothing, but they are the real thing's: real components, and other words or noise give other pixels.
"""

import json
from pathlib import Path
from typing import Any

import torch
import transformers
from diffusers import (
    AutoencoderKL,
    DDIMScheduler,
    EulerAncestralDiscreteScheduler,
    StableDiffusionPipeline,
    UNet2DConditionModel,
)
from transformers import CLIPTextConfig, CLIPTextModel, CLIPTokenizer

from counterbench.judges.local.loading import quiet

_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789.,:!?'\"-"


def build_small_pipeline(path: Path, *, ancestral: bool = False, seed: int = 0) -> Path:
    """Save a pipeline that draws 64 × 64 pixels in `path` and return it.

    `ancestral`: its scheduler draws new noise at every step.
    """
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        unet = UNet2DConditionModel(
            block_out_channels=(32, 64),
            layers_per_block=1,
            sample_size=32,
            in_channels=4,
            out_channels=4,
            down_block_types=("DownBlock2D", "CrossAttnDownBlock2D"),
            up_block_types=("CrossAttnUpBlock2D", "UpBlock2D"),
            cross_attention_dim=32,
            attention_head_dim=8,
            norm_num_groups=8,
        )
        vae = AutoencoderKL(
            block_out_channels=(16, 32),
            in_channels=3,
            out_channels=3,
            down_block_types=("DownEncoderBlock2D", "DownEncoderBlock2D"),
            up_block_types=("UpDecoderBlock2D", "UpDecoderBlock2D"),
            latent_channels=4,
            norm_num_groups=8,
            sample_size=64,
        )
        tokenizer = _tokenizer(path / "words")
        text_encoder = CLIPTextModel(
            CLIPTextConfig(
                bos_token_id=tokenizer.bos_token_id,
                eos_token_id=tokenizer.eos_token_id,
                pad_token_id=tokenizer.pad_token_id,
                hidden_size=32,
                intermediate_size=37,
                num_attention_heads=4,
                num_hidden_layers=2,
                vocab_size=len(tokenizer),
                max_position_embeddings=77,
            )
        )
        with torch.no_grad():  # as it is initialised, words hardly matter
            text_encoder.get_input_embeddings().weight.mul_(50)
    schedule: dict[str, Any] = {
        "beta_start": 0.00085,
        "beta_end": 0.012,
        "beta_schedule": "scaled_linear",
        "steps_offset": 1,
    }
    if ancestral:
        scheduler: Any = EulerAncestralDiscreteScheduler(**schedule)
    else:
        scheduler = DDIMScheduler(**schedule, clip_sample=False, set_alpha_to_one=False)
    pipe = StableDiffusionPipeline(
        vae=vae,
        text_encoder=text_encoder,
        tokenizer=tokenizer,
        unet=unet,
        scheduler=scheduler,
        safety_checker=None,
        feature_extractor=None,
        requires_safety_checker=False,
    )
    with quiet(transformers.utils.logging):
        pipe.save_pretrained(path / "pipeline")
    return path / "pipeline"


def _tokenizer(path: Path) -> Any:
    path.mkdir(parents=True, exist_ok=True)
    tokens = ["<|startoftext|>", "<|endoftext|>", *_LETTERS, *(f"{letter}</w>" for letter in _LETTERS)]
    (path / "vocab.json").write_text(json.dumps({token: i for i, token in enumerate(tokens)}))
    (path / "merges.txt").write_text("#version: 0.2\n")
    return CLIPTokenizer.from_pretrained(path, model_max_length=77)
