"""Static analysis: names, scopes, functions and what is known of types."""

from jvmscope.queries.analysis.analyser import analyse
from jvmscope.queries.analysis.context import StaticContext
from jvmscope.queries.analysis.environment import Functions, ModuleResolver, StaticEnvironment
from jvmscope.queries.analysis.program import Function, Program

__all__ = [
    "Function",
    "Functions",
    "ModuleResolver",
    "Program",
    "StaticContext",
    "StaticEnvironment",
    "analyse",
]
