"""Static analysis: names, scopes, functions and what is known of types."""

from jvmscope.queries.xquery.analysis.analyser import analyse
from jvmscope.queries.xquery.analysis.context import StaticContext
from jvmscope.queries.xquery.analysis.environment import (
    Functions,
    ModuleResolver,
    StaticEnvironment,
)
from jvmscope.queries.xquery.analysis.program import Function, Program

__all__ = [
    "Function",
    "Functions",
    "ModuleResolver",
    "Program",
    "StaticContext",
    "StaticEnvironment",
    "analyse",
]
