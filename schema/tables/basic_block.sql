/**
 * @table        basic_block
 * @description  The basic blocks of the methods. A block starts at the method's entry, at a branch
 *               target, after a branch, switch, return or throw, and at an exception handler. Invoke
 *               instructions do not end a block.
 * @recorded     always
 * @order        method_id, index
 * @element      basicBlock
 * @within       method 1
 * @named_by     method_id, index
 */
CREATE TABLE basic_block (
    basic_block_id  INTEGER PRIMARY KEY,  -- dense key
    method_id       INTEGER NOT NULL REFERENCES method (method_id),  -- method
    index           INTEGER NOT NULL,     -- number within the method, from 0, in the order of offsets
    first_offset    INTEGER NOT NULL,     -- offset of the first instruction [byte]
    last_offset     INTEGER NOT NULL,     -- offset of the last instruction [byte]
    n_instructions  INTEGER NOT NULL      -- instructions; `wide` counts as an instruction [bytecode]
);
