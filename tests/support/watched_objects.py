"""What a run says of the objects of one class must agree between its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmscope

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["unwatched_objects"]

# Of classes with a reason in watched_class the objects are not watched, or only in part.
_UNWATCHED = """
    WITH allocated AS (
        SELECT class_id, SUM(n_objects) AS n FROM allocation
        WHERE type NOT LIKE '[%' AND class_id IS NOT NULL GROUP BY class_id
    )
    SELECT name, COALESCE(a.n, 0), COALESCE(w.n_objects, 0), COALESCE(e.n_objects, 0)
    FROM allocated AS a FULL JOIN watched_class AS w USING (class_id)
    FULL JOIN early_object AS e USING (class_id) JOIN class USING (class_id)
    WHERE reason IS NULL
      AND COALESCE(a.n, 0) <> COALESCE(w.n_objects, 0) + COALESCE(e.n_objects, 0)
    ORDER BY name
"""


def unwatched_objects(run: Path) -> list[tuple[object, ...]]:
    """The classes whose objects are not all accounted for in a run of all probes of objects.

    Each with its allocated objects, the watched ones, and those from before.
    """
    with jvmscope.open(run) as opened:
        return [tuple(row) for row in opened.query(_UNWATCHED).rows()]
