"""Words about the scores of text-to-image models, wherever they are shown: on the command line, in reports and pages.

run_names       the choice and names of tables, rows and columns
about_judges    lines on the judge and its evidence
about_numbers   lines on the numbers of runs: their meaning, what is missing, what stands out
about_ratings   lines on the ratings of comparisons

A run is one model's pictures as one judge answered about them; a document (`ModelDocument`) has its scores. A function
named `…_lines` gives lines to print, without a line end; none if there is nothing to say.

L1, L2 and L3 are the levels of prompts about laws: the real law, an altered law with its outcome, an altered law alone.
The prior is what usually happens; a judge is admitted if it may score at least some of the checks.
"""
