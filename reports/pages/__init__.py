"""The pages of a report: the blocks that each consists of."""

from jvmscope.reports.pages.excerpt import excerpt
from jvmscope.reports.pages.likeness import pca_page
from jvmscope.reports.pages.measured import OVERVIEW, Look, metrics_page, overview_page
from jvmscope.reports.pages.plot import plot_page
from jvmscope.reports.pages.summary import summary_page
from jvmscope.reports.pages.table import table_page
from jvmscope.reports.pages.tree import tree_page

__all__ = [
    "OVERVIEW",
    "Look",
    "excerpt",
    "metrics_page",
    "overview_page",
    "pca_page",
    "plot_page",
    "summary_page",
    "table_page",
    "tree_page",
]
