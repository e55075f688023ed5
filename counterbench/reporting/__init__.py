"""The report: scores, diagnosis, comparison, certificates and a gallery of pairs as one page that needs no network.

gather               everything that is said, read once
plots, figures, svg  the plots: in matplotlib, on the page, in files for papers
pictures, pairs      the gallery's pictures and cards
page, templates      the page
write                one file, or a folder

Needs the extra `report`: jinja2 and matplotlib, imported when a report is made.
"""

from counterbench.reporting.write import LARGE, Written, write_report

__all__ = ["LARGE", "Written", "write_report"]
