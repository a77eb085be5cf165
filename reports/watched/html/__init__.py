"""The page of a watch run for the browser: one file without scripts."""

from jvmscope.reports.watched.html.page import render_watch

__all__ = ["render_watch"]
