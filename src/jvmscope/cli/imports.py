"""Hides optional packages whose import takes longer than what they are imported for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

__all__ = ["leave_out"]


class _NotFound:
    """Finds some modules missing, as if they were not installed."""

    def __init__(self, names: frozenset[str]) -> None:
        self._names = names

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002
        target: ModuleType | None = None,  # noqa: ARG002
    ) -> ModuleSpec | None:
        if fullname in self._names:
            raise ModuleNotFoundError(f"{fullname} is left out", name=fullname)
        return None


def leave_out(*names: str) -> None:
    """Has this process do without the modules named, which libraries take only where they are."""
    sys.meta_path.insert(0, _NotFound(frozenset(names)))
