"""Judge cards: what a judge was shown to see, on one page, derived from its runs; and an index over cards.

document    the card as data, and its schema
checks      runs, checked: nothing in their folders contradicts their replies
hiding      the words of a run that may be published
derive      makes a card from runs
limits      the uses that a card rules out, by rule
card_page   the card's page and its badge
board       the index over the cards of many judges

The package imports from runs, and from everything that is derived from them; only the command line and the Python
interface import it.
"""

from counterbench.pages.cards.card_page import Card, write_card
from counterbench.pages.cards.derive import derive
from counterbench.pages.cards.document import CardDocument, schema

__all__ = ["Card", "CardDocument", "derive", "schema", "write_card"]
