/**
 * @table        probe_table
 * @description  The tables of the user's own probe, as its folder defines them. SQL finds each under its
 *               name; its rows are those of probe_count.
 * @recorded     --probe DIR
 * @order        name
 * @element      probeTable
 * @within       classes 40
 */
CREATE TABLE probe_table (
    name  VARCHAR NOT NULL,  -- name of the table
    ddl   VARCHAR NOT NULL   -- its definition
);
