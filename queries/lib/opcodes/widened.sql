/**
 * @description The opcode of what an instruction does: that behind the prefix `wide`, which has it in
 *              its operand, or else its own.
 * @param       opcode   text  mnemonic
 * @param       operand  text  as instruction.operand has it
 * @returns     text; null for a null opcode
 */
CREATE MACRO opcodes.widened(opcode, operand) AS (
    CASE WHEN opcode = 'wide' THEN split_part(operand, ' ', 1) ELSE opcode::VARCHAR END
)
