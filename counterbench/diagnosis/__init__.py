"""The diagnosis of judges: their faults, and the items that look broken.

measures                counts of replies, answers and errors; the evidence for faults in words
patterns, mixture       the possible explanations of replies, and the model that weighs them
residuals               the kinds of questions with errors that no fault explains
faults, symptoms        the named faults, and the symptoms that each must show
diagnose                the whole diagnosis with notes on its limits, and items in doubt; `document` is its data

`evidence/` decides if a judge may score; this package does not.
"""
