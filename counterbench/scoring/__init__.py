"""Replies against keys, to numbers.

rules           the named ways to hold a reply against a key
results         a run joined by id: what a judge made of each pair; `replies`: of each question, in little memory
frame           the same as a pandas DataFrame, a row a query
scores          accuracy, CCS, gap, stability, from counts (`tally`); `soft_scores` from probabilities
comparison/     judges side by side

What a reply says is decided in `answers/`, what is wrong with a judge in `diagnosis/`, whether it may score in
`certificate/`; text-to-image models are scored in `t2i/`.
"""
