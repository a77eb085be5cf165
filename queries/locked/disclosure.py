"""Removes from the manifest and from messages what an untrusted query must not learn.

The manifest says where a program was recorded, by whom and how. What is known to say nothing of
this is listed here, and everything else is left out: a query sees no such entry, not an empty one.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jvmscope.schema.options import OPTIONS
from jvmscope.temporary_files import temporary_directory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["disclosed_manifest", "without_machine", "without_paths"]

_WHOLE = frozenset(
    {"schema", "status", "tables", "exit", "main", "exclusions", "started", "duration_s"}
)
_PARTS = {
    "jvm": {
        "version", "ordinal", "java_version", "vendor", "vm_name", "vm_version",
        "runtime_version", "architecture",
    },
    "host": {"system", "machine"},
    "tool": {"name", "version"},
    "options": {each.manifest for each in OPTIONS if each.manifest and not each.is_private},
}  # fmt: skip
_SENTENCES = ("limits", "determinism")
_PATH = re.compile(r"(?<![\w.])/[^\s'\",;:()]+")


def disclosed_manifest(document: Mapping[str, Any]) -> dict[str, Any]:
    """Returns of a manifest's document what is not about who recorded the run, and where.

    >>> document = {"status": "complete", "command": ["java"], "host": {"system": "Linux", "x": 1}}
    >>> disclosed_manifest(document)
    {'status': 'complete', 'host': {'system': 'Linux'}}
    """
    shown: dict[str, Any] = {}
    for name, value in document.items():
        if name in _WHOLE:
            shown[name] = value
        elif name in _PARTS and isinstance(value, dict):
            shown[name] = {key: value[key] for key in value if key in _PARTS[name]}
        elif name in _SENTENCES and isinstance(value, list):
            shown[name] = [without_paths(text) for text in value if isinstance(text, str)]
    return shown


def without_paths(text: str) -> str:
    """Returns a message with an ellipsis for each absolute path in it.

    >>> without_paths('cannot open "/home/me/a.run/tables/class.parquet": no such file')
    'cannot open "…": no such file'
    >>> without_paths("java/lang/String, 1 / 2")
    'java/lang/String, 1 / 2'
    """
    return _PATH.sub("…", text)


def without_machine(text: str, run: Path) -> str:
    """Returns a message that names the run without its directory, and no place of this machine.

    What the query itself calls a path is no secret and stays, unless it begins as one of these.

    Args:
        text: a message of the process that answered.
        run: the run's directory.
    """
    for path in sorted({str(run.absolute()), str(run.resolve())}, key=len, reverse=True):
        text = text.replace(path, run.absolute().name)
    for path in sorted(set(_places()), key=len, reverse=True):
        text = text.replace(path, "…")
    return text


def _places() -> Iterator[str]:
    """Yields directories of this machine that messages may name by mistake."""
    code = Path(__file__).resolve().parents[2]
    ours = (Path.cwd(), Path.home(), code, temporary_directory())
    for path in (sys.prefix, sys.base_prefix, *ours):
        if len(Path(path).parts) > 1:  # not the root itself
            yield str(path)
