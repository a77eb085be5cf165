/**
 * @id           allocations.run
 * @name         Objects and bytes allocated
 * @description  Objects that the program allocated, arrays among them, and their bytes with headers,
 *               as the VM makes them without the recording; in total, per thousand bytecodes
 *               executed, and the average size. Objects of unknown size, as those of Class, have no
 *               bytes and are left out of the average. What the VM allocates without a constructor,
 *               such as backtraces, is not counted.
 * @kind         metric
 * @version      1
 * @grain        run
 * @column       n_objects       integer  object          objects allocated, with arrays
 * @column       n_bytes         integer  byte            bytes of these objects
 * @column       n_instances     integer  object          objects that are not arrays
 * @column       n_arrays        integer  object          arrays
 * @column       n_array_bytes   integer  byte            bytes of the arrays
 * @column       n_unsized       integer  object          objects of unknown size
 * @column       object_density  number   1/kbytecode     objects per thousand bytecodes
 * @column       byte_density    number   byte/kbytecode  bytes per thousand bytecodes
 * @column       average_size    number   byte            bytes of an object of known size
 * @column       n_bytecodes     integer  bytecode        bytecodes executed
 * @sums         n_objects n_bytes n_instances n_arrays n_array_bytes n_unsized n_bytecodes
 * @levels       object_density byte_density average_size
 * @better       none
 * @requires     allocation, thread_method
 * @import       stats
 * @source       METRICS allocations; Dufour et al. 2003 (*J) base.objects, base.bytes,
 *               memory.objectAllocationDensity, memory.byteAllocationDensity,
 *               memory.averageObjectSize; Prokopec et al. 2019 (Renaissance) object and array, which
 *               they divide by reference cycles; DaCapo Chopin AOA
 * @tags         allocations objects starj renaissance dacapo
 */
WITH counted AS (
    SELECT COALESCE(SUM(n_objects), 0)::BIGINT AS n_objects,
           COALESCE(SUM(n_objects * size_bytes), 0)::BIGINT AS n_bytes,
           COALESCE(SUM(n_objects) FILTER (WHERE type[1] = '['), 0)::BIGINT AS n_arrays,
           COALESCE(SUM(n_objects * size_bytes) FILTER (WHERE type[1] = '['), 0)::BIGINT
               AS n_array_bytes,
           COALESCE(SUM(n_objects) FILTER (WHERE size_bytes IS NULL), 0)::BIGINT AS n_unsized,
           (SELECT COALESCE(SUM(n_bytecodes), 0) FROM thread_method)::BIGINT AS n_bytecodes
    FROM allocation
)
SELECT n_objects,
       n_bytes,
       n_objects - n_arrays AS n_instances,
       n_arrays,
       n_array_bytes,
       n_unsized,
       stats.per_thousand(n_objects, n_bytecodes) AS object_density,
       stats.per_thousand(n_bytes, n_bytecodes) AS byte_density,
       stats.share(n_bytes, n_objects - n_unsized) AS average_size,
       n_bytecodes
FROM counted
