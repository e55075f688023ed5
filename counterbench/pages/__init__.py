"""Reports, each a page that needs no network: of judges (scores, diagnosis, certificates, pairs) and of models.

write                    writes either: the page's file, its pictures in it or beside it
frame, templates, words  a page as a list of sections, the parts of sections, and words that every page has
pictures                 small pictures
ladders, missed          the rows of ladders, and pairs that a judge missed, on reports and cards alike
gather                   of judges: all data, read once, certificates too
judges, page             of judges: the pairs' pictures, the whole report, and its page with a card for each pair
models/                  the same for runs about generated pictures
labelling/               the page on which people label pictures
cards/                   judge cards, and the index over them

Needs the extra `report`: jinja2, imported when a page is made.
"""

from counterbench.pages.write import Written, write_answer, write_report

__all__ = ["Written", "write_answer", "write_report"]
