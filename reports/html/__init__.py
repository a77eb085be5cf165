"""The report as a page: one file that works offline."""
