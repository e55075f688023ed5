"""The report on text-to-image models: their scores as the protocol's document has them, and a gallery of pictures.

gather_models  all data, read once
cards          the gallery's groups: pictures, checks, answers; the right picture for a law's prompt, and the prior's
models         the pictures, and the whole report
models_page    the page: the ranking and its sentences, three answers, models by skills, the gallery, all numbers

These modules know no protocol, except for the prior and the gate of CF-Eval.
"""
