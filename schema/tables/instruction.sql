/**
 * @table        instruction
 * @description  The bytecodes of the basic blocks.
 * @recorded     always
 * @order        basic_block_id, offset
 */
CREATE TABLE instruction (
    instruction_id  INTEGER PRIMARY KEY,  -- dense key
    basic_block_id  INTEGER NOT NULL REFERENCES basic_block (basic_block_id),  -- block
    "offset"        INTEGER NOT NULL,     -- offset in the method's code [byte]
    opcode          opcode NOT NULL,      -- mnemonic of the class file; `wide`, `ldc_w`, `goto_w` as themselves
    operand         VARCHAR               -- owner.name:descriptor of a member, class, constant, target offset or local index; null: none
);
