"""Evaluation of a whole program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator import (  # noqa: F401 - each registers what it compiles
    calls,
    comparisons,
    constructors,
    control,
    flwor,
    grouping,
    handlers,
    leaf_constructors,
    maps,
    operators,
    partial,
    paths,
    predicates,
    primaries,
    windows,
)
from jvmscope.queries.xquery.evaluator.bindings import treated
from jvmscope.queries.xquery.evaluator.closures import Compiler
from jvmscope.queries.xquery.evaluator.context import Environment, Runtime
from jvmscope.queries.xquery.evaluator.linkage import Linkage
from jvmscope.queries.xquery.evaluator.worker import Worker
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.depth import deep_stack
from jvmscope.queries.xquery.syntax.types import ItemSequence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.queries.xquery.analysis import Program
    from jvmscope.queries.xquery.items.types import Item

__all__ = ["CompiledQuery", "compile_program", "evaluate"]


class CompiledQuery:
    """A program as closures; it can be evaluated any number of times.

    Args:
        program: what the analysis returned.

    Raises:
        QueryError: a static error that shows only here.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._linkage = Linkage(program)
        compiler = Compiler(self._linkage, program.context)
        try:
            with deep_stack():
                self._body = compiler.compile(program.main.body).items
        except RecursionError:
            raise DynamicError("XPDY0130", "the query nests too deep") from None
        self._layout = compiler.layout

    def items(self, environment: Environment) -> Iterator[Item]:
        """Returns the items of the result, each evaluated when it is asked for.

        Raises:
            QueryError: an error of the query, with code and place; reading on may raise it, too.
            LimitReached: the time is over.
        """
        runtime = Runtime(environment, self._linkage)
        return Worker(self.start(runtime), runtime).items()

    def start(self, runtime: Runtime) -> Iterator[Item]:
        """Returns the items, on the stack of whoever asks for them."""
        try:
            runtime.item = _initial_item(self._program, self._linkage, runtime)
            frame = self._layout.frame(runtime)
            if runtime.item is not None:
                frame[1] = frame[2] = 1
            yield from self._body(frame, runtime.item)
        except RecursionError:
            message = "the query recurses too deep"
            raise DynamicError("XPDY0130", message) from None
        except MemoryError:
            raise DynamicError("XPDY0130", "the query needs too much memory") from None
        except OverflowError as error:
            raise DynamicError("XPDY0130", f"a number is too large: {error}") from None


def compile_program(program: Program) -> CompiledQuery:
    """Returns a program as closures."""
    return CompiledQuery(program)


def evaluate(program: Program, environment: Environment | None = None) -> Iterator[Item]:
    """Returns the items of a program's result, each evaluated when it is asked for.

    Raises:
        QueryError: an error of the query, with code and place; reading on may raise it, too.
        LimitReached: the time is over.
    """
    return compile_program(program).items(environment or Environment())


def _initial_item(program: Program, linkage: Linkage, runtime: Runtime) -> Item | None:
    """Returns the context item as ``declare context item`` has it."""
    item = runtime.environment.item
    for declaration in program.main.declarations:
        if not isinstance(declaration, ast.ContextItemDeclaration):
            continue
        if item is None or not declaration.is_external:
            if declaration.expression is None:
                if declaration.is_external:
                    raise DynamicError("XPDY0002", "the context item is external and not given")
                continue
            compiler = Compiler(linkage, program.context)
            one = compiler.compile(declaration.expression).one
            item = one(compiler.layout.frame(runtime), None)
        if item is None:
            raise DynamicError("XPTY0004", "the value of the context item is the empty sequence")
    _check_context_item(program, item)
    return item


def _check_context_item(program: Program, item: Item | None) -> None:
    """Raises XPTY0004 for a context item that some module's declaration does not allow."""
    types = {static.context_item_type for static in program.contexts} - {None}
    for kind in types if item is not None else ():
        assert kind is not None
        for _ in treated(ItemSequence(kind), "XPTY0004")((item,)):
            pass
