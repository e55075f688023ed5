"""Text-to-image models side by side, and judges beside people.

document, models     which model is better by which number, and what would part those that are tied
pairs                every two runs that asked the same, paired group by group
people               a judge's credits against people's labels

What a single run says of its model is in `run_scores`.
"""
