"""Says which patterns matched nothing that they could be about: of classes, and of methods."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmscope.actions.run_rows import rows_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from jvmscope.output.console import Console

__all__ = ["tell_uncovered", "tell_unmatched"]

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
    from jvmscope.schema.manifest import read_manifest

    if "class" not in read_manifest(run).tables:
        return
    rows = rows_of(run, "class", ["name", "module"])
    names = [row["name"] for row in rows if not (row["module"] or "").startswith(_OF_JDK)]
    for option, pattern in asked:
        if not any(map(_expression(pattern).fullmatch, names)):
            console.warn(
                f"{option} {pattern}: no class of the program has such a name; those of the JDK "
                "are always counted"
            )


def tell_uncovered(run: Path, scopes: Sequence[str], console: Console) -> None:
    """Warns of scopes of snippets that no method of a loaded class is in.

    Raises:
        RunError: the directory is not a run, or its tables cannot be read.
    """
    from jvmscope.schema.manifest import read_manifest

    scopes = [scope for scope in scopes if scope.strip("*") not in ("", ".")]
    if not scopes or not {"class", "method"} <= read_manifest(run).tables.keys():
        return
    classes = {row["class_id"]: row["name"] for row in rows_of(run, "class", ["class_id", "name"])}
    methods = rows_of(run, "method", ["class_id", "name", "descriptor"])
    names = {f"{classes[row['class_id']]}.{row['name']}" for row in methods}
    for scope in scopes:
        known = names
        if "(" in scope:
            known = names.union(
                f"{classes[row['class_id']]}.{row['name']}{row['descriptor']}" for row in methods
            )
        expression = re.compile(".*".join(map(re.escape, scope.split("*"))), re.DOTALL)
        if not any(map(expression.fullmatch, known)):
            console.warn(
                f"--probe: the scope {scope}: no class that was loaded has such a method; names "
                "are in JVM form, such as app/Main.run"
            )


def _expression(pattern: str) -> re.Pattern[str]:
    """Returns a glob over names in JVM form as the recorder reads it: dots are slashes.

    >>> bool(_expression("app.*$Key?").fullmatch("app/sub/Main$Key1"))
    True
    """
    text = pattern.replace(".", "/")
    return re.compile("".join(_WILDCARDS.get(each) or re.escape(each) for each in text), re.DOTALL)
