"""Pairs to train on: fresh questions about fresh pictures without end, and what a reply to one is worth.

items                   the stream: one question about one picture after the other
apart                   scenes of shipped suites, which the stream passes over
rewards                 a reply's reward; the same by pairs

The draws are those of the families, from randomness that no suite draws from (`scene/seeds.py`). Trainers are the
user's own: none is imported here.
"""
