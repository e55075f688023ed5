"""Pairs to train on: new questions about new pictures without end, and rewards of replies.

items                   the stream: one question about one picture after the other, without scenes of shipped suites
rewards                 a reply's reward; the same by pairs

Families draw the items from randomness that no suite uses (`scene/seeds.py`). The user brings the trainer: none is
imported here.
"""
