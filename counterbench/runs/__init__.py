"""A run as data: the questions to a judge, and its replies. No event loop, no judge.

queries, pair_queries   the questions to a judge (`Query`), the truth for scoring (`Key`), and both for every pair
templates                the words of a question that are the same for all
journal, folder         every attempt as it came, and the rest of a run on disk
usage                   observations of a judge: spending, model ids

Asking is in `asking/`, numbers in `scoring/`.
"""
