"""The functions and global variables that all modules of a query share."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from jvmscope.queries.params import how_to_give
from jvmscope.queries.xquery.evaluator.bindings import checked_binding
from jvmscope.queries.xquery.evaluator.closures import Compiler
from jvmscope.queries.xquery.evaluator.functions import UserFunction
from jvmscope.queries.xquery.evaluator.sequences import held
from jvmscope.queries.xquery.functions.registry import lookup
from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from jvmscope.queries.xquery.analysis import Program, StaticContext
    from jvmscope.queries.xquery.evaluator.context import DynamicContext, Runtime
    from jvmscope.queries.xquery.functions.context import Context
    from jvmscope.queries.xquery.functions.registry import Builtin
    from jvmscope.queries.xquery.items.functions import FunctionItem
    from jvmscope.queries.xquery.items.types import Item, Sequence
    from jvmscope.queries.xquery.syntax.ast import Variable, VariableDeclaration
    from jvmscope.queries.xquery.syntax.expanded_names import Name

__all__ = ["InitializationError", "Linkage"]


class InitializationError(DynamicError):
    """The error of a global variable's value: no ``try`` around a reference catches it."""

    def __init__(self, error: DynamicError) -> None:
        super().__init__(error.name, error.message, error.value)
        self.__dict__.update(error.__dict__)


class Linkage:
    """The compiled functions and global variables of a program, made when first needed."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._functions: dict[tuple[Name, int], UserFunction] = {}
        self._declarations: dict[Variable | None, tuple[VariableDeclaration, StaticContext]] = {
            declaration.variable: (declaration, static) for declaration, static in program.variables
        }
        self._variables: dict[Variable | None, Callable[[Runtime], Sequence]] = {}

    def function(self, name: Name, arity: int) -> UserFunction | None:
        """Returns the declared function of a name and arity, or None."""
        key = (name, arity)
        if key not in self._functions:
            declared = self.program.functions.get(key)
            if declared is None:
                return None
            self._functions[key] = UserFunction(self, declared.declaration, declared.context)
        return self._functions[key]

    def builtin(self, name: Name, arity: int) -> Builtin | None:
        """Returns the built-in function of a name and arity, or None."""
        return lookup(name, arity)

    def function_item(self, name: Name, arity: int, context: DynamicContext) -> FunctionItem | None:
        """Returns a function as an item that keeps a focus, or None if there is none."""
        own = self.function(name, arity)
        if own is not None:
            return own.item(context.runtime)
        found = lookup(name, arity)
        return None if found is None else found.as_item(cast("Context", context))

    def variable(self, variable: Variable | None) -> Callable[[Runtime], Sequence]:
        """Returns the function that evaluates a global variable, once for each runtime.

        It raises DynamicError: XPDY0002 (external, without a value), XQDY0054 (it needs itself).
        """
        if variable not in self._variables:
            self._variables[variable] = self._global(*self._declarations[variable])
        return self._variables[variable]

    def _global(
        self, declaration: VariableDeclaration, static: StaticContext
    ) -> Callable[[Runtime], Sequence]:
        compute: Callable[[Runtime], Iterable[Item]] | None = None

        def value(runtime: Runtime) -> Sequence:
            nonlocal compute
            known = runtime.values
            if declaration in known:
                return known[declaration]
            if declaration in runtime.active:
                raise DynamicError("XQDY0054", f"the variable ${declaration.name} needs itself")
            runtime.active.add(declaration)
            try:
                if compute is None:
                    compute = self._computation(declaration, static)
                known[declaration] = held(compute(runtime))
            except DynamicError as error:
                raise InitializationError(error) from None
            finally:
                runtime.active.discard(declaration)
            return known[declaration]

        return value

    def _computation(
        self, declaration: VariableDeclaration, static: StaticContext
    ) -> Callable[[Runtime], Iterable[Item]]:
        compiler = Compiler(self, static)
        check = checked_binding(compiler, declaration.type, declaration)
        code = None
        if declaration.expression is not None:
            code = compiler.compile(declaration.expression).items
        layout = compiler.layout

        def compute(runtime: Runtime) -> Iterable[Item]:
            given = runtime.environment.variables
            if declaration.is_external and declaration.name in given:
                return list(check(given[declaration.name]))
            if code is None:
                message = f"the external variable ${declaration.name} has no value"
                error = DynamicError("XPDY0002", message)
                if not declaration.name.uri:
                    error.hint, error.in_python = how_to_give(declaration.name.local)
                raise error
            frame = layout.frame(runtime)
            if runtime.item is not None:
                frame[1] = frame[2] = 1
            return list(check(code(frame, runtime.item)))

        return compute
