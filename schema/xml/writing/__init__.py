"""A run as ``classes.xml`` and ``cct.xml``: tables in, markup out, a range of keys at a time."""
