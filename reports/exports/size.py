"""How large the file of a whole tree will be, which is told before it is written.

The frame of a context is in the paths of all contexts of its subtree, and the table has the sizes
of these: so the text of all paths is known from one sum for each method. Of formats without the
contexts that weigh nothing, a share of this is taken: their paths are about as long as others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries import WHOLE_RUN, Question, parse_query_file
from jvmscope.reports.exports.weights import find_weight, is_recorded

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
_WEIGHED = "SELECT COUNT(*) FROM {costs} AS cost WHERE {own} > 0"


def expected_bytes(
    engine: Engine, form: TreeFormat, *, weight: str = "bytecodes", scope: Scope = WHOLE_RUN
) -> int:
    """Returns about how many bytes the tree takes in a format if nothing is folded.

    In a scope that leaves out contexts between others, it is less.

    Raises:
        QueryError: there is no such weight or scope.
    """
    question = Question(_SIZES, language="sql", scope=scope)
    ((n_contexts, path_bytes),) = engine.query(question).rows()
    n_bytes = n_contexts * form.row_bytes + path_bytes * form.has_paths
    if form.is_sparse:
        n_bytes *= min(1.0, _n_weighed(engine, weight, scope, n_contexts) / max(1, n_contexts))
    return int(n_bytes)


def _n_weighed(engine: Engine, name: str, scope: Scope, n_contexts: int) -> int:
    """Returns how many contexts weigh anything, as far as a query knows that is a short one."""
    weight = find_weight(name)
    if weight.costs is None or weight.has_params or not is_recorded(weight, engine):
        return n_contexts
    query = parse_query_file(_WEIGHED.format(costs=weight.costs, own=weight.own), None)
    ((n_weighed,),) = engine.query(Question(query, scope=scope)).rows()
    return int(n_weighed)
