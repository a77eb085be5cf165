"""The pages of a report: the blocks that each consists of."""

from jvmscope.reports.pages.excerpt import excerpt
from jvmscope.reports.pages.likeness import pca_page
from jvmscope.reports.pages.measured import Look, metrics_page, overview_page
from jvmscope.reports.pages.outstanding import overview_metrics
from jvmscope.reports.pages.plot import plot_page
from jvmscope.reports.pages.summary import summary_page
from jvmscope.reports.pages.table import table_page
from jvmscope.reports.pages.tree import tree_page

__all__ = [
    "Look",
    "excerpt",
    "metrics_page",
    "overview_metrics",
    "overview_page",
    "pca_page",
    "plot_page",
    "summary_page",
    "table_page",
    "tree_page",
]
