"""What planted models truly score on the prompt set `laws`, as docs/t2i.md has it.

python benchmarks/planted_models.py        about ten seconds
"""

from __future__ import annotations

from collections.abc import Iterator

from counterbench.pictures.generators.planted import PlantedGenerator
from counterbench.pictures.protocols.cf_eval import CFEval
from counterbench.prompts.files import load_prompts

MODELS = ("reasoner", "literal", "prior", "starter", "noisy", "forgetful", "swapper")
COLUMNS = {
    "S_L1": "s_l1",
    "S_L2": "s_l2",
    "S_L3": "s_l3",
    "PRR": "prr",
    "RRR": "rrr",
    "gated away": "share_gated",
    "prior at L3": "prior_l3",
    "missing at L3": "missing_l3",
}


def table_lines() -> Iterator[str]:
    """The lines of the table, in Markdown."""
    prompts = load_prompts("laws")
    yield f"| model | {' | '.join(COLUMNS)} |"
    yield "|---" * (len(COLUMNS) + 1) + "|"
    for model in MODELS:
        found = CFEval().true_numbers(PlantedGenerator(model, prompts), prompts, 4)
        yield f"| `{model}` | {' | '.join(f'{found[name]:.2f}' for name in COLUMNS.values())} |"


if __name__ == "__main__":
    print("\n".join(table_lines()))
