"""``vm.properties``: what a VM says of itself, in the format of java.util.Properties."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["parse_properties", "read_vm"]

_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|.)")
_LETTERS = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}

# name in the manifest: property
_KEPT = {
    "java_version": "java.version",
    "vendor": "java.vendor",
    "vm_name": "java.vm.name",
    "vm_version": "java.vm.version",
    "runtime_version": "java.runtime.version",
    "architecture": "os.arch",
    "main_command": "sun.java.command",
}


def read_vm(path: Path) -> dict[str, str]:
    """Returns what the run keeps of a VM's properties; empty if the VM wrote none."""
    try:
        text = path.read_text(encoding="latin-1")
    except FileNotFoundError:
        return {}
    properties = parse_properties(text)
    return {name: properties[key] for name, key in _KEPT.items() if properties.get(key)}


def parse_properties(text: str) -> dict[str, str]:
    r"""Returns the entries of a file as ``Properties.store`` writes it.

    >>> parse_properties("#comment\njava.home=/a\\ b\nx=\\u00e4\\:\\\\\n")
    {'java.home': '/a b', 'x': 'ä:\\'}
    """
    entries = {}
    for line in text.splitlines():
        if line and line[0] not in "#!":
            key, _, value = line.partition("=")
            entries[_unescape(key)] = _unescape(value)
    return entries


def _unescape(text: str) -> str:
    return _ESCAPE.sub(_replace, text)


def _replace(match: re.Match[str]) -> str:
    escaped = match[1]
    if len(escaped) > 1:
        return chr(int(escaped[1:], 16))
    return _LETTERS.get(escaped, escaped)
