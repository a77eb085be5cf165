/**
 * @table        vm_method
 * @description  One row per method that an event names.
 * @source       the event stream
 */
CREATE TABLE vm_method (
    vm_method_id  INTEGER PRIMARY KEY,  -- number in this watch run
    class_name    VARCHAR NOT NULL,     -- class in JVM form; `(not known)`: the VM has thrown it away
    name          VARCHAR NOT NULL,     -- name; `(not known)`: the VM has thrown it away
    descriptor    VARCHAR NOT NULL,     -- descriptor
    is_hidden     BOOLEAN NOT NULL      -- whether the VM hides it from stack traces of programs
);
