"""The report as a page: one file that works offline."""

from jvmscope.reports.html.page import MAX_NODES, WEIGHTS, render

__all__ = ["MAX_NODES", "WEIGHTS", "render"]
