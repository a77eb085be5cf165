/**
 * @id           time.contexts
 * @name         Time of contexts
 * @description  Of each context of the recorded run that samples were in while probes counted: the
 *               processor time that the samples stand for, of its method itself, by its recorded
 *               calls and bytecodes, with the 95 % interval of the share of samples. How many times
 *               the watched program did what was recorded is known from its methods with probes.
 *               Contexts of several threads with the same calls are one; a context without samples
 *               has no row.
 * @kind         table
 * @version      1
 * @grain        context
 * @column       recorded_context    integer               context of the recorded run
 * @column       class_name          text                  class in JVM form
 * @column       name                text                  name
 * @column       descriptor          text                  descriptor
 * @column       n_samples           integer  sample       samples in the method itself
 * @column       n_samples_below     integer  sample       samples in it and in what it calls
 * @column       recorded_calls      integer  call         calls that were recorded
 * @column       recorded_bytecodes  integer  bytecode     bytecodes that they executed themselves
 * @column       self_ns             number   ns           processor time of the samples
 * @column       ns_per_call         number   ns/call      of a recorded call
 * @column       least_ns_per_call   number   ns/call      lower end of the interval
 * @column       most_ns_per_call    number   ns/call      upper end of the interval
 * @column       ns_per_bytecode     number   ns/bytecode  of a recorded bytecode
 * @levels       n_samples n_samples_below recorded_calls recorded_bytecodes self_ns ns_per_call
 *               least_ns_per_call most_ns_per_call ns_per_bytecode
 * @sort         self_ns
 * @better       none
 * @requires     measured_context
 * @source       METRICS, together with a recording; Wilson 1927 for the intervals
 * @tags         time watch context
 */
SELECT context_id AS recorded_context,
       class_name,
       name,
       descriptor,
       n_samples,
       n_samples_below,
       recorded_calls,
       recorded_bytecodes,
       self_ns,
       ns_per_call,
       least_ns_per_call,
       most_ns_per_call,
       ns_per_bytecode,
       reason
FROM measured_context
WHERE context_id IS NOT NULL
ORDER BY context_id
