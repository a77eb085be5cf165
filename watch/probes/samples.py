"""Single invocations of methods with probes, as the agent sends them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from jvmscope.schema.watched import watch_tables

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

__all__ = ["Samples", "samples_of"]

_FIELDS = 3
"""The thread's number, or its complement; begin; end: as ``Samples`` of the agent."""


class Samples:
    """Invocations of some methods, those of one method and caller one after the other.

    Args:
        values: for each the number of its thread, or the complement of that where it threw; when it
            began and when it ended by ``System.nanoTime()``, in nanoseconds.
        since_1970_ns: nanoseconds since 1970 when that clock was zero.
        groups: the agent's numbers of a method and its caller, and how many invocations are theirs.
    """

    def __init__(
        self,
        values: npt.NDArray[np.int64],
        since_1970_ns: int,
        groups: Sequence[tuple[str, str, int]],
    ) -> None:
        self.is_exceptional = values[:, 0] < 0
        self.thread_id = np.where(self.is_exceptional, ~values[:, 0], values[:, 0])
        self.entry_ns = values[:, 1]
        self.exit_ns = values[:, 2]
        self.groups = groups
        self._since_1970_ns = since_1970_ns

    def batch(self, methods: Mapping[str, int], callers: Mapping[str, int]) -> pa.RecordBatch:
        """Returns the rows of the table ``probe_sample``.

        Args:
            methods: the keys of methods by the agent's numbers.
            callers: the keys of callers; a caller that is not there has none.
        """
        method, caller, n = zip(*self.groups, strict=True)
        known = [methods[number] for number in method]
        called = np.repeat([callers.get(number, -1) for number in caller], n).astype(np.int32)
        arrays = [
            pa.array(self.entry_ns + self._since_1970_ns),
            pa.array(self.exit_ns - self.entry_ns),
            pa.array(np.repeat(known, n).astype(np.int32)),
            pa.array(called, mask=called < 0),
            pa.array(self.thread_id, mask=self.thread_id == 0),
            pa.array(self.is_exceptional),
            pa.array(self.entry_ns),
        ]
        schema = watch_tables()["probe_sample"].arrow_schema
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


def samples_of(since_1970_ns: str, encoded: str, *groups: str) -> Samples:
    """Returns the invocations of a message.

    Args:
        since_1970_ns: nanoseconds since 1970 when ``System.nanoTime()`` was zero.
        encoded: the values in Base64.
        groups: for each method and caller their numbers, and how many of the values are theirs.

    >>> encoded = base64.b64encode(bytes(7) + b"\1" + bytes(16)).decode()
    >>> found = samples_of("990", encoded, "5", "-1", "1").batch({"5": 0}, {})
    >>> [found[name][0].as_py() for name in ("java_thread_id", "start_ns", "probe_method_id")]
    [1, 990, 0]
    """
    values = np.frombuffer(base64.b64decode(encoded), ">i8").astype(np.int64)
    split = zip(groups[::3], groups[1::3], map(int, groups[2::3]), strict=True)
    return Samples(values.reshape(-1, _FIELDS), int(since_1970_ns), list(split))
