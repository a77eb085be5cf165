"""Runs the W3C's test suite of XQuery and XPath, QT3: python -m qt3 --home DIRECTORY."""
