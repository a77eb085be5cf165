/**
 * @table        allocation_site
 * @description  The instructions that can make objects, whether or not they ran: `new`, those that make
 *               arrays, and calls of native methods that return a new object.
 * @recorded     --probes allocations
 * @order        instruction_id
 * @element      allocationSite
 * @within       instruction 1
 */
CREATE TABLE allocation_site (
    instruction_id  INTEGER PRIMARY KEY REFERENCES instruction (instruction_id),  -- instruction
    line            INTEGER  -- source line; null: no line numbers
);
