"""How large the file of a whole tree will be, which is told before it is written.

The frame of a context is in the paths of all contexts of its subtree, and the table has the sizes
of these: so the text of all paths is known from one sum for each method.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries import WHOLE_RUN, Question

if TYPE_CHECKING:
    from jvmscope.queries import Engine, Scope
    from jvmscope.reports.exports.formats import TreeFormat

__all__ = ["expected_bytes"]

_SIZES = """
    WITH by_method AS (
        SELECT method_id, COUNT(*) AS n, SUM(size) AS n_paths
        FROM context
        WHERE method_id IS NOT NULL
        GROUP BY method_id
    )
    SELECT COALESCE(SUM(n), 0)::BIGINT,
           COALESCE(SUM(n_paths * (LENGTH(method) + 1)), 0)::BIGINT
    FROM by_method
    JOIN names.methods() USING (method_id)
"""


def expected_bytes(engine: Engine, form: TreeFormat, *, scope: Scope = WHOLE_RUN) -> int:
    """Returns about how many bytes the tree takes in a format if nothing is folded.

    In a scope that leaves out contexts between others, it is less.
    """
    question = Question(_SIZES, language="sql", scope=scope)
    ((n_contexts, path_bytes),) = engine.query(question).rows()
    return int(n_contexts * form.row_bytes + path_bytes * form.has_paths)
