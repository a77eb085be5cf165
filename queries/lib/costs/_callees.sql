/**
 * @description Each method, as a call and a return need it.
 * @column      method_id      integer        method
 * @column      size_bytes     integer  byte  size of its code
 * @column      return_opcode  text           how it returns; null: what it executes is not known
 */
CREATE MACRO costs._callees() AS TABLE
    SELECT method.method_id,
           method.size_bytes,
           CASE
               WHEN method.coverage = 'full' OR (body.cycles IS NOT NULL AND NOT method.is_native)
               THEN costs.return_opcode(method.descriptor)
           END AS return_opcode
    FROM run.method AS method
    LEFT JOIN costs.bodies() AS body ON body.method_id = method.method_id
