"""What is in scope at one place of a module, while an expression is rewritten."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from jvmscope.errors import did_you_mean
from jvmscope.queries.xquery.analysis.rules import rule_of
from jvmscope.queries.xquery.analysis.static_errors import error_at, error_of_name
from jvmscope.queries.xquery.analysis.types import TypeResolver
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.ast import Expression, Variable

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmscope.errors import QueryError
    from jvmscope.queries.xquery.analysis.context import StaticContext
    from jvmscope.queries.xquery.analysis.interface import Interface
    from jvmscope.queries.xquery.analysis.name_expansion import Namespaces
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["Scope", "Uses"]

_E = TypeVar("_E", Expression, "Expression | None")


# What evaluates all its parts, each once, whatever their values are.
_STRICT = {
    ast.Arithmetic,
    ast.ArrowCall,
    ast.Comparison,
    ast.FunctionCall,
    ast.InstanceOf,
    ast.Parenthesized,
    ast.Range,
    ast.Sequence,
    ast.StringConcatenation,
    ast.Unary,
    ast.VariableReference,
}


@dataclass
class Uses:
    """The global variables and declared functions that a declaration refers to."""

    variables: set[Variable] = field(default_factory=set)
    functions: set[tuple[Name, int]] = field(default_factory=set)


class Scope:
    """The scope of one body: a main module's, a function's, a global variable's.

    Bindings come and go as the rewriting goes through the body.

    Attributes:
        context: the module's static context.
        namespaces: those at the place, direct constructors around it included.
        interface: the module's functions and global variables.
        uses: what the body refers to of those.
        certain: what of that is evaluated in any case, whatever the values are.
        hidden: a global variable that is not in scope, since this is its own value; or None.
    """

    def __init__(self, context: StaticContext, namespaces: Namespaces, interface: Interface):
        self.context = context
        self.namespaces = namespaces
        self.interface = interface
        self.uses = Uses()
        self.certain = Uses()
        self._is_certain = True
        self.hidden: Variable | None = None
        self._types = TypeResolver(context.source, namespaces)
        self._local: dict[Name, list[Variable]] = {}
        self._trail: list[Name] = []

    # -- rewriting

    def rewrite(self, expression: _E) -> _E:
        """Returns an expression with names expanded and variables bound; None for None."""
        if expression is None:
            return expression
        rewritten: _E = self._apply(expression)
        return rewritten

    def rewrite_all(self, parts: tuple[Any, ...]) -> tuple[Any, ...]:
        """Returns the same for a tuple of expressions, tuples and, as they are, strings."""
        return tuple([self._part(part) for part in parts])

    def _part(self, part: Any) -> Any:
        if isinstance(part, Expression):
            return self._apply(part)
        return self.rewrite_all(part) if isinstance(part, tuple) else part

    def _apply(self, expression: Any) -> Any:
        kind = type(expression)
        if not self._is_certain or kind in _STRICT:
            return rule_of(kind)(self, expression)
        self._is_certain = False
        try:
            return rule_of(kind)(self, expression)
        finally:
            self._is_certain = True

    # -- namespaces

    @contextmanager
    def inside(self, declared: tuple[tuple[str, str], ...]) -> Iterator[None]:
        """Rewrites what stands in a direct constructor that declares namespaces."""
        before = self.namespaces, self._types
        if declared:
            self.namespaces = self.namespaces.inside(declared)
            self._types = TypeResolver(self.context.source, self.namespaces)
        try:
            yield
        finally:
            self.namespaces, self._types = before

    # -- types

    @property
    def types(self) -> TypeResolver:
        """What expands the names of types here."""
        return self._types

    # -- variables

    def bind(self, name: Name, type_: SequenceType | None, at: int) -> Variable:
        """Puts a new variable into scope and returns it.

        Args:
            name: as written.
            type_: as written, or None.
            at: where both stand.
        """
        expanded = self.namespaces.expand(name, at)
        variable = Variable(expanded, self._types.optional(type_, at))
        self.enter(variable)
        return variable

    def enter(self, variable: Variable) -> None:
        """Puts a variable into scope."""
        self._local.setdefault(variable.name, []).append(variable)
        self._trail.append(variable.name)

    @contextmanager
    def block(self) -> Iterator[None]:
        """Takes out of scope, at its end, what was put into scope in it."""
        mark = len(self._trail)
        try:
            yield
        finally:
            while len(self._trail) > mark:
                self._local[self._trail.pop()].pop()

    def find(self, name: Name, at: int) -> Variable:
        """Returns the variable that a name refers to.

        Raises:
            QueryError: XPST0008, there is none; XPST0081.
        """
        expanded = self.namespaces.expand(name, at)
        local = self._local.get(expanded)
        if local:
            return local[-1]
        variable = self.interface.variable(expanded)
        if variable is None or variable is self.hidden:
            message = f"the variable ${name} is not declared"
            if variable is not None:
                message = f"the variable ${name} is not in scope in its own declaration"
            raise self.error_of_name("XPST0008", message, name, at, self._variable_hint(name))
        self.uses.variables.add(variable)
        if self._is_certain:
            self.certain.variables.add(variable)
        return variable

    def _variable_hint(self, name: Name) -> str | None:
        known = {str(bound) for bound, variables in self._local.items() if variables}
        known.update(map(str, self.interface.variables))
        known.update(map(str, self.interface.predefined.variable_names))
        hint = did_you_mean(str(name), sorted(known - {str(name)}))
        return hint.replace('"', '"$', 1) if hint else None

    # -- functions

    def function(self, name: Name, arity: int, at: int, *, is_called: bool) -> Name:
        """Returns the expanded name of a function that takes so many arguments.

        Args:
            name: as written.
            arity: how many arguments it is given, or has.
            at: where it stands.
            is_called: whether it is, rather than made an item.

        Raises:
            QueryError: XPST0017, there is none; XPST0081.
        """
        expanded = self.namespaces.expand_function(name, at)
        if (expanded, arity) in self.interface.functions:
            self.uses.functions.add((expanded, arity))
            if is_called and self._is_certain:
                self.certain.functions.add((expanded, arity))
        elif not self.interface.has_function(expanded, arity):
            plural = "" if arity == 1 else "s"
            message = f"there is no function {name} with {arity} argument{plural}"
            hint = self.interface.function_hint(expanded)
            raise self.error_of_name("XPST0017", message, name, at, hint)
        return expanded

    # -- errors

    def error(self, code: str, message: str, node: object) -> QueryError:
        """Returns, to be raised, an error that shows a node."""
        return error_at(self.context.source, code, message, node)

    def error_of_name(
        self, code: str, message: str, name: Name, at: int, hint: str | None = None
    ) -> QueryError:
        """Returns, to be raised, an error that shows a name after an offset."""
        return error_of_name(self.context.source, code, message, name, at, hint=hint)
