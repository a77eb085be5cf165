"""``try`` and ``catch`` (XQuery 3.1, section 3.17)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries.xquery.evaluator.closures import Compiler, compiles
from jvmscope.queries.xquery.evaluator.code import Code, Frame
from jvmscope.queries.xquery.evaluator.linkage import InitializationError
from jvmscope.queries.xquery.items.casts import qname
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.syntax import ast
from jvmscope.queries.xquery.syntax.types import NameTest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.syntax.types import NodeTest

__all__: list[str] = []


class _Handler:
    """A catch clause: the errors it takes, the slots of its variables, its body."""

    def __init__(self, compiler: Compiler, clause: ast.CatchClause) -> None:
        self._tests = [_test(test) for test in clause.tests]
        self._slots = [(local, compiler.bind(variable)) for local, variable in clause.variables]
        self._body = compiler.compile(clause.body).items

    def takes(self, error: DynamicError) -> bool:
        """Tells whether the clause catches an error."""
        return any(test(error) for test in self._tests)

    def items(self, frame: Frame, item: Item, error: DynamicError) -> Iterable[Item]:
        """Returns the value of the body, its variables telling of the error."""
        inner = frame.copy()
        for local, slot in self._slots:
            inner[slot] = _VALUES[local](error)
        return self._body(inner, item)


def _test(test: NodeTest) -> Callable[[DynamicError], bool]:
    assert isinstance(test, NameTest)
    name = test.name
    if name.local != "*":
        if name.prefix == "*":
            return lambda error: error.name.local == name.local
        return lambda error: (error.name.local, error.name.uri) == (name.local, name.uri or "")
    if name.prefix == "*":
        return lambda _: True
    return lambda error: error.name.uri == (name.uri or "")


def _code(error: DynamicError) -> Sequence[Item]:
    return (qname(error.name.uri or "", str(error.name)),)


def _optional(value: Item) -> Sequence[Item]:
    return () if value is None else (value,)


_VALUES: dict[str, Callable[[DynamicError], Sequence[Item]]] = {
    "code": _code,
    "description": lambda error: _optional(error.message or None),
    "value": lambda error: tuple(error.value),
    "module": lambda error: _optional(error.path),
    "line-number": lambda error: _optional(error.line),
    "column-number": lambda error: _optional(error.column),
    "additional": lambda _: (),
}


@compiles(ast.TryCatch)
def _try(compiler: Compiler, expression: ast.TryCatch) -> Code:
    """The body is evaluated as a whole: an error at its end leaves nothing of it."""
    body = compiler.compile(expression.body).items
    handlers = [_Handler(compiler, clause) for clause in expression.clauses]

    def items(frame: Frame, item: Item) -> Iterable[Item]:
        depth = frame[0].depth
        try:
            value = body(frame, item)
            return value if isinstance(value, range) else list(value)
        except InitializationError:
            raise
        except DynamicError as error:
            frame[0].depth = depth
            for handler in handlers:
                if handler.takes(error):
                    return handler.items(frame, item, error)
            raise

    return Code(items)
