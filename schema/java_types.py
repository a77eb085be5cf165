"""Types as Java writes them, of the descriptors that class files have."""

from __future__ import annotations

import re

__all__ = ["parameter_types"]

_TYPE = re.compile(r"(\[*)(?:([BCDFIJSZ])|L([^;]+);)")
_PRIMITIVES = {
    "B": "byte",
    "C": "char",
    "D": "double",
    "F": "float",
    "I": "int",
    "J": "long",
    "S": "short",
    "Z": "boolean",
}


def parameter_types(descriptor: str) -> list[str]:
    """Returns the types of the parameters of a method's descriptor, in order, classes dotted.

    >>> parameter_types("(I[[Ljava/util/Map$Entry;J)V")
    ['int', 'java.util.Map$Entry[][]', 'long']
    """
    return [
        (_PRIMITIVES.get(letter) or class_name.replace("/", ".")) + "[]" * len(dimensions)
        for dimensions, letter, class_name in _TYPE.findall(descriptor.partition(")")[0])
    ]
