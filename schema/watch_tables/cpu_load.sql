/**
 * @table        cpu_load
 * @description  Shares of all processors of the machine, once a second.
 * @source       the event stream
 * @events       jdk.CPULoad
 * @settings     period 1 s
 * @fields       at_ns startTime, vm_user jvmUser, vm_system jvmSystem, machine machineTotal
 * @binned       sum vm_user, vm_system, machine
 */
CREATE TABLE cpu_load (
    at_ns      BIGINT NOT NULL,  -- when it was, since 1970 [ns]
    vm_user    DOUBLE NOT NULL,  -- share that the VM used in user mode, from 0 to 1
    vm_system  DOUBLE NOT NULL,  -- share that the VM used in the kernel
    machine    DOUBLE NOT NULL   -- share that all processes used
);
