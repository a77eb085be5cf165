"""Mutated queries, each of which must end in an answer or a coded error.

Run from ``tests``: ``python -m fuzz --count 100000 --jobs 2``.
"""
