/**
 * @description The instruction by which a method returns.
 * @param       descriptor  text  the method's descriptor, as (I)V
 * @returns     text, as ireturn; null for null
 */
CREATE MACRO costs.return_opcode(descriptor) AS (
    CASE split_part(descriptor, ')', 2)[1]
        WHEN 'V' THEN 'return'
        WHEN 'J' THEN 'lreturn'
        WHEN 'F' THEN 'freturn'
        WHEN 'D' THEN 'dreturn'
        WHEN 'L' THEN 'areturn'
        WHEN '[' THEN 'areturn'
        ELSE 'ireturn'
    END
)
