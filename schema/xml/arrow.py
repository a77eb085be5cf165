"""Arrow's functions without static types, which its stubs cannot express for our columns."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pyarrow.compute

__all__ = ["Column", "compute", "to_array"]

Column = Any
"""An Arrow array of one of the types that tables have."""

compute: Any = pyarrow.compute


def to_array(values: Any, kind: pa.DataType) -> Column:
    """Returns the values as an array of the type."""
    make: Any = pa.array
    return make(values, kind)
