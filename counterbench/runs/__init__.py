"""A run as data: the questions to a judge, and its replies. No event loop, no judge.

queries, pair_queries   the questions to a judge (`Query`), the truth for scoring (`Key`), templates; all for every pair
folder                  a run on disk: every attempt as it came, and the rest
usage                   short names of judges; observations of a judge: spending, model ids

Asking is in `asking/`, numbers in `results/`.
"""
