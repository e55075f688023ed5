"""What a picture shows, and what is true of it: frozen data and whole numbers, no pixels, no files.

scene, figures, nouns       what there is: shapes of suites, things of laws
geometry, visibility        where it is, and how much of it can be seen
programs, facts             what can be asked of a scene, and the answer
questions, fact_words       the same in words
interventions               edits that declare what they change
pairs                       a scene, an edit of it, a question
misreadings                 what a judge with a known fault would answer
seeds                       chance that is the same everywhere

How a scene looks is in `drawing/`, which scenes there are in `suites/` and `laws/`.
"""
