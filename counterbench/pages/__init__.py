"""Pages that need no network: reports on judges and on models, judge cards, and the page for labels.

write           writes a report on judges or on models: its file, with the pictures in it or beside it
frame           a page from a list of sections, filled into the HTML of templates/
words           numbers and findings in words
pictures        small pictures
ladders         the rows of ladders, on reports and cards alike
missed          pairs that a judge missed, likewise
gather          all data of a report on judges, read once
judges, page    that report: its pairs' pictures and the whole; its page, with a card for each pair
models/         the report on text-to-image models
labelling/      the page on which people label pictures, with its server
cards/          judge cards, and the index over them

Needs the extra `report`: jinja2, imported when a page is made.
"""

from counterbench.pages.write import Written, write_answer, write_report

__all__ = ["Written", "write_answer", "write_report"]
