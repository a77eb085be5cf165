"""What methods weigh, by SQL on the tables of a run: slow, and written by the definition."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmscope.queries import Question, parse_scope

if TYPE_CHECKING:
    from jvmscope.queries import Engine

__all__ = ["OWN", "weights_by_name"]

OWN = {"calls": "c.n_calls", "bytecodes": "c.n_bytecodes", "cycles": "COALESCE(cost.cycles, 0)"}
"""What a context weighs itself, by weight."""

_WEIGHED = """
    WITH own AS (
        SELECT c.context_id, c.method_id, c.size, {own} AS amount
        FROM context AS c
        LEFT JOIN costs.contexts('none') AS cost USING (context_id)
    ),
    itself AS (
        SELECT method_id, SUM(amount)::BIGINT AS amount FROM own GROUP BY method_id
    ),
    outermost AS (
        SELECT * FROM own AS o
        WHERE NOT EXISTS (
            FROM own AS above
            WHERE above.method_id = o.method_id AND above.context_id < o.context_id
              AND o.context_id < above.context_id + above.size
        )
    ),
    whole AS (
        SELECT o.method_id, SUM(below.amount)::BIGINT AS amount
        FROM outermost AS o
        JOIN own AS below
          ON below.context_id BETWEEN o.context_id AND o.context_id + o.size - 1
        GROUP BY o.method_id
    )
    SELECT name.method, itself.amount, whole.amount
    FROM itself
    JOIN whole USING (method_id)
    JOIN names.methods() AS name USING (method_id)
"""


def weights_by_name(engine: Engine, scope: str, weight: str) -> dict[str, tuple[int, int]]:
    """Returns what each method of a scope weighs itself, and with callees, by its name."""
    rows = engine.query(
        Question(_WEIGHED.format(own=OWN[weight]), language="sql", scope=parse_scope(scope))
    ).rows()
    return {name: (own, inclusive) for name, own, inclusive in rows}
