"""Formats of exports: each module that calls ``register`` adds one, and nothing else lists them.

The command line lists the formats in its help, so modules import what writes only when it writes.
"""

from __future__ import annotations

import importlib
import pkgutil

from jvmscope.reports.exports.formats.registry import (
    EXPORT_FORMATS,
    ExportFormat,
    RunFormat,
    TreeFormat,
    format_named,
    run_formats,
    tree_formats,
)

__all__ = [
    "EXPORT_FORMATS",
    "ExportFormat",
    "RunFormat",
    "TreeFormat",
    "format_named",
    "run_formats",
    "tree_formats",
]

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
