"""What is wrong with a judge, and which items look broken.

measures                what happened, in counts
patterns, mixture       replies as explanations, and the model that weighs them
residuals               where the errors lie that no fault explains
faults, signs, evidence the faults that are named, what must show beside them, what speaks for them
items                   several judges against the items
diagnose                all of it, and what the run cannot tell; `document` is what it gives

Whether a judge may score is decided in `certificate/`, not here.
"""
