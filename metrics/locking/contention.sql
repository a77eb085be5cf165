/**
 * @id           locking.contention
 * @name         Lock contention
 * @description  Entries of monitors that had to wait, because another thread had the monitor, in
 *               total, as a share of all entries, and per thousand bytecodes executed. Only those
 *               count of which the VM tells: an entry that gets the monitor after a short time of
 *               trying, without going to sleep, does not. Taking a monitor again after Object.wait
 *               does not count. Depends on timing, so it differs from run to run; bytecode that is
 *               recorded is slower, which changes who meets whom.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_contended      integer  execution    entries that had to wait
 * @column       contended_share  number   1            n_contended as a share of all entries, as in locking.operations
 * @column       density          number   1/kbytecode  n_contended per thousand bytecodes
 * @column       n_operations     integer  execution    entries of monitors
 * @column       n_bytecodes      integer  bytecode     bytecodes executed
 * @sums         n_contended n_operations n_bytecodes
 * @shares       contended_share
 * @levels       density
 * @better       none
 * @requires     contended_entry, thread_method, thread_block, basic_block, instruction, method
 * @import       locks
 * @import       stats
 * @source       METRICS locking; Dufour et al. 2003 (*J) concurrency.contendedLockDensity
 * @tags         locking concurrency starj
 */
WITH counted AS (
    SELECT (SELECT COALESCE(SUM(n_entries), 0) FROM contended_entry)::BIGINT AS n_contended,
           (SELECT COALESCE(SUM(n_operations), 0) FROM locks.sites())::BIGINT AS n_operations,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes
)
SELECT n_contended,
       stats.share(n_contended, n_operations) AS contended_share,
       stats.per_thousand(n_contended, n_bytecodes) AS density,
       n_operations,
       n_bytecodes
FROM counted
