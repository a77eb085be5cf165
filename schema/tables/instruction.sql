/**
 * @table        instruction
 * @description  The bytecodes of the basic blocks.
 * @recorded     always
 * @order        basic_block_id, offset
 * @element      instruction
 * @within       basic_block 1
 * @named_by     basic_block_id, offset
 */
CREATE TABLE instruction (
    instruction_id  INTEGER PRIMARY KEY,  -- dense key
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- block
    "offset"        INTEGER NOT NULL,     -- offset in the method's code [byte]
    opcode          opcode NOT NULL,      -- mnemonic in the class file; `wide`, `ldc_w` and `goto_w` are opcodes, too
    operand         VARCHAR               -- member as owner.name:descriptor, class, constant, target offset or index of a local variable; null: none
);
