"""Formats of results: each module that calls ``register`` adds one, and nothing else lists them."""

from __future__ import annotations

import importlib
import pkgutil

from jvmscope.formats.registry import FORMATS, Format, format_of_file

__all__ = ["FORMATS", "ITEMS", "Format", "format_of_file"]

ITEMS = "items"
"""No table: the items of an XQuery, serialized as it declares."""

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
