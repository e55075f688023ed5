"""The diagnosis of judges: their faults, and the items that look broken.

measures                counts of replies, answers and errors
patterns, mixture       the possible explanations of replies, and the model that weighs them
residuals               the kinds of questions with errors that no fault explains
faults, signs, evidence the named faults, the signs that each must show, the evidence in words
items                   items that several judges together put in doubt
diagnose                the whole diagnosis, with notes on its limits; `document` is its data

`certificate/` decides if a judge may score; this package does not.
"""
