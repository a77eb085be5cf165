/**
 * @id           concurrency.atomics
 * @name         Atomic operations on memory
 * @description  Atomic read-modify-write operations, in total and per thousand bytecodes executed:
 *               calls of the methods compareAndSet…, compareAndExchange…, weakCompareAndSet…,
 *               getAndAdd… and getAndSet… of jdk.internal.misc.Unsafe. All of
 *               java.util.concurrent.atomic, VarHandle and sun.misc.Unsafe use these methods.
 *               Compiled code has an instruction for each; here every call counts once, however
 *               often it retries inside. Volatile and fenced loads and stores do not count, nor do
 *               atomic operations in native code and the VM. The scope application has none,
 *               because the class library makes these calls; a subtree contains those that it
 *               causes. A recorded JVM sees two processors unless its command says otherwise, and
 *               pools sized by their number have as many threads.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_operations  integer  call         atomic operations
 * @column       n_compare     integer  call         compareAndSet, …Exchange, weakCompareAndSet
 * @column       n_fetch       integer  call         getAndAdd, getAndSet, getAndBitwise
 * @column       density       number   1/kbytecode  operations per thousand bytecodes
 * @column       n_bytecodes   integer  bytecode     bytecodes executed
 * @sums         n_operations n_compare n_fetch n_bytecodes
 * @levels       density
 * @better       none
 * @requires     context, back_edge, method, class, thread_method
 * @import       methods
 * @import       stats
 * @source       Prokopec et al. 2019 (Renaissance) atomic, which they divide by reference cycles
 * @tags         concurrency renaissance
 */
WITH operation AS (
    SELECT starts_with(name, 'getAnd') AS is_fetch, n_calls
    FROM methods.calls('jdk/internal/misc/Unsafe')
    WHERE regexp_matches(
        name, '^(compareAnd(Set|Exchange)|weakCompareAndSet|getAnd(Add|Set|Bitwise))'
    )
),
counted AS (
    SELECT COALESCE(SUM(n_calls) FILTER (WHERE NOT is_fetch), 0)::BIGINT AS n_compare,
           COALESCE(SUM(n_calls) FILTER (WHERE is_fetch), 0)::BIGINT AS n_fetch,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes
    FROM operation
)
SELECT n_compare + n_fetch AS n_operations,
       n_compare,
       n_fetch,
       stats.per_thousand(n_compare + n_fetch, n_bytecodes) AS density,
       n_bytecodes
FROM counted
