"""A run as data: what is asked of a judge, and what came back. No event loop, no judge.

queries, pair_queries   what a judge is told (`Query`), what scoring knows (`Key`), and both for every pair
wordings                how it is asked
journal, folder         every attempt as it came, and the rest of a run on disk
figures                 what its attempts took: tokens, money, seconds
usage                   what was seen of a judge on the way: spending, model ids

Asking is in `asking/`, numbers in `scoring/`.
"""
