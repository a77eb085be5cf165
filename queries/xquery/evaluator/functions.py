"""The functions that a query declares: compiled when they are first called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.queries.xquery.evaluator.arguments import argument, is_single_type
from jvmscope.queries.xquery.evaluator.closures import Compiler
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.items.functions import FunctionItem

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmscope.queries.xquery.analysis import StaticContext
    from jvmscope.queries.xquery.evaluator.code import Frame
    from jvmscope.queries.xquery.evaluator.context import Runtime
    from jvmscope.queries.xquery.evaluator.linkage import Linkage
    from jvmscope.queries.xquery.items.types import Item, Sequence
    from jvmscope.queries.xquery.syntax.ast import FunctionDeclaration
    from jvmscope.queries.xquery.syntax.types import SequenceType

__all__ = ["UserFunction"]


class UserFunction:
    """A declared function.

    Args:
        linkage: the program's functions and global variables.
        declaration: its declaration, with expanded names.
        static: the static context of its module.
    """

    def __init__(
        self, linkage: Linkage, declaration: FunctionDeclaration, static: StaticContext
    ) -> None:
        self._linkage = linkage
        self._declaration = declaration
        self._static = static
        self._body: Callable[[Frame, Item], Any] | None = None
        self._slots: list[int] = []
        self._blank: list[Any] = []
        self.parameters: tuple[SequenceType | None, ...] = tuple(
            parameter.type for parameter in declaration.parameters
        )
        self.result = declaration.result

    def run(self, runtime: Runtime, values: list[Any]) -> Any:
        """Returns the result of a call.

        Args:
            runtime: the state of the evaluation.
            values: converted arguments: an item or None where the parameter's type allows one
                item at most, else a sequence.

        Returns:
            An item or None where the result's type allows one at most, else a sequence.
        """
        body = self._body or self._compile()
        frame = self._blank.copy()
        frame[0] = runtime
        for slot, value in zip(self._slots, values, strict=True):
            frame[slot] = value
        runtime.enter()
        try:
            return body(frame, None)
        except DynamicError as error:
            self._place(error)
            raise
        finally:
            runtime.depth -= 1

    def item(self, runtime: Runtime) -> FunctionItem:
        """Returns the function as an item."""
        singles = [is_single_type(kind) for kind in self.parameters]
        is_single = is_single_type(self.result)

        def call(*sequences: Sequence) -> Sequence:
            values = [
                next(iter(sequence), None) if single else sequence
                for sequence, single in zip(sequences, singles, strict=True)
            ]
            result = self.run(runtime, values)
            if not is_single:
                return result
            return () if result is None else (result,)

        name, annotations = self._declaration.name, self._declaration.annotations
        return FunctionItem(name, self.parameters, self.result, call, annotations)

    def _compile(self) -> Callable[[Frame, Item], Any]:
        compiler = Compiler(self._linkage, self._static)
        self._place = compiler.placer(self._declaration)
        self._slots = [
            compiler.bind(parameter.variable, is_single=is_single_type(parameter.type))
            for parameter in self._declaration.parameters
        ]
        code = compiler.compile(self._declaration.body)
        body = argument(code, self.result).value
        self._blank = compiler.layout.frame(None)
        self._body = body
        return body
