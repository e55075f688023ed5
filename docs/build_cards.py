"""Builds the board of examples: python docs/build_cards.py --out cards.

Planted judges with made-up prices, one for each fault and some that count up to different numbers, and the pixel
reader. The same command again resumes. cards/site is the board.
"""

import argparse
from pathlib import Path

import counterbench as cb
from counterbench.api import run_asking
from counterbench.evidence.validation import Validation
from counterbench.pages.cards import write_card
from counterbench.pages.cards.board import write_board

# Prices in US dollars for a thousand replies: made up, as all about these judges.
ON_LADDERS = {
    "oracle?price=9": "no fault",
    "threshold?dial=count&at=6&slope=2&price=0.2": "counts little, cheap",
    "threshold?dial=count&at=13&slope=2&price=0.7": "counts enough, cheap",
    "threshold?dial=count&at=26&slope=1&price=4": "counts much, dear",
}
FAULTS = {
    "sticky": 0.5, "blind": 0.3, "yes-bias": 0.4, "no-bias": 0.4, "agreeable": 0.6, "off-by-one": 0.9, "random": 0.05,
    "arrow-blind": 1.5, "colour-confusion": 0.8, "text-led": 2, "left-right": 1.1, "unparsed": 0.7, "refusing": 3,
}  # fmt: skip


def card(folder: Path, judge: str, *suites: str, name: str = "") -> Path:
    """The folder of a judge's card, beside its runs on these suites, each asked until it is decided."""
    for suite in suites:  # no doctor turns a judge away first
        validation = Validation(judge, suite, out=folder / suite, name=name)
        run_asking(validation.asking(), None)
        validation.conclude()
    write_card([folder / suite for suite in suites], folder / "card")
    return folder / "card"


def main() -> None:
    """Ask, and build."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--out", type=Path, required=True)
    out = options.parse_args().out
    on_ladders = enumerate(ON_LADDERS.items())
    cards = [card(out / f"ladders-{n}", f"planted:{judge}", "ladder", name=name) for n, (judge, name) in on_ladders]
    for fault, price in FAULTS.items():
        run = out / fault / "certify"
        cb.probe("certify", f"planted:{fault}?price={price:g}", out=run, limit=400)
        write_card([run], out / fault / "card")
        cards.append(out / fault / "card")
    cards.append(card(out / "pixels", "pixels", "ladder", "certify"))
    made = write_board(cards, out / "site")
    print(*made.refused.values(), made.page, sep="\n")


if __name__ == "__main__":
    main()
