/**
 * @id           time.processor
 * @name         Use of processors
 * @description  Processor time and page faults of the VM's process between the first and the last
 *               reading of a watch: of the program, of the collector, the compilers and all else in
 *               the process.
 * @kind         table
 * @version      2
 * @grain        run
 * @column       elapsed_ns       integer  ns         time between the readings
 * @column       user_ns          integer  ns         processor time in user mode
 * @column       system_ns        integer  ns         processor time in the kernel
 * @column       processors_used  number   processor  processor time divided by the time elapsed
 * @column       system_share     number   1          share of the processor time in the kernel
 * @column       fault_rate       number   fault/s    page faults a second
 * @sums         elapsed_ns user_ns system_ns
 * @shares       system_share
 * @levels       processors_used fault_rate
 * @better       none
 * @requires     watch.process_usage
 * @source       Prokopec et al. 2019 (Renaissance) cpu, for which they divide by the processors of
 *               the machine; DaCapo Chopin PKP
 * @tags         time watch renaissance dacapo
 */
WITH used AS (
    SELECT NULLIF(MAX(at_ns) - MIN(at_ns), 0)::BIGINT AS elapsed_ns,
           CASE WHEN elapsed_ns > 0 THEN (MAX(user_ns) - MIN(user_ns))::BIGINT END AS user_ns,
           CASE WHEN elapsed_ns > 0 THEN (MAX(system_ns) - MIN(system_ns))::BIGINT END AS system_ns,
           MAX(n_minor_faults + n_major_faults) - MIN(n_minor_faults + n_major_faults) AS n_faults
    FROM process_usage
)
SELECT elapsed_ns,
       user_ns,
       system_ns,
       (user_ns + system_ns) / NULLIF(elapsed_ns, 0)::DOUBLE AS processors_used,
       system_ns / NULLIF(user_ns + system_ns, 0)::DOUBLE AS system_share,
       n_faults / NULLIF(elapsed_ns / 1e9, 0) AS fault_rate,
       'the process was not read twice, or used no processor time in between' AS reason
FROM used
