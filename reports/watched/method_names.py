"""Names of methods in tables of a watch run, with parameters where several are called the same."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from jvmscope.schema.java_types import parameter_types

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    Method = tuple[str, str, str]
    """Class, name and descriptor, in JVM form."""

__all__ = ["method_names"]

_PACKAGE = re.compile(r"[\w$]+\.")


def method_names(methods: Iterable[Method]) -> dict[Method, str]:
    """Returns what the methods of a table are called, such that each has another name.

    Those that share their name have their parameters, these their packages if that is not enough,
    and at last the descriptor, which alone tells a method from the bridge that the compiler made.

    >>> called = [("a/A", "f", "()V"), ("a/A", "f", "(Lb/B;)V"), ("a/A", "g", "()V")]
    >>> [*method_names(called).values()]
    ['a.A.f()', 'a.A.f(B)', 'a.A.g']
    """
    found = list(dict.fromkeys(methods))
    names: dict[Method, str] = {}
    for form in _FORMS:
        made = {method: form(method) for method in found if method not in names}
        n_called = Counter(made.values())
        names |= {method: name for method, name in made.items() if n_called[name] == 1}
    return {method: names[method] for method in found}


def _plain(method: Method) -> str:
    class_name, name, _ = method
    return f"{class_name.replace('/', '.')}.{name}"


def _with_types(method: Method) -> str:
    """Returns a method as Java writes it.

    >>> _with_types(("a/A", "f", "(I[[Ljava/util/Map$Entry;J)V"))
    'a.A.f(int, java.util.Map$Entry[][], long)'
    """
    return f"{_plain(method)}({', '.join(parameter_types(method[2]))})"


def _with_short_types(method: Method) -> str:
    plain = _plain(method)
    return plain + _PACKAGE.sub("", _with_types(method).removeprefix(plain))


def _with_descriptor(method: Method) -> str:
    return f"{_plain(method)}{method[2]}"


_FORMS: tuple[Callable[[Method], str], ...] = (
    _plain, _with_short_types, _with_types, _with_descriptor,
)  # fmt: skip
"""From the shortest form, which may be that of several methods, to one that is of one alone."""
