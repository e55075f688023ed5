"""Reports, each a page that needs no network: of judges (scores, diagnosis, certificates, pairs) and of models.

gather               everything that is said, read once
plots, figures, svg  the plots: in matplotlib, on the page, in files for papers
pictures, pairs      the gallery's pictures and cards
page, templates      the page; frame: what every page has
write                one file, or a folder; place: where that may be
t2i                  the same of runs about generated pictures

Needs the extra `report`: jinja2 and matplotlib, imported when a report is made.
"""

from counterbench.reporting.write import LARGE, Written, write_report

__all__ = ["LARGE", "Written", "write_report"]
