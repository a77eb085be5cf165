/**
 * @id           allocations.methods
 * @name         Objects and bytes allocated by each method
 * @description  For each method that allocated: the objects that it allocated itself, without its
 *               callees, and their bytes with headers. A native method that returns a new object, such
 *               as Object.clone, counts for its caller; so do objects that the VM allocates for a
 *               method, such as an exception. Objects of unknown size, as those of Class, have no
 *               bytes.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       method_id    integer          allocating method
 * @column       n_objects    integer  object  objects allocated
 * @column       n_bytes      integer  byte    bytes of these objects
 * @column       bytes_share  number   1       share of all bytes
 * @sums         n_objects n_bytes
 * @shares       bytes_share
 * @sort         n_bytes
 * @better       none
 * @requires     allocation, context
 * @import       stats
 * @source       METRICS allocations, the numbers for each method
 * @tags         allocations objects method
 */
WITH allocated AS (
    SELECT node.method_id,
           SUM(a.n_objects)::BIGINT AS n_objects,
           COALESCE(SUM(a.n_objects * a.size_bytes), 0)::BIGINT AS n_bytes
    FROM allocation AS a
    JOIN run.context AS node ON node.context_id = a.context_id
    GROUP BY node.method_id
)
SELECT method_id,
       n_objects,
       n_bytes,
       stats.share(n_bytes, SUM(n_bytes) OVER ()) AS bytes_share
FROM allocated
ORDER BY method_id
