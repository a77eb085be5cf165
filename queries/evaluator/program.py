"""Evaluation of a whole program, on a stack deep enough for queries that recurse."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from itertools import islice
from typing import TYPE_CHECKING, Any

from jvmscope.queries.evaluator import (  # noqa: F401 - each registers what it compiles
    asides,
    calls,
    comparisons,
    constructors,
    control,
    flwor,
    grouping,
    handlers,
    maps,
    operators,
    partial,
    paths,
    predicates,
    primaries,
    windows,
)
from jvmscope.queries.evaluator.bindings import treated
from jvmscope.queries.evaluator.compiler import Compiler
from jvmscope.queries.evaluator.context import Environment, Runtime
from jvmscope.queries.evaluator.linkage import Linkage
from jvmscope.queries.items.errors import DynamicError
from jvmscope.queries.syntax import ast
from jvmscope.queries.syntax.types import ItemSequence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmscope.queries.analysis import Program
    from jvmscope.queries.items.types import Item

__all__ = ["CompiledQuery", "compile_program", "evaluate"]

_STACK_BYTES = 512 << 20
_FRAMES = 400_000
_FIRST_BATCH, _LARGEST_BATCH = 16, 1024
_LOCK = threading.Lock()


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
        self._body = compiler.compile(program.main.body).items
        self._layout = compiler.layout

    def items(self, environment: Environment) -> Iterator[Item]:
        """Returns the items of the result, each evaluated when it is asked for.

        Raises:
            QueryError: an error of the query, with code and place; reading on may raise it, too.
            LimitReached: the time is over.
        """
        return _Worker(self, environment).items()

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

    def runtime(self, environment: Environment) -> Runtime:
        """Returns the state of a new evaluation."""
        return Runtime(environment, self._linkage)


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


class _Worker:
    """Evaluates on a thread of its own, whose stack is deep, a batch at a time on demand.

    What recurses in a query recurses in Python, and in 3.11 a generator takes part of the C
    stack for each level; the main thread's 8 MB would be too little.
    """

    def __init__(self, query: CompiledQuery, environment: Environment) -> None:
        self._query = query
        self._runtime = query.runtime(environment)
        self._wanted = threading.Semaphore(0)
        self._ready = threading.Semaphore(0)
        self._batch: list[Item] = []
        self._error: BaseException | None = None
        self._is_done = False

    def items(self) -> Iterator[Item]:
        """Returns the items as they are evaluated."""
        thread = _deep_thread(self._work)
        timer = self._timer()
        try:
            while True:
                self._wanted.release()
                self._ready.acquire()
                yield from self._batch
                if self._error is not None:
                    raise self._error
                if self._is_done:
                    return
        finally:
            self._runtime.is_cancelled = not self._is_done
            self._runtime.is_expired = True
            self._is_done = True
            self._wanted.release()
            if timer is not None:
                timer.cancel()
            thread.join()

    def _timer(self) -> threading.Timer | None:
        timeout = self._runtime.environment.timeout
        if timeout is None:
            return None
        timer = threading.Timer(timeout, self._expire)
        timer.daemon = True
        timer.start()
        return timer

    def _expire(self) -> None:
        self._runtime.is_expired = True

    def _work(self) -> None:
        size = _FIRST_BATCH
        with _deep_recursion():
            items = self._query.start(self._runtime)
            self._wanted.acquire()
            while not self._is_done:
                self._batch = []
                try:
                    for item in islice(items, size):
                        self._batch.append(item)
                except BaseException as error:
                    self._error = error
                self._is_done = self._error is not None or len(self._batch) < size
                size = min(2 * size, _LARGEST_BATCH)
                self._ready.release()
                if not self._is_done:
                    self._wanted.acquire()


def _deep_thread(work: Callable[[], None]) -> threading.Thread:
    with _LOCK:
        before = threading.stack_size(_STACK_BYTES)
        try:
            thread = threading.Thread(target=work, name="jvmscope query", daemon=True)
            thread.start()
        finally:
            threading.stack_size(before)
    return thread


class _Deep:
    users = 0
    limit = 0


@contextmanager
def _deep_recursion() -> Any:
    """Raises the interpreter's limit while some query is evaluated."""
    with _LOCK:
        if _Deep.users == 0:
            _Deep.limit = sys.getrecursionlimit()
            sys.setrecursionlimit(max(_FRAMES, _Deep.limit))
        _Deep.users += 1
    try:
        yield
    finally:
        with _LOCK:
            _Deep.users -= 1
            if _Deep.users == 0:
                sys.setrecursionlimit(_Deep.limit)
