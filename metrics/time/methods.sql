/**
 * @id           time.methods
 * @name         Time of calls and bytecodes
 * @description  Of each method with a probe: the time of a call, as a watch run measured it, and
 *               the bytecodes that a call executes in its thread, itself and in what it calls, as a
 *               recorded run of the same program counted them; and one divided by the other. Of a
 *               recursion only the outermost call counts. The time includes waiting, collections,
 *               native code and the reading of the clock, and is an average of all forms in which
 *               the method ran.
 * @kind         table
 * @version      1
 * @grain        method
 * @column       class_name          text                  class in JVM form
 * @column       name                text                  name
 * @column       descriptor          text                  descriptor
 * @column       probe               text                  the probe, with its condition
 * @column       copy                integer               1; more if a probe met several
 * @column       n_calls             integer  call         calls that were measured
 * @column       total_ns            integer  ns           time that they took
 * @column       recorded_calls      integer  call         calls that were recorded
 * @column       recorded_bytecodes  integer  bytecode     bytecodes that they executed
 * @column       ns_per_call         number   ns/call      time of a measured call
 * @column       ns_per_bytecode     number   ns/bytecode  by the bytecodes of a recorded call
 * @column       bytecodes_per_us    number   bytecode/us  bytecodes in a microsecond of a call
 * @levels       n_calls total_ns recorded_calls recorded_bytecodes ns_per_call ns_per_bytecode
 *               bytecodes_per_us
 * @sort         total_ns
 * @better       none
 * @requires     measured_method
 * @source       METRICS, together with a recording
 * @tags         time watch
 */
SELECT class_name,
       name,
       descriptor,
       probe,
       copy,
       n_calls,
       total_ns,
       recorded_calls,
       recorded_bytecodes,
       ns_per_call,
       ns_per_bytecode,
       1000 / NULLIF(ns_per_bytecode, 0) AS bytecodes_per_us,
       reason
FROM measured_method
ORDER BY class_name, name, descriptor, probe, copy
