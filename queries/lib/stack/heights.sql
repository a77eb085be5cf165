/**
 * @description For each context of the scope, and others, the stack below its frame at the moment
 *              it is called: the frames above it in the tree, and their slots (max_locals +
 *              max_stack). The root of a thread is no frame.
 * @column      context_id   integer         context that is called
 * @column      n_frames     integer  frame  frames on the stack, the caller's included
 * @column      n_slots      integer  slot   slots of these frames
 * @column      parent_id    integer         calling context
 * @column      ancestor_id  integer         nearest context above of the same method; null: none
 */
CREATE MACRO stack.heights() AS TABLE
    SELECT context_id,
           depth - 1 AS n_frames,
           _n_slots_below(context_id) AS n_slots,
           parent_id,
           ancestor_id
    FROM lineage
