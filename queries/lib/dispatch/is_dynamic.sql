/**
 * @description Whether an opcode dispatches dynamically: invokevirtual and invokeinterface do.
 * @param       opcode  text  mnemonic
 * @returns     boolean; null for null
 */
CREATE MACRO dispatch.is_dynamic(opcode) AS (
    opcode IN ('invokevirtual', 'invokeinterface')
)
