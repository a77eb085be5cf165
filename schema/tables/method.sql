/**
 * @table        method
 * @description  The methods that the loaded classes declare, in the order of the class file.
 * @recorded     always
 * @order        class_id
 * @element      method
 * @within       class 2
 * @named_by     class_id, name, descriptor
 */
CREATE TABLE method (
    method_id               INTEGER PRIMARY KEY,  -- dense key
    class_id                INTEGER NOT NULL REFERENCES class (class_id),  -- declaring class
    name                    VARCHAR NOT NULL,     -- name, including <init> and <clinit>
    descriptor              VARCHAR NOT NULL,     -- descriptor, such as (I)V
    access_flags            INTEGER NOT NULL,     -- access_flags of the class file (JVMS 4.6)
    is_static               BOOLEAN NOT NULL,     -- whether it is static
    is_native               BOOLEAN NOT NULL,     -- whether it is native
    is_abstract             BOOLEAN NOT NULL,     -- whether it is abstract
    max_stack               INTEGER NOT NULL,     -- deepest operand stack; 0 without code [slot]
    max_locals              INTEGER NOT NULL,     -- local variables; 0 without code [slot]
    size_bytes              INTEGER NOT NULL,     -- size of the code; 0 without code [byte]
    first_line              INTEGER,              -- smallest source line; null: no line numbers
    last_line               INTEGER,              -- largest source line; null: no line numbers
    n_parameters            INTEGER NOT NULL,     -- declared parameters, without the receiver
    n_integer_parameters    INTEGER NOT NULL,     -- parameters of type boolean, byte, char, short, int or long
    n_floating_parameters   INTEGER NOT NULL,     -- parameters of type float or double
    n_reference_parameters  INTEGER NOT NULL,     -- parameters that are objects or arrays
    coverage                coverage NOT NULL     -- how its executions were counted
);
