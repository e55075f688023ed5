"""Text-to-image models side by side, and judges beside people.

models               runs paired group by group: the better model by each number, and what would decide a tie
people               a judge's credits against people's labels

The scores of a single run are in `run_scores`.
"""
