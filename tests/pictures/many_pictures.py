"""A run of `t2i judge` about any number of pictures, written without drawing one; also for benchmarks/growth.py.

The judge errs by a hash of the question, so that no number is a constant.
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path

from counterbench.files import formats
from counterbench.pictures.judging.imported_replies import import_picture_replies
from counterbench.prompts.files import load_prompts
from counterbench.prompts.prompt_set import Check, Prompt, PromptSet


def prompts_of(questions: int | None) -> PromptSet:
    """Laws as they ship; or, with a number of questions, as many prompts with so many checks each."""
    laws = load_prompts("laws")
    if questions is None:
        return laws
    checks = tuple(Check(id=f"c{i}", text=f"Is thing {i} there?", dimension=f"d{i % 3}") for i in range(questions))
    prompts = [Prompt.at(f"p{i:04}", "one", f"Prompt {i}", checks=checks, category=f"{i % 9}") for i in range(1000)]
    return PromptSet("many", ["one"], prompts, protocol="checklist")


def replies_to(prompts: PromptSet, pictures: int) -> Iterator[dict[str, object]]:
    """The replies about so many pictures, prompt by prompt."""
    samples, left = divmod(pictures, len(prompts.prompts))
    for number, prompt in enumerate(prompts.prompts):
        for sample in range(samples + (number < left)):
            for check in prompt.checks:
                wrong = hashlib.blake2b(f"{prompt.id}/{sample}/{check.id}".encode(), digest_size=1).digest()[0] < 51
                answer = {"yes": "no", "no": "yes"}[check.expected] if wrong else check.expected
                yield {"id": prompt.id, "sample": sample, "check": check.id, "answer": answer, "model": "some-model"}


def write_run(out: Path, pictures: int, questions: int | None = None) -> Path:
    """A run of `t2i judge` about so many pictures, complete."""
    prompts = prompts_of(questions)
    out.parent.mkdir(parents=True, exist_ok=True)
    table = out.with_name(f"{out.name}.jsonl")
    formats.write_lines(table, list(replies_to(prompts, pictures)))
    return import_picture_replies(table, prompts, "bench", out).out
