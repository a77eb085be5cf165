"""Parts of basic blocks that are counted by themselves: what counts bytecodes reads these.

Where ``--exact-exceptions`` recorded block segments, a part is one of them, so that bytecodes
behind an instruction that threw are not counted; else a part is a whole block.

    block_part     block_part_id, basic_block_id, first_offset, last_offset, n_instructions
    context_part   context_id, block_part_id, n_executions; as context_block, in a scope or the run
    thread_part    thread_id, block_part_id, n_executions; as thread_block
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["BLOCK_PART_VIEWS", "block_part_views"]

BLOCK_PART_VIEWS = ("block_part", "context_part", "thread_part")

_OF_BLOCKS = {
    "block_part": """
        SELECT basic_block_id AS block_part_id, basic_block_id, first_offset, last_offset,
               n_instructions
        FROM {whole}.basic_block
    """,
    "context_part": """
        SELECT context_id, basic_block_id AS block_part_id, n_executions
        FROM {schema}.context_block
    """,
    "thread_part": """
        SELECT thread_id, basic_block_id AS block_part_id, n_executions
        FROM {schema}.thread_block
    """,
}
_OF_SEGMENTS = {
    "block_part": """
        SELECT block_segment_id AS block_part_id, basic_block_id, first_offset, last_offset,
               n_instructions
        FROM {whole}.block_segment
    """,
    "context_part": """
        SELECT context_id, block_segment_id AS block_part_id, n_executions
        FROM {schema}.context_segment
    """,
    "thread_part": """
        SELECT c.thread_id, s.block_segment_id AS block_part_id,
               SUM(s.n_executions)::BIGINT AS n_executions
        FROM {schema}.context_segment AS s
        JOIN {whole}.context AS c ON c.context_id = s.context_id
        GROUP BY c.thread_id, s.block_segment_id
    """,
}


def block_part_views(
    schema: str, recorded: Collection[str], *, whole: str = "run"
) -> dict[str, str]:
    """Returns what the relations of parts select in a schema, by name.

    Args:
        schema: that of the whole run, or that of a scope.
        recorded: the names of the run's tables; of a run without blocks there are no parts.
        whole: the schema of the whole run.
    """
    if {"context_segment", "block_segment"} <= set(recorded):
        views = _OF_SEGMENTS
    elif {"context_block", "thread_block", "basic_block"} <= set(recorded):
        views = _OF_BLOCKS
    else:
        return {}
    return {name: body.format(schema=schema, whole=whole) for name, body in views.items()}
