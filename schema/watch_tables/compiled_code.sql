/**
 * @table        compiled_code
 * @description  Versions of compiled methods in the VM's code cache: one row when a version is first
 *               seen there, when it is no longer entered, and when it is gone. The VM is asked every
 *               four seconds, or less often where its answers take more than a thousandth of that
 *               time (each minute at least), so a time is at most that late; what came and went in
 *               between is in `compilation` alone.
 * @source       the code cache, by `Compiler.codelist`
 * @binned       by state, tier
 */
CREATE TABLE compiled_code (
    at_ns          BIGINT NOT NULL,   -- when it was seen, since 1970 [ns]
    compile_id     INTEGER NOT NULL,  -- number of the compilation in its VM, as in `compilation`
    state          VARCHAR NOT NULL,  -- `in use`, `not entered` (calls go elsewhere, and who runs it may stay in it) or `gone`
    tier           INTEGER NOT NULL,  -- level of the code: 1 to 3 are of C1, 4 is of C2; 0: a wrapper of a native method
    class_name     VARCHAR NOT NULL,  -- class of the method in JVM form
    name           VARCHAR NOT NULL,  -- its name
    descriptor     VARCHAR NOT NULL,  -- its descriptor
    begin_address  BIGINT NOT NULL,   -- address of the first instruction
    end_address    BIGINT NOT NULL    -- address behind the code
);
