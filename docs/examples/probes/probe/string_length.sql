/**
 * @table        string_length
 * @description  How many strings each call site of the program passes, and how long they are together.
 * @order        call_site_id, parameter
 * @within       call_site
 */
CREATE TABLE string_length (
    call_site_id  INTEGER NOT NULL REFERENCES call_site (call_site_id),  -- call site
    parameter     INTEGER NOT NULL,  -- number of the parameter, from 0
    n_strings     BIGINT NOT NULL,   -- strings that were passed [string]
    n_chars       BIGINT NOT NULL    -- their characters [character]
);
