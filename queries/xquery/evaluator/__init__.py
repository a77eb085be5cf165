"""The tree evaluator: a query over nodes."""

from jvmscope.queries.xquery.evaluator.context import (
    Documents,
    DynamicContext,
    Environment,
    Runtime,
)
from jvmscope.queries.xquery.evaluator.program import CompiledQuery, compile_program, evaluate

__all__ = [
    "CompiledQuery",
    "Documents",
    "DynamicContext",
    "Environment",
    "Runtime",
    "compile_program",
    "evaluate",
]
