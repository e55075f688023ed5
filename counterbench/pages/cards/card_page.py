"""Writes a judge's card into a folder: `card.json` with its schema, the page `index.html` and the badge `badge.svg`.

A *card* says what one judge was shown to see. In go the folders of the judge's runs (`write_card`, for the command
`card`), or a card that was derived from them (`write_files`, for a board of cards). The card's data are a
`CardDocument` (`derive` makes it from runs); here are its page (`card_page`, with the functions that give the facts on
it) and its badge, a small picture with a few words.
"""

import html
from collections.abc import Iterator, Sequence
from pathlib import Path

from counterbench.errors import InputError
from counterbench.files import formats
from counterbench.files.installation import needed
from counterbench.pages import words
from counterbench.pages.cards.derive import derive
from counterbench.pages.cards.document import CardDocument, CardSource, schema
from counterbench.pages.frame import PageFact, Section, render
from counterbench.pages.judges import find_source
from counterbench.pages.ladders import ladder_rows, ladders_section
from counterbench.pages.missed import Missed, missed
from counterbench.pages.pictures import EMBEDDED, thumbnail
from counterbench.results.results import load_results
from counterbench.results.scores import Share
from counterbench.runs.usage import answered_as
from counterbench.suites.folder import SUITE_FILE
from counterbench.text import brief, counted, listed

CARD_FILE, SCHEMA_FILE, BADGE_FILE, PAGE_FILE = "card.json", "card.schema.json", "badge.svg", "index.html"
_MAX_EXAMPLES = 3  # pairs of each run that the judge was wrong on and that the page shows
# The words of the two tables of counts: label, caption, and head of the column of names.
_CELLS = "Cells", "Right on both pictures, by kind of question", "cell"
_KINDS = "Picture kinds", "The same, by kind of picture", "picture kind"
# The words for the fields of a card that are null if no run shows them, by field.
_WORDS_OF_FIELDS = {
    "sees": "skills",
    "ladders": "ladders",
    "position_bias": "position bias",
    "yes_bias": "yes-bias",
    "prior_strength": "prior strength",
    "flips": "other templates",
    "steadiness": "steadiness",
    "rates": "price and time",
}


class Card(CardDocument, frozen=True, kw_only=True):
    """A card that shows itself in a notebook."""

    def __repr__(self) -> str:
        """The judge's name and the badge."""
        return brief(self, f"{self.who.judge}: {' · '.join(self.badge)}")

    def _repr_html_(self) -> str:
        """The whole page as HTML, in a frame."""
        page = html.escape(card_page(self), quote=True)
        return f'<iframe title="judge card" sandbox srcdoc="{page}" width="100%" height="900"></iframe>'


def write_card(paths: Sequence[Path], out: Path, include_pictures: bool = False) -> CardDocument:
    """Write the card of these runs of one judge into the folder `out`; returns its data.

    `include_pictures`: True if the user's own names, and pairs as examples, may stand on it. InputError if `out` holds
    something else, if the extra `report` is not installed, or as `derive` raises it.
    """
    needed("jinja2", "a card", "report")
    card = derive(paths, include_pictures)
    examples = [example for path in paths for example in _examples(path)] if include_pictures else []
    with formats.claim(out, "a card", [CARD_FILE], lambda: _refuse_other(out / CARD_FILE, card)):
        write_files(card, out, examples)
    return card


def _refuse_other(file: Path, card: CardDocument) -> None:
    """Raise InputError if `file` holds the card of another judge; do nothing if there is no such file."""
    if file.is_file() and (other := formats.read_json(file, CardDocument).who.judge) != card.who.judge:
        raise InputError(f"{file.parent}: holds the card of {other!r}, not of {card.who.judge!r}; choose another --out")


def write_files(card: CardDocument, out: Path, examples: Sequence[Missed] = ()) -> None:
    """Write the files of a card into an existing folder; `examples`: pairs that the judge was wrong on."""
    formats.write_json(out / SCHEMA_FILE, schema())
    formats.write_atomically(out / BADGE_FILE, badge(card).encode())
    formats.write_atomically(out / PAGE_FILE, card_page(card, examples).encode())
    formats.write_json(out / CARD_FILE, card)


def card_page(card: CardDocument, examples: Sequence[Missed] = ()) -> str:
    """The card as one HTML document."""
    who = card.who
    dates = " to ".join(dict.fromkeys(filter(None, (who.asked_from, who.asked_until))))
    return render(
        "card",
        list(_sections(card, examples)),
        called="judge card",
        title=shown_name(card),
        lede="What this judge was shown to see, derived from its replies to pairs of pictures that differ in one "
        "declared way. A pair counts as right if both of its answers are.",
        stamp=[
            f"template {who.template}",
            *who.pictures,
            *([f"asked {dates}"] if dates else []),
            f"policy {card.policy}",
            f"counterbench {card.version}",
        ],
    )


def _sections(card: CardDocument, examples: Sequence[Missed]) -> Iterator[Section]:
    """The sections of a card's page that have any content, in the order of the page."""
    unmeasured = [name for field, name in _WORDS_OF_FIELDS.items() if getattr(card, field) is None]
    yield Section("sees", "What it sees", {"card": card, "unmeasured": unmeasured})
    if card.ladders:
        rows = ladder_rows(card.ladders, card.bound)
        yield ladders_section([("", rows)], f"{words.percent(card.bound, 0)}\u00a0%")
    yield Section("limits", "Not for", {"lines": card.not_for})
    if card.faults is not None:
        yield Section("faults", "Faults", {"card": card, "facts": list(_leans(card))})
    if examples:
        yield Section("examples", "Examples", {"missed": examples})
    if facts := list(_costs(card)):
        yield Section("cost", "Price, time and steadiness", {"facts": facts})
    if tables := [(*names, rows) for *names, rows in ((*_CELLS, card.cells), (*_KINDS, card.kinds)) if rows]:
        yield Section("counts", "Evidence", {"tables": tables})
    runs = [(run, _run_facts(run)) for run in card.runs]
    yield Section("origin", "Provenance", {"facts": _facts(card), "runs": runs})


def shown_name(card: CardDocument) -> str:
    """The judge's name for tables: the user's name for it, else its own name."""
    return card.who.called or card.who.judge


def _facts(card: CardDocument) -> Iterator[PageFact]:
    """Facts about the judge, its template, and the scoring of its replies."""
    who = card.who
    yield "judge, as asked", who.kind, who.judge
    if who.models:
        yield "models returned", answered_as(who.models), ""
    yield "template", f"{who.template}, {counted(who.repeats, 'repeat')}", who.template_digest
    scoring = f"{card.scoring}, parser {card.parser}, policy {card.policy}, counterbench {card.version}"
    yield "scoring", scoring, ""


def _run_facts(run: CardSource) -> Iterator[PageFact]:
    """Facts about a run that the card rests on."""
    seed = "" if run.seed is None else f", seed {run.seed}"
    drawn = "derived again: the same" if run.truth_checked else "as stated in the run, not checked"
    yield "suite", f"{counted(run.questions, 'question')}{seed}, {run.failed} failed", run.suite_digest
    yield "truth", f"{run.truth}, {drawn}", run.keys_digest
    yield "replies", "imported" if run.imported else "asked by counterbench", run.journal_digest
    if run.held_back:
        yield "held back by", ", ".join(run.held_back), ""


def _leans(card: CardDocument) -> Iterator[PageFact]:
    """Facts about answers that depend on other things than the pictures: biases, the prior and the template."""
    for name, bias in (
        ("says yes", card.yes_bias),
        ('says "first" of two pictures (position bias)', card.position_bias),
    ):
        if bias is not None:
            yield name, f"{_share(bias.said)}, where {words.percent(bias.true.value)}\u00a0% are true", ""
    if (prior := card.prior_strength) is not None:
        taken = f"the altered picture is taken for the usual one in {prior.hits} of {prior.of} pairs"
        reverse = f"the reverse in {prior.mirrored}"
        yield "prior strength", f"{words.percent(prior.value)}\u00a0%: {taken}, {reverse}", ""
    if card.flips is not None:
        under = f"under {listed(card.flips.templates)}"
        yield "answers that depend on the template", f"{_share(card.flips.rate, ' questions')} {under}", ""


def _share(share: Share, things: str = "") -> str:
    """A share in per cent with its counts: "57.5 % (23 of 40)"."""
    return f"{words.percent(share.value)}\u00a0% ({share.hits} of {share.of}{things})"


def _costs(card: CardDocument) -> Iterator[PageFact]:
    """Facts about price, time and steadiness, as far as the card has them."""
    rates, steady = card.rates, card.steadiness
    if rates is not None and rates.usd is not None:
        made_up = " (a made-up price)" if rates.stated else ""
        yield "a thousand right answers cost", words.dollars(rates.usd) + made_up, ""
    if rates is not None and rates.seconds is not None:
        yield "a thousand right answers take", f"{rates.seconds:,.1f} s of the judge’s time, one after the other", ""
    if steady is not None:
        since = f" since {steady.since}" if steady.since else ""
        looks = f"{counted(steady.looks, 'look')} from {steady.first} to {steady.last}"
        again = f"{counted(steady.pairs, 'pair')} asked again"
        points = "" if steady.difference is None else f", {words.signed(steady.difference)} points"
        yield "steadiness", f"{steady.verdict}{since}: {looks}, {again}{points}", ""


def _examples(path: Path) -> Iterator[Missed]:
    """The first pairs of a run that the judge was wrong on, with pictures; none if these are not found.

    A run's pictures are found in a folder of pairs around the run's folder, or drawn again for a shipped suite.
    """
    run = load_results(path)
    wrong = [pair for pair in run.pairs if pair.key.relevant and pair.consistent is False][:_MAX_EXAMPLES]
    around = path.resolve().parent.parent
    folder = str(around) if (around / SUITE_FILE).is_file() else None
    try:
        source = find_source(run.info, [key for pair in run.pairs for key in pair.keys], folder)
    except InputError:
        source = None
    if source is None:
        return
    results = {pair.key.group: pair for pair in wrong}
    pairs = {pair.id: pair for pair in source if pair.id in results}
    for id in (id for id in results if id in pairs):
        pictures = (EMBEDDED + thumbnail(picture.image()).source for picture in source.pictures(pairs[id]))
        yield missed(pairs[id], results[id], tuple(pictures))


# In pixels: a character's mean width, the space beside a text, the badge's height.
_CHARACTER_WIDTH, _PAD, _HEIGHT = 6.4, 8, 22


def badge(card: CardDocument) -> str:
    """The badge as SVG that loads nothing from elsewhere: "judge card" on the left, `card.badge` on the right."""
    from markupsafe import escape

    left, right = "judge card", words.visible(" · ".join(card.badge))
    text_widths = [round(_CHARACTER_WIDTH * len(text)) for text in (left, right)]
    left_width, width = text_widths[0] + 2 * _PAD, sum(text_widths) + 4 * _PAD
    fill = "#586472" if card.who.kind in ("planted", "imported") else "#0b5a94"
    label = escape(f"{words.visible(shown_name(card))}: {right}")
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{_HEIGHT}" viewBox="0 0 {width} {_HEIGHT}" '
        f'role="img" aria-label="{label}"><title>{label}</title>'
        f'<rect width="{width}" height="{_HEIGHT}" rx="3" fill="{fill}"/>'
        f'<path d="M3 0h{left_width - 3}v{_HEIGHT}H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="#1b2530"/>'
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">'
        f'<text x="{_PAD}" y="15" textLength="{text_widths[0]}">{left}</text>'
        f'<text x="{left_width + _PAD}" y="15" textLength="{text_widths[1]}">{escape(right)}</text></g></svg>\n'
    )
