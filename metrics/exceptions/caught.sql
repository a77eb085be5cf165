/**
 * @id           exceptions.caught
 * @name         Exceptions caught, by class
 * @description  For each class of exceptions: executions of the handlers that caught one, and the
 *               handlers that did. Compilers also make handlers of finally, of synchronized blocks
 *               and of resources that a try closes, which throw what they caught again; so an
 *               exception counts once for each handler that it passes, and one that nothing
 *               catches does not count. A program that uses exceptions for control flow has a high
 *               density.
 * @kind         metric
 * @version      1
 * @grain        class
 * @column       class_name  text                  class of the exception, in JVM form
 * @column       n_caught    integer  execution    executions of handlers that caught one
 * @column       n_handlers  integer  basic_block  handlers that caught one at least once
 * @column       share       number   1            share of all executions of handlers
 * @column       density     number   1/kbytecode  executions of handlers per thousand bytecodes
 * @sums         n_caught
 * @shares       share
 * @levels       n_handlers density
 * @sort         n_caught
 * @plot         bar class_name n_caught
 * @better       none
 * @requires     context_handler, class, thread_method
 * @import       stats
 * @source       table context_handler, summed over contexts
 * @tags         exceptions control
 */
WITH caught AS (
    SELECT class.name AS class_name,
           SUM(handler.n_executions)::BIGINT AS n_caught,
           COUNT(DISTINCT handler.basic_block_id) AS n_handlers
    FROM context_handler AS handler
    JOIN run.class AS class ON class.class_id = handler.class_id
    GROUP BY class.name
),
total AS (
    SELECT SUM(n_bytecodes)::BIGINT AS n_bytecodes FROM thread_method
)
SELECT caught.class_name,
       caught.n_caught,
       caught.n_handlers,
       stats.share(caught.n_caught, SUM(caught.n_caught) OVER ()) AS share,
       stats.per_thousand(caught.n_caught, total.n_bytecodes) AS density
FROM caught
CROSS JOIN total
ORDER BY caught.class_name
