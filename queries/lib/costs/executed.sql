/**
 * @description How often each basic block ran over all contexts of the scope; blocks that were not
 *              counted, but are the only ones of their methods, ran once at each call.
 * @column      basic_block_id  integer             basic block
 * @column      method_id       integer             its method
 * @column      n_executions    integer  execution  executions
 */
CREATE MACRO costs.executed() AS TABLE
    SELECT block.basic_block_id, block.method_id, SUM(part.n_executions)::BIGINT AS n_executions
    FROM (
        SELECT basic_block_id, n_executions FROM thread_block
        UNION ALL
        SELECT single.basic_block_id, counted.n_calls
        FROM thread_method AS counted
        JOIN costs._only_blocks() AS single ON single.method_id = counted.method_id
    ) AS part
    JOIN run.basic_block AS block ON block.basic_block_id = part.basic_block_id
    GROUP BY block.basic_block_id, block.method_id
