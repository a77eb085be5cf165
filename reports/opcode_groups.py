"""What the opcodes do, in a dozen groups: those of the JVM specification's chapter 7.

The chapter's long group "references" is divided into fields, calls and objects, and the few
"extended" opcodes stand where they belong: tests for null among the comparisons, ``goto_w`` and
``jsr_w`` in control, ``multianewarray`` among objects, and the prefix ``wide`` among the loads,
which it nearly always precedes.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from jvmscope.schema import word_sets

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["GROUPS", "group_of"]

_FIRST = {
    "constants": "nop",
    "loads": "iload",
    "stores": "istore",
    "stack": "pop",
    "arithmetic": "iadd",
    "conversions": "i2l",
    "comparisons": "lcmp",
    "control": "goto",
    "fields": "getstatic",
    "calls": "invokevirtual",
    "objects": "new",
}
_EXTENDED = {
    "wide": "loads",
    "multianewarray": "objects",
    "ifnull": "comparisons",
    "ifnonnull": "comparisons",
    "goto_w": "control",
    "jsr_w": "control",
}

GROUPS = tuple(_FIRST)
"""The groups, in the order of their first opcodes."""


@cache
def group_of() -> Mapping[str, str]:
    """Returns the group of each opcode.

    >>> [group_of()[opcode] for opcode in ("aaload", "iinc", "ireturn", "monitorexit", "ifnull")]
    ['loads', 'arithmetic', 'control', 'objects', 'comparisons']
    """
    begins = {opcode: group for group, opcode in _FIRST.items()}
    found, group = {}, ""
    for opcode in word_sets()["opcode"].words:
        group = begins.get(opcode, group)
        found[opcode] = _EXTENDED.get(opcode, group)
    return found
