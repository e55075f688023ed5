"""What a picture shows, and what is true of it: frozen data and whole numbers, no pixels, no files.

scene, figures, nouns       what there is: shapes of suites, things of laws
geometry, visibility        where it is, and how much of it can be seen
programs/                   what can be asked of a scene: the answer, the words, how it is misread
interventions               edits that declare what they change
questions, pairs            words and a program; a scene, an edit of it, a question
seeds                       chance that is the same everywhere

How a scene looks is in `drawing/`, which scenes there are in `suites/` and `laws/`.
"""
