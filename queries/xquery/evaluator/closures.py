"""From abstract syntax to closures: the scopes of one body, and who compiles which expression."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from jvmscope.queries.xquery.evaluator.code import SLOTS, Code
from jvmscope.queries.xquery.evaluator.remembering import Inputs, inputs_of, remembering
from jvmscope.queries.xquery.items.errors import DynamicError
from jvmscope.queries.xquery.trees.memory import NO_NAMESPACES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from jvmscope.errors import QueryError
    from jvmscope.queries.xquery.analysis import StaticContext
    from jvmscope.queries.xquery.evaluator.code import Frame
    from jvmscope.queries.xquery.evaluator.linkage import Linkage
    from jvmscope.queries.xquery.items.types import Item
    from jvmscope.queries.xquery.syntax.ast import Expression, Variable

__all__ = ["EMPTY", "Compiler", "FocusUse", "Layout", "compiles"]

_Compile = TypeVar("_Compile", bound="Callable[[Compiler, Any], Code]")
_COMPILERS: dict[type[Any], Callable[[Compiler, Any], Code]] = {}

EMPTY = Code(one=lambda _frame, _item: None)
"""The empty sequence."""


def compiles(*kinds: type[Any]) -> Callable[[_Compile], _Compile]:
    """Returns a decorator for the function that compiles some classes of expressions."""

    def register(function: _Compile) -> _Compile:
        for kind in kinds:
            _COMPILERS[kind] = function
        return function

    return register


class FocusUse:
    """Which parts of its focus an expression asks for, besides the item."""

    __slots__ = ("position", "size")

    def __init__(self) -> None:
        self.position = False
        self.size = False


class Layout:
    """The slots of a body's frames."""

    __slots__ = ("size",)

    def __init__(self) -> None:
        self.size = SLOTS

    def frame(self, runtime: Any) -> list[Any]:
        """Returns a frame with no variable bound."""
        return [runtime] + [None] * (self.size - 1)


class Compiler:
    """Compiles the expressions of one body: a main module's, a function's, a global variable's.

    Attributes:
        linkage: the functions and global variables of the program.
        static: the static context of the module.
        layout: the slots of the body's frames.
        namespaces: the namespaces that are statically known where the compiler is.
        surrounding: those of the enclosing direct constructors.
        default_namespace: of unprefixed names of elements.
    """

    def __init__(self, linkage: Linkage, static: StaticContext) -> None:
        self.linkage = linkage
        self.static = static
        self.layout = Layout()
        self.namespaces: Mapping[str, str] = static.namespaces
        self.surrounding: Mapping[str, str] = NO_NAMESPACES
        self.default_namespace = static.default_element_namespace
        self._slots: dict[Variable, tuple[int, bool]] = {}
        self._focus = [FocusUse()]
        self._is_repeated = False

    def compile(self, expression: Expression | None) -> Code:
        """Returns the code of an expression; None is the empty sequence."""
        if expression is None:
            return EMPTY
        if self._is_repeated:
            inputs = inputs_of(expression)
            if inputs is not None:
                return self._remembered(expression, inputs)
        return _COMPILERS[type(expression)](self, expression)

    def _remembered(self, expression: Expression, inputs: Inputs) -> Code:
        with self.repeated(is_repeated=False):
            code = self.compile(expression)
        found = (self.slot(each.variable) for each in inputs.variables if each.variable)
        slots = [place[0] for place in found if place is not None]
        return remembering(code, slots, has_tree=inputs.has_tree)

    @contextmanager
    def repeated(self, *, is_repeated: bool = True) -> Iterator[None]:
        """Compiles what is evaluated again and again, or what is not."""
        before = self._is_repeated
        self._is_repeated = is_repeated
        try:
            yield
        finally:
            self._is_repeated = before

    # -- variables

    def bind(self, variable: Variable | None, *, is_single: bool = False) -> int:
        """Returns a new slot for a variable.

        Args:
            variable: what is bound.
            is_single: the slot holds its only item, or None; else a sequence.
        """
        slot = self.layout.size
        self.layout.size += 1
        if variable is not None:
            self._slots[variable] = (slot, is_single)
        return slot

    def slot(self, variable: Variable) -> tuple[int, bool] | None:
        """Returns a variable's slot and whether it holds a single item; None for a global one."""
        return self._slots.get(variable)

    # -- the focus

    @contextmanager
    def focus(self) -> Iterator[FocusUse]:
        """Compiles what has a focus of its own, one for each item; yields what it uses of it."""
        use = FocusUse()
        self._focus.append(use)
        try:
            with self.repeated():
                yield use
        finally:
            self._focus.pop()

    def use_position(self) -> None:
        """Notes that the position is used."""
        self._focus[-1].position = True

    def use_size(self) -> None:
        """Notes that the size is used."""
        self._focus[-1].size = True

    # -- namespaces

    @contextmanager
    def declaring(self, namespaces: dict[str, str]) -> Iterator[None]:
        """Compiles what is inside a direct constructor with namespace declarations."""
        before = self.namespaces, self.surrounding, self.default_namespace
        if namespaces:
            self.namespaces = _merged(self.namespaces, namespaces)
            self.surrounding = _merged(self.surrounding, namespaces)
            self.default_namespace = namespaces.get("", self.default_namespace)
        try:
            yield
        finally:
            self.namespaces, self.surrounding, self.default_namespace = before

    def static_here(self) -> StaticContext:
        """Returns the static context with the namespaces that are known where the compiler is."""
        if self.namespaces is self.static.namespaces:
            return self.static
        return replace(
            self.static,
            namespaces=dict(self.namespaces),
            default_element_namespace=self.default_namespace,
        )

    def lexical_namespaces(self) -> Mapping[str, str]:
        """Returns what resolves lexical names of elements: "" is the default namespace's prefix."""
        return {**self.namespaces, "": self.default_namespace}

    # -- errors

    def placer(self, expression: Any) -> Callable[[QueryError], QueryError]:
        """Returns what gives an error the place of an expression, unless it has one.

        An error that is caught is raised again as it is; a new one is raised with its place.
        """
        source = self.static.source
        at = expression.at
        end = getattr(expression, "end", at + 1)

        def place(error: QueryError) -> QueryError:
            if error.line is None and isinstance(error, DynamicError):
                line, column = source.line_and_column(min(at, len(source.text)))
                path = None if source.path is None else str(source.path)
                error.place(path, line, column, source.text, max(1, end - at))
            return error

        return place

    def placed(
        self, expression: Any, one: Callable[[Frame, Item], Any]
    ) -> Callable[[Frame, Item], Any]:
        """Returns a closure whose errors have the place of an expression, unless they have one."""
        place = self.placer(expression)

        def placed(frame: Frame, item: Item) -> Any:
            try:
                return one(frame, item)
            except DynamicError as error:
                place(error)
                raise

        return placed


def _merged(namespaces: Mapping[str, str], declared: Mapping[str, str]) -> Mapping[str, str]:
    merged = {**namespaces, **declared}
    return {prefix: uri for prefix, uri in merged.items() if uri}
