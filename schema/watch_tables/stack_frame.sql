/**
 * @table        stack_frame
 * @description  The frames of the stacks that events have. A stack that comes again after very many
 *               others may have two numbers.
 * @source       the event stream
 */
CREATE TABLE stack_frame (
    stack_id        INTEGER NOT NULL,                                      -- number of the stack in this watch run
    position        INTEGER NOT NULL,                                      -- place in the stack; 0 is the method that ran
    vm_method_id    INTEGER NOT NULL REFERENCES vm_method (vm_method_id),  -- method
    bytecode_index  INTEGER,                                               -- offset in the method; null: it is a native method
    line            INTEGER,                                               -- source line; null: the class has no line numbers
    form            VARCHAR NOT NULL                                       -- how it ran: `Interpreted`, `JIT compiled`, `Inlined` or `Native`
);
