/**
 * @id           objects.churn_sites
 * @name         Churn distance of each instruction that allocates
 * @description  For each instruction that allocated and each type: how far from there the objects
 *               died, as objects.churn says; those without a distance have none in the mean.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       method_id      integer          allocating method
 * @column       offset         integer          offset of the instruction in its code; null: none
 * @column       opcode         text             the instruction's opcode; null: none
 * @column       type           text             class in JVM form, or descriptor of the array
 * @column       n_objects      integer  object  objects that died
 * @column       mean_distance  number   call    mean of their churn distances
 * @column       max_distance   integer  call    largest of their churn distances
 * @sums         n_objects
 * @levels       mean_distance max_distance
 * @sort         n_objects
 * @better       none
 * @requires     object_churn, context, instruction
 * @source       METRICS objects.churn, the numbers for each site
 * @tags         objects churn method
 */
SELECT node.method_id,
       i."offset",
       i.opcode::VARCHAR AS opcode,
       o.type,
       SUM(o.n_objects)::BIGINT AS n_objects,
       SUM(o.distance::BIGINT * o.n_objects)::DOUBLE
           / SUM(o.n_objects) FILTER (WHERE o.distance IS NOT NULL) AS mean_distance,
       MAX(o.distance)::BIGINT AS max_distance
FROM object_churn AS o
JOIN run.context AS node ON node.context_id = o.context_id
LEFT JOIN run.instruction AS i ON i.instruction_id = o.instruction_id
GROUP BY ALL
ORDER BY node.method_id, i."offset" NULLS LAST, o.type
