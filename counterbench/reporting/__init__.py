"""Reports, each a page that needs no network: of judges (scores, diagnosis, certificates, pairs) and of models.

write                            the one way to write either: the page's file, its pictures in it or beside it
frame, templates, words, labels  what every page has, and how it says things
figures, svg, pictures           plots in one style, on the page; small pictures
gather, pairs, plots, matrices   of judges: everything that is said, read once; cards, plots, tables of confusions
judges, page                     the pairs' pictures, the whole, and its page
t2i                              the same of runs about generated pictures

Needs the extra `report`: jinja2 and matplotlib, imported when a report is made.
"""

from counterbench.reporting.write import Written, write_report

__all__ = ["Written", "write_report"]
