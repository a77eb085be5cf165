"""The pages of a report as text: what each consists of, and how a terminal and Markdown show it."""

from jvmscope.reports.pages.likeness import pca_page
from jvmscope.reports.pages.markdown import to_markdown
from jvmscope.reports.pages.plot import plot_page
from jvmscope.reports.pages.summary import summary_page
from jvmscope.reports.pages.table import table_page
from jvmscope.reports.pages.terminal import print_page
from jvmscope.reports.pages.tree import tree_page

__all__ = [
    "pca_page",
    "plot_page",
    "print_page",
    "summary_page",
    "table_page",
    "to_markdown",
    "tree_page",
]
