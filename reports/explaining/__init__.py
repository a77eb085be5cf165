"""Explanations: a rule from features of allocations to an outcome of their objects.

runs ─▶ features (SQL) ─▶ codes ─▶ tree ─▶ rule, tested on programs that are left out

Modules are imported one by one, since the command line needs the names of the outcomes alone.
"""
