"""Single invocations of methods with probes, as the agent sends them."""

from __future__ import annotations

import base64
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from jvmscope.schema.watched import watch_tables

if TYPE_CHECKING:
    import numpy.typing as npt

__all__ = ["Samples", "samples_of"]

_FIELDS = 3
"""The thread's number, or its complement; begin; end: as ``Samples`` of the agent."""


class Samples:
    """Invocations of one method.

    Args:
        values: for each the number of its thread, or the complement of that where it threw; when it
            began and when it ended by ``System.nanoTime()``, in nanoseconds.
        since_1970_ns: nanoseconds since 1970 when that clock was zero.
    """

    def __init__(self, values: npt.NDArray[np.int64], since_1970_ns: int) -> None:
        self.is_exceptional = values[:, 0] < 0
        self.thread_id = np.where(self.is_exceptional, ~values[:, 0], values[:, 0])
        self.entry_ns = values[:, 1]
        self.exit_ns = values[:, 2]
        self._since_1970_ns = since_1970_ns

    def batch(self, method: int, caller: int | None) -> pa.RecordBatch:
        """Returns the rows of the table ``probe_sample``."""
        n = len(self.entry_ns)
        arrays = [
            pa.array(self.entry_ns + self._since_1970_ns),
            pa.array(self.exit_ns - self.entry_ns),
            pa.array(np.full(n, method, np.int32)),
            pa.nulls(n, pa.int32()) if caller is None else pa.array(np.full(n, caller, np.int32)),
            pa.array(self.thread_id, mask=self.thread_id == 0),
            pa.array(self.is_exceptional),
            pa.array(self.entry_ns),
        ]
        schema = watch_tables()["probe_sample"].arrow_schema
        return pa.RecordBatch.from_arrays(arrays, schema=schema)


def samples_of(since_1970_ns: str, encoded: str) -> Samples:
    """Returns the invocations of a message.

    Args:
        since_1970_ns: nanoseconds since 1970 when ``System.nanoTime()`` was zero.
        encoded: the values in Base64.

    >>> found = samples_of("990", base64.b64encode(bytes(7) + b"\\1" + bytes(16)).decode())
    >>> found.thread_id.tolist(), found.batch(0, None)["start_ns"].to_pylist()
    ([1], [990])
    """
    values = np.frombuffer(base64.b64decode(encoded), ">i8").astype(np.int64)
    return Samples(values.reshape(-1, _FIELDS), int(since_1970_ns))
