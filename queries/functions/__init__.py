"""The functions that queries call: fn, math, map, array, xs."""

from jvmscope.queries.functions.registry import Builtin, as_sequence, lookup, names

__all__ = ["Builtin", "as_sequence", "lookup", "names"]
