"""TRL's GRPO trainer on the stream of training items: what docs/training.md shows runs, and the reward rises.

A small real model with pictures first learns, by a few supervised steps, to say a colour; then it is trained by reward
alone. The control is given the same rewards, shuffled among the replies of each batch.
"""

import random
import re
import time
from collections.abc import Callable
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
import torch
import trl
from datasets import IterableDataset
from small_vlm import build_small_vlm
from transformers import AutoModelForImageTextToText, AutoProcessor
from trl import GRPOConfig, GRPOTrainer

import counterbench as cb
from counterbench.suites.suite import Suite, parse_suite

ROOT = Path(__file__).parents[3]
Rewards = Callable[..., list[float]]
STEPS, MAX_STEPS = 60, 200
CPU_SECONDS = 300  # of the processor, for all that this file does
torch.set_num_threads(1)


@pytest.fixture(scope="module")
def colour_suite() -> Suite:
    """One large shape; what color is it? What so small a model can learn to see in a minute."""
    params = {"distractors": [0, 0], "shape_size": [30, 45], "descriptions": ["kind"]}
    family = {"name": "attribute", "count": 8, "params": params}
    data = {"format": "counterbench.suite/1", "name": "colours", "width": 128, "height": 128, "family": [family]}
    return parse_suite(data, "colours.toml")


@pytest.fixture(scope="module")
def checkpoint(colour_suite: Suite, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved model that answers with a colour, and with the right one about half the time."""
    path = build_small_vlm(tmp_path_factory.mktemp("models") / "small")
    processor, model = AutoProcessor.from_pretrained(path), AutoModelForImageTextToText.from_pretrained(path).float()
    torch.manual_seed(0)
    for parameter in model.parameters():
        if parameter.dim() >= 2:  # as built, a picture's change shows; it learns from weights as small as usual
            torch.nn.init.normal_(parameter, 0, 0.06)
    optimiser = torch.optim.AdamW(model.parameters(), lr=2e-3)
    stream = cb.items(colour_suite)
    for _ in range(30):
        batch = list(islice(stream, 16))
        texts = [f"{chat_text(processor, item)} {item['answer']}</s>" for item in batch]
        inputs = processor(text=texts, images=[[i["image"]] for i in batch], return_tensors="pt", padding=True)
        labels = inputs["input_ids"].clone()
        labels[:, :-2] = -100  # the answer and the end: padding is on the left
        optimiser.zero_grad()
        model(**inputs, labels=labels).loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
    model.save_pretrained(path)
    return path


def chat_text(processor: Any, item: Any) -> str:
    content = [{"type": "image"}, {"type": "text", "text": item["prompt"][0]["content"]}]
    return str(processor.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True))


def recipes() -> list[str]:
    """The blocks of the page that need a trainer."""
    found = re.findall(r"```py\n(.*?)```", (ROOT / "docs" / "training.md").read_text(), re.DOTALL)
    assert len(found) == 2
    return found


@pytest.fixture(scope="module")
def named(checkpoint: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the recipe for TRL defines, run as it is written, but on a CPU."""
    names: dict[str, Any] = {"MODEL": str(checkpoint), "STEPS": 2}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("recipe"))
        patch.setattr(trl, "GRPOConfig", partial(GRPOConfig, use_cpu=True, bf16=False))
        exec(recipes()[0], names)
    return names


def test_the_recipe_of_the_docs_runs(named: dict[str, Any]) -> None:
    last = named["trainer"].state.log_history[-1]
    assert named["trainer"].state.global_step == 2
    assert {"rewards/right/mean", "rewards/ccs/mean", "unparsed"} <= {*last, *named["trainer"].state.log_history[0]}


def train(checkpoint: Path, colours: Suite, right: Rewards, seed: int, out: Path, *, shuffled: bool) -> list[float]:
    """The share of right replies, step by step."""
    shares: list[float] = []
    chance = random.Random(seed)

    def rewarded(**given: Any) -> list[float]:
        worth = right(**given)
        shares.append(fmean(worth))
        return chance.sample(worth, len(worth)) if shuffled else worth

    options = GRPOConfig(
        output_dir=str(out),
        max_steps=STEPS,
        per_device_train_batch_size=32,
        num_generations=8,
        max_completion_length=3,
        learning_rate=2e-3,
        lr_scheduler_type="constant",
        shuffle_dataset=False,
        save_strategy="no",
        seed=seed,
        bf16=False,
        use_cpu=True,
        disable_tqdm=True,
    )
    stream = IterableDataset.from_generator(cb.items, gen_kwargs={"suite": colours, "seed": 100 + seed})
    trainer = GRPOTrainer(str(checkpoint), [rewarded], options, stream)
    trainer.train()
    assert len(shares) == trainer.state.global_step <= MAX_STEPS
    return shares


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_reward_rises_and_with_shuffled_rewards_it_does_not(
    seed: int, checkpoint: Path, colour_suite: Suite, named: dict[str, Any], tmp_path: Path
) -> None:
    rises = train(checkpoint, colour_suite, named["right"], seed, tmp_path, shuffled=False)
    control = train(checkpoint, colour_suite, named["right"], seed, tmp_path, shuffled=True)
    print(f"seed {seed}: {fmean(rises[:5]):.2f} → {fmean(rises[-20:]):.2f}; {fmean(control[-20:]):.2f} shuffled")
    assert fmean(rises[-20:]) > fmean(rises[:5]) + 0.1
    assert fmean(rises[-20:]) > fmean(control[-20:]) + 0.2
    assert time.process_time() < CPU_SECONDS


def test_workers_of_a_data_loader_share_the_stream() -> None:
    names: dict[str, Any] = {"RANK": 1, "RANKS": 2, "cb": cb}
    exec(recipes()[1], names)
    next(cb.items("certify"))
    loaded = list(islice(torch.utils.data.DataLoader(names["Pairs"](), batch_size=None, num_workers=2), 12))
    # Ranks have two workers each; rank 1 has shards 2 and 3 of 4.
    assert {item["position"] % 4 for item in loaded} == {2, 3}
    assert len({(item["pair"], item["role"]) for item in loaded}) == 12


def test_the_stream_is_a_data_set_that_resumes_where_it_stopped(colour_suite: Suite) -> None:
    stream = IterableDataset.from_generator(cb.items, gen_kwargs={"suite": colour_suite, "seed": 3})
    rows = list(stream.take(10))
    for row, item in zip(rows, cb.items(colour_suite, 3), strict=False):
        assert row["image"].tobytes() == item["image"].tobytes()
        assert {name: row[name] for name in item if name != "image"} == {k: item[k] for k in item if k != "image"}
        assert cb.reward(row["answer"], row) == 1.0
    stream = IterableDataset.from_generator(cb.items, gen_kwargs={"suite": colour_suite, "seed": 3})
    begun = iter(stream)
    for _ in range(4):
        next(begun)
    again = IterableDataset.from_generator(cb.items, gen_kwargs={"suite": colour_suite, "seed": 3})
    again.load_state_dict(stream.state_dict())
    assert [row["pair"] for row in islice(again, 6)] == [row["pair"] for row in rows[4:]]
