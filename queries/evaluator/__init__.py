"""The tree evaluator: a query over nodes."""

from jvmscope.queries.evaluator.context import Documents, DynamicContext, Environment, Runtime
from jvmscope.queries.evaluator.program import CompiledQuery, compile_program, evaluate

__all__ = [
    "CompiledQuery",
    "Documents",
    "DynamicContext",
    "Environment",
    "Runtime",
    "compile_program",
    "evaluate",
]
