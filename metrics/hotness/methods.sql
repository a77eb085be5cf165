/**
 * @id           hotness.methods
 * @name         Hotness of methods
 * @description  The share of all method executions, and of all bytecodes executed, that falls on
 *               the hottest methods: the first ceil(cutoff * n) of the n distinct executed methods.
 *               Methods are ranked by executions for the first share, and by bytecodes for the
 *               second. Native methods and methods that the VM replaces are included; they execute
 *               no bytecodes. The Gini coefficients belong to the Lorenz curves over the same n
 *               methods; 0 means that all are equally hot.
 * @kind         metric
 * @version      2
 * @grain        run
 * @column       n_methods         integer  method     distinct methods executed
 * @column       n_hot_methods     integer  method     number of hottest methods, by the cutoff
 * @column       n_executions      integer  execution  method executions
 * @column       n_bytecodes       integer  bytecode   bytecodes executed
 * @column       executions_share  number   1          share of the executions on the hottest methods
 * @column       bytecodes_share   number   1          share of the bytecodes on the hottest methods
 * @column       executions_gini   number   1          Gini coefficient of the executions
 * @column       bytecodes_gini    number   1          Gini coefficient of the bytecodes
 * @sums         n_executions n_bytecodes
 * @shares       executions_share bytecodes_share
 * @levels       n_methods n_hot_methods executions_gini bytecodes_gini
 * @overview     80 bytecodes_share bytecodes of the hottest fifth of the methods
 * @overview     90 bytecodes_gini Gini coefficient of the methods' bytecodes
 * @better       none
 * @param        cutoff number 0.2 fraction of the methods that are the hottest
 * @range        cutoff [0.000001, 1]
 * @requires     thread_method
 * @import       methods
 * @import       stats
 * @source       METRICS hotness.methods; Sarimbekov et al. 2013, Table 1; the number of hottest
 *               methods is rounded up
 * @tags         hotness method paper
 */
SELECT n AS n_methods,
       n_hot AS n_hot_methods,
       n_executions,
       n_bytecodes,
       executions_share,
       bytecodes_share,
       executions_gini,
       bytecodes_gini
FROM stats.hotness((SELECT LIST(part) FROM methods.executed() AS part), $cutoff)
