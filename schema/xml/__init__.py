"""The XML view of a run: the same facts as ``classes.xml`` and ``cct.xml``, and back.

The names are imported when they are asked for: a query needs the vocabulary alone, and the writer
and the reader need parts of Arrow that take as long to load as a query takes to run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.schema.xml.vocabulary import NAMESPACE

if TYPE_CHECKING:
    from typing import Any

    from jvmscope.schema.xml.reading.run import import_xml
    from jvmscope.schema.xml.writing.run import Form, export_xml

__all__ = ["NAMESPACE", "Form", "export_xml", "import_xml"]

_HOMES = {"Form": "writing.run", "export_xml": "writing.run", "import_xml": "reading.run"}


def __getattr__(name: str) -> Any:
    """Returns a name of the package from the module that defines it."""
    from importlib import import_module

    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
