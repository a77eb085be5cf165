/**
 * @id           concurrency.notifications
 * @name         Notifications of waiting threads
 * @description  Calls of Object.notify and Object.notifyAll, in total and per thousand bytecodes
 *               executed, whether or not a thread waits. Notifications by the VM itself do not
 *               count. A recorded JVM sees two processors unless its command says otherwise, and
 *               pools sized by their number have as many threads.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_notifications  integer  call         calls of notify and notifyAll
 * @column       n_notify         integer  call         calls of Object.notify
 * @column       n_notify_all     integer  call         calls of Object.notifyAll
 * @column       density          number   1/kbytecode  notifications per thousand bytecodes
 * @column       n_bytecodes      integer  bytecode     bytecodes executed
 * @sums         n_notifications n_notify n_notify_all n_bytecodes
 * @levels       density
 * @better       none
 * @requires     context, back_edge, method, class, thread_method
 * @import       methods
 * @import       stats
 * @source       Prokopec et al. 2019 (Renaissance) notify, which they divide by reference cycles
 * @tags         concurrency renaissance
 */
WITH counted AS (
    SELECT COALESCE(SUM(n_calls) FILTER (WHERE name = 'notify'), 0)::BIGINT AS n_notify,
           COALESCE(SUM(n_calls) FILTER (WHERE name = 'notifyAll'), 0)::BIGINT AS n_notify_all,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes
    FROM methods.calls('java/lang/Object')
)
SELECT n_notify + n_notify_all AS n_notifications,
       n_notify,
       n_notify_all,
       stats.per_thousand(n_notify + n_notify_all, n_bytecodes) AS density,
       n_bytecodes
FROM counted
