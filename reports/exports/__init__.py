"""The calling context tree of a run in the formats that other tools open."""

from jvmscope.reports.exports.tree_formats import TREE_FORMATS, export_tree

__all__ = ["TREE_FORMATS", "export_tree"]
