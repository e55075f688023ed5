"""Evidence on the pictures that are scored, by simulation: the tables of docs/evidence.md.

    python benchmarks/evidence.py                all tables, some minutes
    python benchmarks/evidence.py relations      one alone

stickers       verdicts on planted judges from stickers on photographs, on laws' pictures and on noise
relations    simulated audits of 60 pictures each, of questions about things with duplicates, missing and two-tone ones
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np
from PIL import Image
from skimage import data

from counterbench.answers import read_reply
from counterbench.answers.outcomes import Answer as Told
from counterbench.evidence.cells import PairCount, cell_result, needed_e_value
from counterbench.evidence.policies import load_policy
from counterbench.judges import open_judge
from counterbench.pictures.auditing.bound import share_low
from counterbench.pictures.auditing.edits import edited_things
from counterbench.pictures.auditing.relations import ASKED, RELATIONS, Extra, YesOrNo, most_answers
from counterbench.pictures.auditing.repair import broken, least_wrong
from counterbench.pictures.auditing.things import AuditedThing, Reading, holds
from counterbench.prompts.claims import Beside, Both, Claim, Coloured, CountClaim, Present
from counterbench.prompts.nouns import plural
from counterbench.runs.pair_queries import keys_of, questions_of
from counterbench.scene.pairs import Pair
from counterbench.suites.stickers import drawn_grounds, sticker_suite
from counterbench.suites.suite import load_suite

AUDITS, GROUPS, POOL = 1000, 60, 1500
MAX_WRONG = 0.15  # of wrong answers, by the standard policy
KINDS, COLOURS = ("cat", "dog", "ball", "box"), ("red", "blue", "green", "yellow")
Things = tuple[AuditedThing, ...]
Says = Callable[[Extra, Things], bool]


class Errors(NamedTuple):
    """One audited question: its answers, those that are wrong, and those that must be."""

    of: int
    wrong: int
    least: int
    broken: dict[str, bool]  # by relation that takes the question


def some_thing(source: random.Random, kind: str = "", colour: str = "") -> AuditedThing:
    """A thing in some place; one in six is two-tone."""
    colours = {colour or source.choice(COLOURS)} | ({source.choice(COLOURS)} if source.random() < 1 / 6 else set())
    return AuditedThing(kind or source.choice(KINDS), tuple(sorted(colours)), source.randrange(100))


def wanted(source: random.Random) -> tuple[Claim, Things]:
    """A question, and the things of a picture to which the answer is yes."""
    noun, other_noun = source.sample(KINDS, 2)
    colour, number = source.choice(COLOURS), source.choice((1, 2, 2, 3, 4))
    left, right = AuditedThing(noun, (colour,), 20), AuditedThing(other_noun, (source.choice(COLOURS),), 70)
    kinds: list[tuple[int, Claim, Things]] = [
        (25, Present(noun), (left,)),
        (15, Present(f"{colour} {noun}"), (left,)),
        (
            20,
            CountClaim(plural(noun), number),
            tuple(AuditedThing(noun, (colour,), 10 * place) for place in range(number)),
        ),
        (15, Beside(noun, "left", other_noun), (left, right)),
        (15, Coloured(noun, colour), (left,)),
        (10, Both(Present(noun), Present(other_noun)), (left, right)),
    ]
    _, claim, things = source.choices(kinds, [weight for weight, *_ in kinds])[0]
    return claim, things


def drawn_things(source: random.Random, right: Things) -> Things:
    """A picture as a model draws it: right in half of the cases; else things are missing, doubled, moved or painted."""
    things = [*right, *(some_thing(source) for _ in range(source.randrange(3)))]
    if source.random() < 0.5:
        change = source.randrange(4)
        if change == 0:
            things.pop(0)
        elif change == 1:
            things.append(some_thing(source, things[0].kind))
        else:
            things[0] = some_thing(source, things[0].kind, "" if change == 2 else things[0].colours[0])
    return tuple(things)


def noisy(source: random.Random, rate: float, right: Things, true: Says) -> Says:
    return lambda extra, things: true(extra, things) != (source.random() < rate)


def always_yes(source: random.Random, rate: float, right: Things, true: Says) -> Says:
    return (lambda extra, things: True) if source.random() < rate else true


def prior_bound(source: random.Random, rate: float, right: Things, true: Says) -> Says:
    """As if the image showed what the prompt asks for."""
    return (lambda extra, things: holds(extra.claim, right)) if source.random() < rate else true


def left_right(source: random.Random, rate: float, right: Things, true: Says) -> Says:
    """Takes left for right all over a picture."""
    turns = source.random() < rate
    return lambda extra, own: true(extra, edited_things("mirrored", own) if turns and extra.edit != "together" else own)


def sides_by_coin(source: random.Random, rate: float, right: Things, true: Says) -> Says:
    """Answers questions for a side by chance all over a picture."""
    tossed = source.random() < rate
    return lambda extra, things: (
        source.random() < 0.5 if tossed and isinstance(extra.claim, Beside) else true(extra, things)
    )


def off_by_one(source: random.Random, rate: float, right: Things, true: Says) -> Says:
    """Counts one more wherever it counts anything."""
    more = source.random() < rate

    def says(extra: Extra, things: Things) -> bool:
        counts = isinstance(extra.claim, CountClaim) and extra.claim.reading == "exactly"
        return true(extra, (*things, things[0])) if more and counts and things else true(extra, things)

    return says


FAULTS: dict[str, Callable[[random.Random, float, Things, Says], Says]] = {
    "independent noise": noisy,
    "always yes": always_yes,
    "prior-bound": prior_bound,
    "sides by coin": sides_by_coin,
    "left for right": left_right,
    "off by one": off_by_one,
}
RATES = {"independent noise": (0.05, 0.1, 0.2, 0.4)}  # of answers; of all others, of pictures


def group(source: random.Random, fault: str, rate: float) -> Errors:
    """One group, of a judge that has a fault in a share of pictures (or answers, if it is noise)."""
    claim, right = wanted(source)
    own, other = drawn_things(source, right), drawn_things(source, wanted(source)[1])
    how = Reading(*(source.random() < 0.5 for _ in range(4)))

    def true(extra: Extra, things: Things) -> bool:
        return holds(extra.claim, things, how)

    says = FAULTS[fault](source, rate, right, true)
    ties = {name: tie for name, relation in RELATIONS.items() if (tie := relation.applied_to(claim, claim.text)).extras}
    extras = {ASKED: Extra(ASKED, claim)}
    extras |= {extra.name: extra for tie in ties.values() for extra in tie.extras}
    answers: dict[str, YesOrNo] = {}
    wrong = 0
    for name, extra in extras.items():
        things = edited_things(extra.edit, own, other)
        yes = says(extra, things)
        wrong += yes != true(extra, things)
        answers[name] = "yes" if yes else "no"
    least = least_wrong(answers, [clause for tie in ties.values() for clause in tie.clauses])
    return Errors(len(answers), wrong, least, {name: bool(broken(answers, tie.clauses)) for name, tie in ties.items()})


def relations() -> None:
    """Coverage and tightness by kind of error and rate; the relations that catch each kind."""
    most, source = most_answers([*RELATIONS]), np.random.default_rng(1)
    print(f"\n**{AUDITS:,} audits of {GROUPS} pictures** a row; wrong: of all answers.\n")
    print("| error | rate | wrong | at least wrong | mean bound | bound ≤ wrong | bound ≤ at least | revoked |")
    print("|---" * 8 + "|")
    caught: dict[str, list[Errors]] = {}
    for fault in FAULTS:
        for rate in RATES.get(fault, (0.1, 0.2, 0.4, 1.0)):
            pool = [group(random.Random(f"{fault}/{rate}/{number}"), fault, rate) for number in range(POOL)]
            answers, wrong, least = (np.array([getattr(g, name) for g in pool]) for name in ("of", "wrong", "least"))
            true, shown = wrong.sum() / answers.sum(), least.sum() / answers.sum()
            bounds = []
            for _ in range(AUDITS):
                drawn = source.integers(0, POOL, GROUPS)
                bounds.append(share_low(least[drawn].tolist(), answers[drawn].tolist(), most))
            holds_true, holds_least = (np.mean(np.array(bounds) <= share) for share in (true, shown))
            revoked = np.mean(np.array(bounds) > MAX_WRONG)
            row = f"{fault} | {rate:g} | {true:.3f} | {shown:.3f} | {np.mean(bounds):.3f}"
            print(f"| {row} | {holds_true:.1%} | {holds_least:.1%} | {revoked:.0%} |")
        caught[fault] = pool
    print("\n**Pictures that a relation finds broken**, of those whose question it takes, at the highest rate.\n")
    print(f"| error | {' | '.join(RELATIONS)} |")
    print("|---" * (1 + len(RELATIONS)) + "|")
    for fault, pool in caught.items():
        shares = [
            np.mean([g.broken[name] for g in pool if name in g.broken]) for name in RELATIONS
        ]  # fmt: skip
        print(f"| {fault} | {' | '.join(f'{share:.0%}' for share in shares)} |")


JUDGES = (
    "oracle",
    "noisy?p=0.015",  # CCS .97
    "style-blind?p=1",  # sees on plain grounds alone
    "small-blind?p=1",
    "left-blind?p=1",
    "text-led?p=1",
    "left-right?p=1",
    "colour-confusion?p=1",
    "off-by-one?p=1",
    "yes-bias?p=1",
)


def ground_kinds(folder: Path) -> dict[str, list[Path]]:
    """Files of pictures by kind: photographs, our own laws' pictures, cards with words, noise."""
    kinds: dict[str, list[Image.Image]] = {
        "photographs": [
            Image.fromarray(getattr(data, name)()).convert("RGB")
            for name in ("astronaut", "chelsea", "coffee", "rocket", "brick", "grass", "gravel", "cat")
        ],
        "laws": [scene.image() for pair in load_suite("laws")[::800][:12] for scene in pair.scenes],
        "noise": [
            Image.fromarray(np.random.default_rng(n).integers(0, 256, (512, 512, 3), dtype=np.uint8)) for n in range(6)
        ],
    }
    files: dict[str, list[Path]] = {}
    for kind, pictures in kinds.items():
        files[kind] = []
        for number, picture in enumerate(pictures):
            files[kind].append(folder / f"{kind}-{number}.png")
            picture.save(files[kind][-1])
    return files


def sticker_pairs(files: Sequence[Path], seed: int) -> list[Pair]:
    """The pairs of one test."""
    suite = sticker_suite(load_suite("stickers", seed), count=60)
    return list(replace(suite, grounds=tuple(drawn_grounds(files, 60, seed))))


def count_verdicts(name: str, drawn: Sequence[Sequence[Pair]], seeds: int) -> list[int]:
    """How often a judge passes, stays undecided and fails."""
    policy = load_policy("standard")
    counted = {"pass": 0, "not-enough-evidence": 0, "fail": 0}
    for seed in range(seeds):
        pairs = drawn[seed % len(drawn)]
        keys = [key for pair in pairs for key in keys_of(pair, "sticker")]
        sign = "&" if "?" in name else "?"
        judge = open_judge(f"planted:{name}{sign}seed={seed}", partial(iter, keys))
        queries = [query for pair in pairs for query in questions_of(pair)]
        replies = asyncio.run(judge.answer(queries))
        right = [
            isinstance(answer := read_reply(reply.text or "", query.answer_type), Told) and answer.value == key.expected
            for query, reply, key in zip(queries, replies, keys, strict=True)
        ]
        both = sum(first and second for first, second in zip(right[::2], right[1::2], strict=True))
        counted[cell_result(PairCount(both, len(pairs) - both), policy.ccs, needed_e_value(policy, 1)).verdict] += 1
    return list(counted.values())


def stickers(seeds: int = 100) -> None:
    """Verdicts by judge and kind of ground; grounds are drawn anew for every fifth seed."""
    with tempfile.TemporaryDirectory() as folder:
        kinds = ground_kinds(Path(folder))
        drawn = {kind: [sticker_pairs(files, seed) for seed in range(seeds // 5)] for kind, files in kinds.items()}
    print(f"Stickers, 60 pairs pooled: passed/undecided/failed of {seeds} seeds, by ground")
    print(f"{'judge':<24}" + "".join(f"{kind:>14}" for kind in kinds))
    for name in JUDGES:
        row = ["/".join(map(str, count_verdicts(name, pairs, seeds))) for pairs in drawn.values()]
        print(f"{name:<24}" + "".join(f"{counts:>14}" for counts in row), flush=True)


TABLES: dict[str, Callable[[], None]] = {"stickers": stickers, "relations": relations}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", choices=[*TABLES, []], help="by default all")
    for name in parser.parse_args().tables or TABLES:
        TABLES[name]()
