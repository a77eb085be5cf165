/**
 * @table        contended_entry
 * @description  Entries of monitors that found the monitor taken by another thread and had to wait, for each
 *               context and place. The VM tells of them, so entries that got the monitor after a short time of
 *               trying are not among them. What else is not seen is as in object_lock. Depends
 *               on timing: it differs from run to run, and runs are not compared by it.
 * @recorded     --probes locking
 * @needs        the library for native code, which is for Linux on x86-64
 * @order        context_id, instruction_id (null first), class_id (null first)
 * @element      contendedEntry
 * @within       context 12
 * @measured     yes
 */
CREATE TABLE contended_entry (
    context_id      INTEGER NOT NULL REFERENCES context (context_id),  -- context whose method entered the monitor
    instruction_id  INTEGER REFERENCES instruction (instruction_id),   -- monitorenter; null: the method is synchronized
    class_id        INTEGER REFERENCES class (class_id),  -- class of the object with the monitor; null: an array
    n_entries       BIGINT NOT NULL CHECK (n_entries >= 1)  -- entries that had to wait, at least 1 [execution]
);
