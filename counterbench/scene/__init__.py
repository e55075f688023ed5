"""Scenes and the answers about them: frozen data and whole numbers, no pixels, no files.

scene, figures, nouns       the things in a scene: shapes of suites, things of laws
geometry, visibility        their base and places; how much of them can be seen, and words that pick out a shape
programs/                   questions about a scene: the answer, the words, how it is misread
interventions               edits that declare what they change
pairs                       a scene, an edit of it, a question: words and a program
seeds                       chance that is the same everywhere

`drawing/` draws scenes, `suites/` and `laws/` make them.
"""
