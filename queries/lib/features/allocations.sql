/**
 * @description The objects that each instruction allocated in each context, with what is known of
 *              their type, of the allocating method, and of its callers. What the VM allocated has
 *              no instruction.
 * @column      context_id             integer          allocating context
 * @column      instruction_id         integer          allocating instruction; null: the VM
 * @column      class_id               integer          class, or that of an array's elements; null: none
 * @column      type                   text             name of the class, or descriptor of the array
 * @column      type_package           text             package of the class, or of an array's elements; null: of none
 * @column      type_loader            text             boot, platform, app or other; null: no class
 * @column      is_array               boolean          whether they are arrays
 * @column      is_hidden              boolean          whether the class is hidden; null: no class
 * @column      size_bytes             integer  byte    mean size of an object, rounded; null: not known
 * @column      n_fields               integer  field   instance fields that the class declares; arrays have none
 * @column      n_reference_fields     integer  field   those of objects and arrays
 * @column      n_final_fields         integer  field   those that are final
 * @column      opcode                 text             the instruction's opcode; null: the VM allocated
 * @column      method                 text             name of the allocating method; null: a thread's root
 * @column      package                text             its package
 * @column      loader                 text             its loader, as for types
 * @column      language               text             extension of its source file; null: none
 * @column      code_bytes             integer  byte    size of its code
 * @column      calls_pct              integer          percentage of its instructions that call
 * @column      fields_pct             integer          percentage that read or write fields
 * @column      arrays_pct             integer          percentage that access arrays
 * @column      arithmetic_pct         integer          percentage that compute
 * @column      branches_pct           integer          percentage that branch
 * @column      depth                  integer  call    calls on the stack
 * @column      is_recursive           boolean          whether the method is on the stack already
 * @column      caller                 text             name of the calling method; null: the VM called
 * @column      caller_package         text             its package
 * @column      caller_language        text             extension of its source file
 * @column      caller_calls_pct       integer          percentage of its instructions that call
 * @column      caller_fields_pct      integer          percentage that read or write fields
 * @column      caller_arrays_pct      integer          percentage that access arrays
 * @column      caller_arithmetic_pct  integer          percentage that compute
 * @column      caller_branches_pct    integer          percentage that branch
 * @column      second_caller          text             name of the method that called the caller
 * @column      second_caller_package  text             its package
 * @column      n_objects              integer  object  objects allocated
 */
CREATE MACRO features.allocations() AS TABLE
    WITH made AS (
        SELECT context_id,
               instruction_id,
               type,
               class_id,
               SUM(n_objects)::BIGINT AS n_objects,
               CASE WHEN COUNT(size_bytes) = COUNT(*)
                    THEN ROUND(SUM(n_objects * size_bytes) / SUM(n_objects))::BIGINT
               END AS size_bytes
        FROM allocation
        GROUP BY ALL
    ),
    methods AS MATERIALIZED (
        SELECT * FROM features._methods()
    )
    SELECT made.context_id,
           made.instruction_id,
           made.class_id,
           made.type,
           t.type_package,
           t.type_loader,
           made.type[1] = '[' AS is_array,
           t.is_hidden,
           made.size_bytes,
           CASE WHEN made.type[1] = '[' THEN 0 ELSE t.n_fields END AS n_fields,
           CASE WHEN made.type[1] = '[' THEN 0 ELSE t.n_reference_fields END AS n_reference_fields,
           CASE WHEN made.type[1] = '[' THEN 0 ELSE t.n_final_fields END AS n_final_fields,
           i.opcode::VARCHAR AS opcode,
           own.method,
           own.package,
           own.loader,
           own.language,
           own.code_bytes,
           own.calls_pct,
           own.fields_pct,
           own.arrays_pct,
           own.arithmetic_pct,
           own.branches_pct,
           node.depth,
           node.ancestor_id IS NOT NULL AS is_recursive,
           caller.method AS caller,
           caller.package AS caller_package,
           caller.language AS caller_language,
           caller.calls_pct AS caller_calls_pct,
           caller.fields_pct AS caller_fields_pct,
           caller.arrays_pct AS caller_arrays_pct,
           caller.arithmetic_pct AS caller_arithmetic_pct,
           caller.branches_pct AS caller_branches_pct,
           second.method AS second_caller,
           second.package AS second_caller_package,
           made.n_objects
    FROM made
    JOIN run.context AS node ON node.context_id = made.context_id
    LEFT JOIN run.context AS above ON above.context_id = node.parent_id
    LEFT JOIN run.context AS top ON top.context_id = above.parent_id
    LEFT JOIN features._types() AS t ON t.class_id = made.class_id
    LEFT JOIN run.instruction AS i ON i.instruction_id = made.instruction_id
    LEFT JOIN methods AS own ON own.method_id = node.method_id
    LEFT JOIN methods AS caller ON caller.method_id = above.method_id
    LEFT JOIN methods AS second ON second.method_id = top.method_id
