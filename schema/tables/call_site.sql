/**
 * @table        call_site
 * @description  The places that call: every invoke instruction of a loaded class, and one row
 *               without an offset for each method during which the VM itself called a method (class
 *               initialisers, class loading, construction of exceptions).
 * @recorded     always
 * @order        caller_id, offset (null first)
 * @element      callSite
 * @within       method 2
 * @named_by     caller_id, offset
 */
CREATE TABLE call_site (
    call_site_id  INTEGER PRIMARY KEY,  -- dense key
    caller_id     INTEGER NOT NULL REFERENCES method (method_id),  -- method that contains the site
    "offset"      INTEGER,  -- offset of the invoke; null: calls by the VM [byte]
    opcode        opcode,   -- invoke instruction; null: calls by the VM
    owner         VARCHAR,  -- class in the instruction; null: calls by the VM, invokedynamic
    name          VARCHAR,  -- method name in the instruction; null: calls by the VM
    descriptor    VARCHAR,  -- descriptor in the instruction; null: calls by the VM
    line          INTEGER   -- source line; null: no line numbers, calls by the VM
);
