"""The dynamic context of a query: context item, current time, documents, limits."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Protocol

from elementpath import datatypes as ep

from jvmscope.errors import LimitReached
from jvmscope.queries.limits.deadline import time_is_over
from jvmscope.queries.xquery.items.errors import DynamicError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jvmscope.queries.xquery.analysis import StaticContext
    from jvmscope.queries.xquery.items.functions import FunctionItem
    from jvmscope.queries.xquery.items.types import Item, Sequence
    from jvmscope.queries.xquery.syntax.expanded_names import Name
    from jvmscope.queries.xquery.trees.node import Node

__all__ = ["Documents", "DynamicContext", "Environment", "Runtime"]

_MAX_DEPTH = 10_000


class Documents(Protocol):
    """Where documents, collections and texts come from; OSError tells what is not there."""

    def document(self, uri: str) -> Node:
        """Returns the document of an absolute URI, the same node each time."""

    def collection(self, uri: str | None) -> Iterable[Item]:
        """Returns the items of a collection, of the default one without a URI."""

    def text(self, uri: str, encoding: str | None) -> str:
        """Returns the text of a resource."""

    def uri_collection(self, uri: str | None) -> Iterable[str]:
        """Returns the URIs of the resources of a collection."""


def _now() -> ep.DateTime:
    return ep.DateTime.fromdatetime(datetime.now(UTC).replace(microsecond=0))


@dataclass(frozen=True)
class Environment:
    """What is given to an evaluation, once for all of it.

    Attributes:
        item: the context item, or None.
        variables: values of external variables by name, each a sequence.
        now: the current date and time, fixed for the evaluation.
        timezone: the implicit timezone in minutes east of Greenwich.
        documents: None: ``fn:doc``, ``fn:collection``, ``fn:unparsed-text`` refuse.
        environment: what ``fn:environment-variable`` shows; None: nothing.
        trace: receives what ``fn:trace`` says.
        timeout: stop after this many seconds, or None.
        max_depth: how deep functions may call each other.
        on_wait: called now and then while the evaluation goes on, by whoever waits for it.
    """

    item: Item | None = None
    variables: Mapping[Name, Sequence] = field(default_factory=dict)
    now: ep.DateTime = field(default_factory=_now)
    timezone: int = 0
    documents: Documents | None = None
    environment: Mapping[str, str] | None = None
    trace: Callable[[str], None] = lambda _: None
    timeout: float | None = None
    max_depth: int = _MAX_DEPTH
    on_wait: Callable[[], None] = lambda: None


class Runtime:
    """The state of one evaluation.

    Attributes:
        environment: what was given.
        deadline: when the time is over, by ``time.monotonic``, or None.
        is_expired: the time is over, or the caller no longer wants the answer; every loop asks.
        depth: how many functions are active.
        values: the global variables that were evaluated.
        active: those being evaluated.
        remembered: what expressions keep from one evaluation of theirs to the next.
        item: the context item of the main module's body.
        exceeded: what the evaluation used up other than its time, for the message; None: nothing.
    """

    __slots__ = (
        "active",
        "deadline",
        "depth",
        "environment",
        "exceeded",
        "is_cancelled",
        "is_expired",
        "item",
        "linkage",
        "remembered",
        "values",
    )

    def __init__(self, environment: Environment, linkage: Any) -> None:
        self.environment = environment
        self.linkage = linkage
        self.deadline: float | None = None
        self.is_expired = False
        self.is_cancelled = False
        self.exceeded: str | None = None
        self.depth = 0
        self.values: dict[Any, Sequence] = {}
        self.active: set[Any] = set()
        self.remembered: dict[Any, Any] = {}
        self.item = environment.item

    def stop(self) -> None:
        """Ends the evaluation.

        Raises:
            LimitReached: always.
        """
        if self.is_cancelled:
            raise LimitReached("the query was interrupted")
        if self.exceeded is not None:
            raise LimitReached(self.exceeded)
        raise time_is_over(self.environment.timeout or 0)

    def enter(self) -> None:
        """Counts a call.

        Raises:
            DynamicError: XPDY0130, functions call each other too deep.
        """
        if self.is_expired:
            self.stop()
        self.depth += 1
        if self.depth > self.environment.max_depth:
            message = f"functions call each other more than {self.environment.max_depth} deep"
            raise DynamicError("XPDY0130", message)


class DynamicContext:
    """What a built-in function that asks for ``context`` gets: the focus and the rest.

    Attributes:
        item: the context item, or None where absent.
        position: its position, or None.
        size: how many items there are, or None.
        static: the static context of the module that calls.
        runtime: the state of the evaluation.
    """

    __slots__ = ("item", "position", "runtime", "size", "static")

    def __init__(
        self,
        runtime: Runtime,
        static: StaticContext,
        item: Item | None,
        position: int | None = None,
        size: int | None = None,
    ) -> None:
        self.runtime = runtime
        self.static = static
        self.item = item
        self.position = position
        self.size = size

    @property
    def now(self) -> ep.DateTime:
        """The current date and time."""
        return self.runtime.environment.now

    @property
    def timezone(self) -> int:
        """The implicit timezone in minutes east of Greenwich."""
        return self.runtime.environment.timezone

    @property
    def documents(self) -> Documents | None:
        """Where documents come from, or None."""
        return self.runtime.environment.documents

    @property
    def environment(self) -> Mapping[str, str] | None:
        """The environment variables that the query may see, or None."""
        return self.runtime.environment.environment

    def trace(self, text: str) -> None:
        """Passes a message on."""
        self.runtime.environment.trace(text)

    def check(self) -> None:
        """Ends the evaluation if its time is over; called in long loops.

        Raises:
            LimitReached: it is over.
        """
        if self.runtime.is_expired:
            self.runtime.stop()

    def seconds_left(self) -> float | None:
        """Returns how long the evaluation may go on, at most 0 if it is over; None: any time."""
        deadline = self.runtime.deadline
        return None if deadline is None else deadline - time.monotonic()

    def lookup_function(self, name: Name, arity: int) -> FunctionItem | None:
        """Returns the function of a name and arity that the calling module knows, or None."""
        found: FunctionItem | None = self.runtime.linkage.function_item(name, arity, self)
        return found
