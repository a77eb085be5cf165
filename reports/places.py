"""Takes out of what is told of a run where it lies, which pages do not say."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["without_place"]


def without_place(text: str, run: Path) -> str:
    """Returns a text with a run's name in place of its directory, however that is written.

    >>> from pathlib import Path
    >>> without_place("/home/me/a.run/tables/context.parquet: damaged", Path("/home/me/a.run"))
    'a.run/tables/context.parquet: damaged'
    """
    whole = run.absolute()
    forms = {str(form) for form in (whole, run.resolve(), run) if os.sep in str(form)}
    for form in sorted(forms, key=len, reverse=True):
        text = text.replace(form, whole.name)
    return text
