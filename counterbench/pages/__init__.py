"""Pages that need no network: reports on judges and on models, judge cards, and the page for labels.

write                    writes either report: the page's file, with its pictures in it or beside it
frame, templates/        a page as a list of sections, and the templates of the sections
words                    numbers and findings in words, for every page
pictures                 the small pictures of a page
ladders                  the results on ladders (see there) as rows with pictures, for reports and cards
missed                   pairs that a judge was wrong on, for reports and cards
gather                   reports on judges: all data, read once, and certificates, checked
judges                   reports on judges: the pictures of the pairs, and the whole report
page                     reports on judges: the page, with a card for each pair
models/                  reports on models: the same for runs about generated pictures
labelling/               the page on which people label pictures
cards/                   judge cards, and the index over them

Needs the extra `report`: jinja2, imported when a page is made.
"""

from counterbench.pages.write import Written, write_answer, write_report

__all__ = ["Written", "write_answer", "write_report"]
