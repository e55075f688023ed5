"""The commands `card` and `site`: what a judge can see, published from its runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from counterbench.cli.app import CHECK_FAILED
from counterbench.cli.options import AsJson
from counterbench.cli.printing import print_json, progress, say, say_all, say_next
from counterbench.text import counted, points, quoted

if TYPE_CHECKING:
    from counterbench.cli.grid import Table
    from counterbench.pages.cards import CardDocument


def card(
    runs: list[Path] = typer.Argument(metavar="RUN…", help="Runs of one judge about pairs, each on a different suite."),
    out: Path = typer.Option(metavar="DIR", help="The folder to write: index.html, card.json, badge.svg."),
    include_pictures: bool = typer.Option(
        False, "--include-pictures", help="Also publish your own pictures, prompts and names."
    ),
    as_json: AsJson = False,
) -> None:
    """Publish what a judge can see: a page, a JSON document, a badge.

    Everything on it is derived from the runs. Paths, addresses and your own pictures, prompts and names are left out.
    A run whose files contradict its replies is refused.
    Example: counterbench card runs/ladder--pixels --out card
    """
    from counterbench.cli.grid import show
    from counterbench.pages.cards import write_card
    from counterbench.pages.cards.card_page import BADGE_FILE, CARD_FILE, PAGE_FILE

    written = write_card(runs, out, include_pictures)
    if as_json:
        print_json(written)
        return
    show(_table(written))
    say_all(f"not for {line}" for line in written.not_for)
    say(f"{out / PAGE_FILE}, {out / CARD_FILE}, {out / BADGE_FILE}")
    say_next(f"open {quoted(out / PAGE_FILE)} in a browser")


def _table(card: CardDocument) -> Table:
    """The content of a card as a table of two columns: the thing, and what the judge shows of it."""
    from counterbench.cli.grid import Table

    table = Table(" · ".join(card.badge), ["what", "shown"])
    for name, ladder in (card.ladders or {}).items():
        table.add_row(f"ladder {name}", ladder.says)
    for skill in card.sees or ():
        table.add_row(skill.name, f"{skill.outcome}: {skill.right} of {skill.of} right")
    for fault in card.faults or ():
        table.add_row(f"fault {fault.name}", f"costs {points(fault.cost)} of CCS in {fault.suite}")
    if card.rates is not None and card.rates.usd is not None:
        made_up = " (a made-up price)" if card.rates.stated else ""
        table.add_row("price", f"${card.rates.usd:.4g} for a thousand right answers{made_up}")
    if card.steadiness is not None:
        table.add_row("steadiness", f"{card.steadiness.verdict}, {counted(card.steadiness.looks, 'look')}")
    return table


def site(
    folders: list[Path] = typer.Argument(metavar="CARD…", help="Folders that `card` wrote."),
    out: Path = typer.Option(metavar="DIR", help="The folder to write: index.html, index.json, all cards."),
    as_json: AsJson = False,
) -> None:
    """Publish a board: one page over the cards of many judges.

    One page with a table to sort and filter; it opens from a file. It says of each card if its runs lie in its folder
    or beside it, and if they verify it. A folder without a card is left out and named. Exits with 1 if one was left
    out, or if runs contradict their card.
    Example: counterbench site cards/* --out site
    """
    from counterbench.pages.cards.board import write_board

    with progress("reading", quiet=as_json) as on_progress:
        made = write_board(folders, out, on_progress)
    judges = made.content.judges
    if as_json:
        cards, runs = [judge.card for judge in judges], {judge.slug: judge.runs for judge in judges}
        print_json({"page": str(made.page), "judges": cards, "runs": runs, "refused": made.refused})
    else:
        for why in made.refused.values():
            say(why, err=True)
        left_out = counted(made.content.left_out, "folder")
        say(f"{made.page}: {counted(len(judges), 'judge')}, {left_out} left out")
        say_next(f"open {quoted(made.page)} in a browser")
    if made.refused:
        raise typer.Exit(CHECK_FAILED)
