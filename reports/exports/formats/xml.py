"""The XML view of a run: two documents with every table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmscope.errors import QueryError
from jvmscope.reports.exports.formats.registry import RunFormat, register

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from jvmscope.queries import Engine

__all__ = ["write_xml"]

_FILES = ("cct.xml", "classes.xml")
_FORMS = ("nested", "flat")


def write_xml(
    engine: Engine, path: Path, on_progress: Callable[[float], None], form: Any = "nested"
) -> None:
    """Writes the two documents into a directory; see ``export_xml``.

    Raises:
        QueryError: there is no such form.
    """
    from jvmscope.schema.xml import export_xml

    if form not in _FORMS:
        raise QueryError(
            f"there is no form {form!r}", path="--form", hint=f"forms: {', '.join(_FORMS)}"
        )

    def report(_stage: str, done: int, total: int) -> None:
        on_progress(100 * done / max(1, total))

    cct, classes = (path / name for name in _FILES)
    export_xml(engine.run, cct, classes, form, report)


register(
    RunFormat(
        name="xml",
        write=write_xml,
        rank=0,
        files=_FILES,
        folder="xml",
        options=frozenset({"form"}),
        contains="every table, as documents: [the XML view](xml-view.md)",
        opened_by="XML tools, `jvmscope import`",
    )
)
