/**
 * @id           concurrency.parks
 * @name         Parking of threads
 * @description  Calls of LockSupport.park, parkNanos, parkUntil and unpark, and parks per thousand
 *               bytecodes executed, whether or not the thread then stops. Locks and queues of
 *               java.util.concurrent park in the class library, so the scope application has only
 *               calls by the program itself; a subtree also contains those that it causes. A
 *               recorded JVM sees two processors unless its command says otherwise, and pools sized
 *               by their number have as many threads.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_parks        integer  call         calls of park, parkNanos and parkUntil
 * @column       n_timed_parks  integer  call         parks with a timeout or deadline
 * @column       n_unparks      integer  call         calls of unpark
 * @column       density        number   1/kbytecode  parks per thousand bytecodes
 * @column       n_bytecodes    integer  bytecode     bytecodes executed
 * @sums         n_parks n_timed_parks n_unparks n_bytecodes
 * @levels       density
 * @better       none
 * @requires     context, back_edge, method, class, thread_method
 * @import       methods
 * @import       stats
 * @source       Prokopec et al. 2019 (Renaissance) park, which they divide by reference cycles
 * @tags         concurrency renaissance
 */
WITH counted AS (
    SELECT COALESCE(SUM(n_calls) FILTER (WHERE name = 'park'), 0)::BIGINT AS n_untimed_parks,
           COALESCE(SUM(n_calls) FILTER (WHERE name IN ('parkNanos', 'parkUntil')), 0)::BIGINT
               AS n_timed_parks,
           COALESCE(SUM(n_calls) FILTER (WHERE name = 'unpark'), 0)::BIGINT AS n_unparks,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes
    FROM methods.calls('java/util/concurrent/locks/LockSupport')
)
SELECT n_untimed_parks + n_timed_parks AS n_parks,
       n_timed_parks,
       n_unparks,
       stats.per_thousand(n_untimed_parks + n_timed_parks, n_bytecodes) AS density,
       n_bytecodes
FROM counted
