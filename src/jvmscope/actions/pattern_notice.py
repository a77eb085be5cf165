"""Says which patterns of --include and --exclude matched no class that they could be about."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.schema.local_paths import local

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["tell_unmatched"]

_OF_JDK = ("java.", "jdk.")  # modules, whichever loader defines them
_WILDCARDS = {"*": ".*", "?": "."}


def tell_unmatched(
    run: Path, include: Sequence[str], exclude: Sequence[str], console: Console
) -> None:
    """Warns of patterns that changed nothing: no class of the program has such a name.

    Classes of the JDK are counted whatever the patterns are.

    Raises:
        RunError: the directory is not a run, or its table of classes cannot be read.
    """
    asked = [*(("--include", each) for each in include), *(("--exclude", each) for each in exclude)]
    if not asked:
        return
    import pyarrow as pa
    import pyarrow.parquet as pq

    from jvmscope.errors import RunError
    from jvmscope.schema.manifest import read_manifest

    if "class" not in read_manifest(run).tables:
        return
    path = run / "tables" / "class.parquet"
    try:
        rows = pq.read_table(local(path), columns=["name", "module"]).to_pylist()
    except (OSError, pa.ArrowException):
        raise RunError(f"{path}: cannot be read; see jvmscope check") from None
    names = [row["name"] for row in rows if not (row["module"] or "").startswith(_OF_JDK)]
    for option, pattern in asked:
        if not any(map(_expression(pattern).fullmatch, names)):
            console.warn(
                f"{option} {pattern}: no class of the program has such a name; those of the JDK "
                "are always counted"
            )


def _expression(pattern: str) -> re.Pattern[str]:
    """Returns a glob over names in JVM form as the recorder reads it: dots are slashes.

    >>> bool(_expression("app.*$Key?").fullmatch("app/sub/Main$Key1"))
    True
    """
    text = pattern.replace(".", "/")
    return re.compile("".join(_WILDCARDS.get(each) or re.escape(each) for each in text), re.DOTALL)
