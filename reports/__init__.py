"""What people look at; so far one page about one run."""

from jvmscope.reports.summary import summarize

__all__ = ["summarize"]
