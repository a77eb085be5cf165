/**
 * @description Each method that was executed at least once, over all contexts. Natives and methods
 *              that the VM replaces are methods, and execute no bytecodes.
 * @column      method_id     integer             method
 * @column      n_executions  integer  execution  executions of it
 * @column      n_bytecodes   integer  bytecode   bytecodes executed by it, callees excluded
 */
CREATE MACRO methods.executed() AS TABLE
    SELECT method_id,
           SUM(n_calls)::BIGINT AS n_executions,
           SUM(n_bytecodes)::BIGINT AS n_bytecodes
    FROM thread_method
    GROUP BY method_id
    HAVING SUM(n_calls) > 0 OR SUM(n_bytecodes) > 0
