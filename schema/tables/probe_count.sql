/**
 * @table        probe_count
 * @description  What snippets of the user's own probe counted in each context. The tables that it defines
 *               are views of these rows, under the names and with the types of its columns.
 * @recorded     --probe DIR
 * @order        context_id, table_name, counter, instruction_id (null first), class_id (null first),
 *               key_a (null first), key_b (null first), key_c (null first), key_d (null first)
 * @element      probeCount
 * @within       context 40
 */
CREATE TABLE probe_count (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),          -- node
    table_name      VARCHAR NOT NULL,  -- table that the row is of
    counter         VARCHAR NOT NULL,  -- column that was counted in
    instruction_id  INTEGER REFERENCES instruction (instruction_id),  -- place; null: the row has none
    class_id        INTEGER REFERENCES class (class_id),              -- class; null: the row has none
    key_a           VARCHAR,  -- first of the other columns, as text; null: there is none, or it is null
    key_b           VARCHAR,  -- second; null: there is none, or it is null
    key_c           VARCHAR,  -- third; null: there is none, or it is null
    key_d           VARCHAR,  -- fourth; null: there is none, or it is null
    n_events        BIGINT NOT NULL CHECK (n_events >= 1)  -- what was added to the column, at least 1 [event]
);
