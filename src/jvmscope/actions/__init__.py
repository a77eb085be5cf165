"""What verbs do once their options are read: record, measure, compare, report, export.

The Python API calls some of it, too.
"""
