"""Loads a checkpoint, a model that reads pictures and writes text, from the hub of Hugging Face or from a folder.

`load` is the main function: from a name and options it gives a `Checkpoint`, the model with all that a judge needs to
ask it. It hides progress bars (`quiet`), and turns any error of the libraries into one that says what to check
(`clear_errors`). The other functions find the device, give memory back, and tell versions of a model apart
(`fingerprint`). Judges of the kind `transformers:` and generators (which draw pictures) use them.
"""

import contextlib
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
import transformers
from transformers import AutoConfig, AutoModelForImageTextToText, AutoProcessor, GenerationConfig
from transformers.models.auto.modeling_auto import MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING
from transformers.utils import logging

from counterbench.errors import CounterbenchError, InputError, JudgeError
from counterbench.judges.local.batching import OUT_OF_MEMORY, as_failure
from counterbench.judges.local.checkpoint_options import LocalOptions, find_folder
from counterbench.judges.local.prompts import Prompted, Prompts

_BLOCK, _BLOCKS = 65536, 64  # the bytes in a block, and the number of blocks that are read of a large file, about


class Checkpoint(NamedTuple):
    """A loaded model with its processor and settings."""

    model: Any
    processor: Any  # turns pictures and texts into tensors
    prompts: Prompts  # words questions by the model's chat template
    label: str  # "name@commit" (or the folder's fingerprint), for replies: the weights behind a name may change
    ends: frozenset[int]  # the ids of the tokens that end a reply
    versions: dict[str, str]  # of torch and transformers; "device", and "dtype", the type of the weights

    def encode(self, prepared: Sequence[Prompted]) -> Any:
        """The tensors of some prompts (all with equally many pictures), on the model's device and in its type."""
        inputs = self.prompts.encode(prepared).to(self.model.device, dtype=self.model.dtype)
        longest = getattr(self.model.config.get_text_config(), "max_position_embeddings", None)
        if longest and inputs["input_ids"].shape[1] > longest:  # it would answer without reading all of it
            raise ValueError(f"a prompt of {inputs['input_ids'].shape[1]} tokens is longer than the model's {longest}")
        return inputs


def load(name: str, options: LocalOptions) -> Checkpoint:
    """The checkpoint called `name` on the hub, or in the folder of that name.

    InputError if the folder holds no model, or the device is not there. JudgeError, which says what to check, if the
    checkpoint cannot be loaded, or is not a model that reads pictures and writes text by a chat template.
    """
    where = f"transformers:{name}"
    source: dict[str, Any] = {"trust_remote_code": options.trust_remote_code}  # False: refuse, and do not ask the user
    if options.revision:
        source["revision"] = options.revision
    folder = find_folder(name, options.revision, where)
    if folder is not None and not (folder / "config.json").is_file():
        raise InputError(f"{where}: the folder has no config.json, so it is no saved model; check the path")
    path = name if folder is None else str(folder)
    device = None if options.device_map else find_device(options.device, where)
    with clear_errors(where, "image-text-to-text checkpoint", "device_map=auto"), quiet(logging):
        config = AutoConfig.from_pretrained(path, **source)
        _check_class(config, where)
        processor = AutoProcessor.from_pretrained(path, **source)
        tokenizer = _prepare_tokenizer(processor, where)
        prompts = Prompts(processor, where)
        model, report = AutoModelForImageTextToText.from_pretrained(
            path,
            config=config,
            dtype="auto" if options.dtype == "auto" else getattr(torch, options.dtype),
            device_map=options.device_map or None,
            output_loading_info=True,
            **source,
        )
        if missing := sorted(report["missing_keys"]):
            # transformers would go on with random numbers in their place.
            raise JudgeError(f"{where}: the checkpoint lacks {len(missing)} of the model's weights ({missing[0]}, …)")
        if options.mode == "choice" and model.config.is_encoder_decoder:
            raise JudgeError(f"{where}: mode=choice is for models that go on from the prompt; use mode=generate")
        if device is not None:
            model = model.to(device)
    model.eval()
    ends = _reset_generation(model, tokenizer)
    commit = getattr(config, "_commit_hash", None) if folder is None else fingerprint(folder)
    label = f"{name}@{commit or options.revision}" if commit or options.revision else name
    devices = {str(device) for device in getattr(model, "hf_device_map", {}).values()}
    versions = {
        "torch": str(torch.__version__),
        "transformers": str(transformers.__version__),
        "device": ", ".join(sorted(devices)) or str(model.device),
        "dtype": str(model.dtype).removeprefix("torch."),
    }
    return Checkpoint(model, processor, prompts, label, ends, versions)


def fingerprint(folder: Path) -> str:
    """Twelve hex digits that change when a saved model does: names and sizes of its files, and samples of their bytes.

    Small files are read whole; large ones in blocks from start to end, since any training changes all weights.
    """
    digest = hashlib.blake2b(digest_size=6)
    for file in sorted(path for path in folder.rglob("*") if path.is_file()):
        size = file.stat().st_size
        digest.update(f"{file.relative_to(folder).as_posix()} {size}\n".encode())
        with file.open("rb") as data:
            step = max(_BLOCK, size // _BLOCKS)
            for start in [*range(0, size, step), max(0, size - _BLOCK)]:
                data.seek(start)
                digest.update(data.read(_BLOCK))
    return digest.hexdigest()


def free_memory() -> None:
    """Give unused memory back to the device."""
    if torch.cuda.is_available():
        torch.cuda.empty_cache()
    elif torch.backends.mps.is_available():
        torch.mps.empty_cache()


def find_device(name: str, where: str) -> torch.device:
    """The device called `name`; InputError if there is no such device."""
    if name == "auto":
        name = "cuda" if torch.cuda.is_available() else "mps" if torch.backends.mps.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise InputError(f"{where}: no device is called {name!r}; choose auto, cpu, cuda, cuda:1 or mps") from None
    devices = {"cpu": 1, "cuda": torch.cuda.device_count(), "mps": int(torch.backends.mps.is_available())}
    if device.type in devices and (device.index or 0) >= devices[device.type]:
        raise InputError(f"{where}: device {name} is not there (torch {torch.__version__} sees {devices[device.type]})")
    return device


def _check_class(config: Any, where: str) -> None:
    """JudgeError unless the checkpoint is one that transformers loads for pictures and text."""
    remote = getattr(config, "auto_map", None) or {}
    if type(config) not in MODEL_FOR_IMAGE_TEXT_TO_TEXT_MAPPING and "AutoModelForImageTextToText" not in remote:
        kind = getattr(config, "model_type", "") or type(config).__name__
        raise JudgeError(
            f"{where}: a {kind!r} checkpoint is not one that transformers {transformers.__version__} loads as "
            "image-text-to-text; choose a vision-language model, or a newer transformers"
        )


def _prepare_tokenizer(processor: Any, where: str) -> Any:
    """The processor's tokenizer, padding on the left; JudgeError if the checkpoint has none for pictures and text."""
    tokenizer = getattr(processor, "tokenizer", None)
    if tokenizer is None or getattr(processor, "image_processor", None) is None:
        raise JudgeError(f"{where}: the checkpoint has no processor for pictures and text (preprocessor_config.json)")
    tokenizer.padding_side = "left"  # a reply goes on where the prompt ends
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    return tokenizer


def _reset_generation(model: Any, tokenizer: Any) -> frozenset[int]:
    """Reset a model's generation settings to the library's defaults; returns the ids of the tokens that end a reply.

    Special tokens are kept. Its other settings (a repetition penalty, top-k) would give "greedy" another meaning for
    each model.
    """
    settings = model.generation_config
    end_tokens = settings.eos_token_id if settings is not None else None
    ends = {*(end_tokens if isinstance(end_tokens, list | tuple) else [end_tokens]), tokenizer.eos_token_id} - {None}
    special_tokens = {name: getattr(settings, name, None) for name in ("bos_token_id", "decoder_start_token_id")}
    model.generation_config = GenerationConfig(
        **special_tokens, eos_token_id=sorted(ends) or None, pad_token_id=tokenizer.pad_token_id
    )
    return frozenset(ends)


@contextlib.contextmanager
def quiet(library: Any) -> Iterator[None]:
    """Hide progress bars, unless the error output is a terminal.

    `library`: the module `utils.logging` of transformers or diffusers.
    """
    if sys.stderr.isatty() or not library.is_progress_bar_enabled():
        yield
        return
    library.disable_progress_bar()
    try:
        yield
    finally:
        library.enable_progress_bar()


@contextlib.contextmanager
def clear_errors(where: str, what: str, smaller: str) -> Iterator[None]:
    """Turn the errors of a library into one JudgeError that says what to check.

    `what`: the thing to load, in words. `smaller`: the option with which it needs less memory at once.
    """
    try:
        yield
    except CounterbenchError:
        raise
    except Exception as error:  # of many kinds, for one reason: this model cannot be loaded
        raise JudgeError(f"{where}: {_advice(error, what, smaller)}") from error


def _advice(error: Exception, what: str, smaller: str) -> str:
    """Advice to the user about an error in loading; `what` and `smaller`: see `clear_errors`."""
    text = " ".join(str(error).split())
    short = text[:300] + ("…" if len(text) > 300 else "")
    if as_failure(error).kind == OUT_OF_MEMORY:
        return f"does not fit into the device's memory; try dtype=bfloat16, or {smaller}"
    if "trust_remote_code" in text:
        return "brings Python code of its own; read it, and if you trust it, add trust_remote_code=true"
    if isinstance(error, ImportError):
        return f"needs a package that is not installed: {short}"
    if isinstance(error, OSError) and ("connect" in text or "offline" in text or "not a valid model" in text):
        return (
            "cannot be fetched from the hub, nor found in its cache on this machine; check the name, the network and "
            "(for a gated model) HF_TOKEN, or give the path of a folder"
        )
    if "AutoPipeline" in text:
        return f"is not a pipeline that draws pictures from words: {short}"
    return f"cannot be loaded ({type(error).__name__}: {short}); check that it is a whole {what}"
