"""``classes.xml`` and ``cct.xml`` as a run: a parser that trusts nothing, checks, and tables."""
