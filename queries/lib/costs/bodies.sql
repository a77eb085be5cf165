/**
 * @description What one call costs of each method whose blocks were not counted: natives, methods
 *              that the VM replaces, methods too large to be instrumented. One that has a single
 *              block executes it once.
 * @column      method_id   integer               method
 * @column      cycles      integer  cycle        of one call; null: not known
 * @column      n_unpriced  integer  instruction  instructions in it whose cost is not known
 */
CREATE MACRO costs.bodies() AS TABLE
    SELECT method.method_id,
           CASE WHEN method.is_native THEN native.cycles ELSE block.cycles END AS cycles,
           COALESCE(block.n_unpriced, 0) AS n_unpriced
    FROM run.method AS method
    CROSS JOIN native_cost AS native
    LEFT JOIN costs._only_blocks() AS single ON single.method_id = method.method_id
    LEFT JOIN costs.blocks() AS block ON block.basic_block_id = single.basic_block_id
    WHERE method.coverage <> 'full'
