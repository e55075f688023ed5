"""Text-to-image models side by side, and judges beside people.

models               the better model by each number, and the sample size that would decide a tie
pairs                every two runs that asked the same, paired group by group
people               a judge's credits against people's labels

The scores of a single run are in `run_scores`.
"""
