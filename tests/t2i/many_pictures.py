"""A run of `t2i judge` about any number of pictures, written without drawing one; also for benchmarks/t2i_memory.py.

The judge errs by a hash of the question, so that no number is a constant; one picture in a hundred was refused.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from counterbench.answers import PARSER_VERSION
from counterbench.drawing.domain import Domain
from counterbench.files import formats
from counterbench.runs.folder import Record, RunInfo, identity_of
from counterbench.runs.queries import Key, load_template
from counterbench.t2i.images.manifest import ImageRow
from counterbench.t2i.judging.run import ModelInfo, T2IInfo
from counterbench.t2i.prompts.files import load_prompts, write_prompt_set
from counterbench.t2i.prompts.prompt_set import Check, Prompt, PromptSet

JUDGE = "planted:bench"


def prompts_of(questions: int | None) -> PromptSet:
    """Laws as they ship; or, with a number of questions, as many prompts with so many checks each."""
    laws = load_prompts("laws")
    if questions is None:
        return laws
    checks = tuple(Check(id=f"c{i}", text=f"Is thing {i} there?", dimension=f"d{i % 3}") for i in range(questions))
    prompts = [
        Prompt(id=f"p{i:04}/one", group=f"p{i:04}", level="one", text=f"Prompt {i}", checks=checks, category=f"{i % 9}")
        for i in range(1000)
    ]
    return PromptSet("many", ["one"], prompts, protocol="checklist")


def samples_of(prompts: PromptSet, pictures: int) -> Iterator[ImageRow]:
    """The rows of so many pictures, prompt by prompt."""
    each, left = divmod(pictures, len(prompts.prompts))
    for number, prompt in enumerate(prompts.prompts):
        for sample in range(each + (number < left)):
            id = f"{prompt.id}/{sample}"
            yield ImageRow(
                id=id,
                group=prompt.group,
                level=prompt.level,
                sample=sample,
                prompt=prompt.text,
                prompt_digest=prompt.digest,
                seed=sample,
                status="ok" if _chance(id) > 0.01 else "refused",
                path=f"{id}.png",
                picture_digest=hashlib.blake2b(id.encode(), digest_size=16).hexdigest(),
                width=512,
                height=512,
                model="some-model-2026",
            )


def _chance(text: str) -> float:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=4).digest(), "big") / 2**32


def write_run(out: Path, pictures: int, questions: int | None = None) -> Path:
    """A run of `t2i judge` about so many pictures, complete."""
    prompts, template = prompts_of(questions), load_template()
    domain = Domain(renderer="some-model", style="flat", size="512x512", file_format="png")
    out.mkdir(parents=True)
    write_prompt_set(out / "prompts.jsonl", prompts)
    asked = 0
    with (
        (out / "samples.jsonl").open("wb") as samples,
        (out / "keys.jsonl").open("wb") as keys,
        (out / "journal.jsonl").open("wb") as journal,
    ):
        for row in samples_of(prompts, pictures):
            samples.write(formats.encode(row) + b"\n")
            for check in prompts.by_id[f"{row.group}/{row.level}"].checks if row.status == "ok" else ():
                asked += 1
                id = f"{row.id}/{check.id}"
                key = Key(
                    id=id,
                    group=row.id,
                    role=check.id,
                    expected="",
                    answer_type=check.answer_type,
                    relevant=True,
                    family=row.group,
                    category="",
                    skill=check.skill,
                    form="yes-no",
                    truth="unknown",
                )
                other = {"yes": "no", "no": "yes"}.get(check.expected, check.expected)
                question = hashlib.blake2b(f"{id}?".encode(), digest_size=16).hexdigest()
                record = Record(
                    id=id,
                    identity=identity_of(JUDGE, template.digest, id, question, 0),
                    asked=question,
                    reply=check.expected if _chance(f"{id}!") < 0.8 else other,
                    outcome="answer",
                    parser=PARSER_VERSION,
                    time="2026-01-01T00:00:00.000Z",
                    seconds=0.2,
                    model="bench-1",
                    finish="stop",
                    tokens_in=800,
                    tokens_out=2,
                    cost=0.001,
                )
                keys.write(formats.encode(key) + b"\n")
                journal.write(formats.encode(record) + b"\n")
    info = RunInfo(
        suite="many",
        suite_digest="d",
        seed=0,
        judge=JUDGE,
        template=template.name,
        template_digest=template.digest,
        votes=1,
        queries=asked,
        versions={"counterbench": "0", "parser": PARSER_VERSION},
        domain=domain,
    )
    formats.write_json(out / "run.json", info)
    model = ModelInfo(
        name="some-model",
        generator="some-model",
        images="images/some-model",
        images_digest="i",
        samples=1 + pictures // len(prompts.prompts),
        seed=0,
        domain=domain,
    )
    t2i = T2IInfo(
        models=(model,),
        prompts=prompts.name,
        prompts_digest=prompts.digest,
        prompts_seed=prompts.seed,
        levels=prompts.levels,
        style="flat",
        protocol=prompts.protocol,
        protocol_version=1,
        prompt_shown=False,
        uncertified=True,
    )
    formats.write_json(out / "t2i.json", t2i)
    return out
