"""A run in the forms that other tools open.

run ── forest ──▶ nodes in pre-order ── formats ──▶ a file, or stdout
   └── tables ───────────────────────── formats ──▶ files

Each module of ``formats`` is a format; ``weights`` are what a tree may be weighed by.
"""
