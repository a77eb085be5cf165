"""What the analysis makes of a query."""

from __future__ import annotations

from dataclasses import field
from typing import TYPE_CHECKING

from jvmscope.queries.records import Record, record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmscope.queries.xquery.analysis.context import StaticContext
    from jvmscope.queries.xquery.syntax.ast import FunctionDeclaration, Module, VariableDeclaration
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["Function", "Program"]


@record
class Function(Record):
    """A declared function and the static context of its module."""

    declaration: FunctionDeclaration
    context: StaticContext


@record
class Program(Record):
    """A main module with everything that it uses; or a library module, without a body.

    Attributes:
        main: the module, names expanded and variables bound.
        context: its static context.
        variables: the global variables of all modules, each after those that it needs, with the
            static contexts of their modules; first the environment's that are used, as external.
        functions: the declared functions of all modules, by name and arity.
        contexts: the static contexts of all modules, the main module's first.
    """

    main: Module
    context: StaticContext
    variables: tuple[tuple[VariableDeclaration, StaticContext], ...] = ()
    functions: Mapping[tuple[Name, int], Function] = field(default_factory=dict)
    contexts: tuple[StaticContext, ...] = ()
