/**
 * @id           locking.operations
 * @name         Lock operations
 * @description  Entries of monitors, in total and per thousand bytecodes executed: executions of
 *               monitorenter and of synchronized methods, including native ones. It makes no
 *               difference whether the lock was free or already held by the same thread.
 *               Object.wait, which releases and reacquires the monitor, and monitors entered by
 *               native code (JNI) do not count.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_operations    integer  execution    entries of monitors
 * @column       n_monitorenter  integer  execution    entries by monitorenter
 * @column       n_synchronized  integer  execution    entries by executions of synchronized methods
 * @column       density         number   1/kbytecode  entries per thousand bytecodes
 * @column       n_bytecodes     integer  bytecode     bytecodes executed
 * @sums         n_operations n_monitorenter n_synchronized n_bytecodes
 * @levels       density
 * @overview     220 density monitors entered per thousand bytecodes
 * @better       none
 * @requires     thread_method, thread_block, basic_block, instruction, method
 * @import       locks
 * @import       stats
 * @source       Dufour et al. 2003 (*J) concurrency.lockDensity; Prokopec et al. 2019 (Renaissance)
 *               synch, which they divide by reference cycles
 * @tags         locking starj renaissance
 */
WITH counted AS (
    SELECT COALESCE(SUM(n_operations) FILTER (WHERE instruction_id IS NOT NULL), 0)::BIGINT
               AS n_monitorenter,
           COALESCE(SUM(n_operations) FILTER (WHERE instruction_id IS NULL), 0)::BIGINT
               AS n_synchronized,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes
    FROM locks.sites()
)
SELECT n_monitorenter + n_synchronized AS n_operations,
       n_monitorenter,
       n_synchronized,
       stats.per_thousand(n_monitorenter + n_synchronized, n_bytecodes) AS density,
       n_bytecodes
FROM counted
