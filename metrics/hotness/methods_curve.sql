/**
 * @id           hotness.methods_curve
 * @name         Lorenz curve of methods
 * @description  The Lorenz curves of hotness.methods, hottest methods first: for each percent of
 *               the n distinct executed methods, the share of all executions, and of all bytecodes
 *               executed, that falls on the first ceil(percent / 100 * n) methods. Methods are
 *               ranked by executions for the first share, and by bytecodes for the second.
 * @kind         table
 * @version      2
 * @grain        bin
 * @column       percent           integer          percentage of the executed methods
 * @column       n_hot_methods     integer  method  number of these methods
 * @column       executions_share  number   1       share of the executions on these methods
 * @column       bytecodes_share   number   1       share of the bytecodes on these methods
 * @fixed        percent
 * @shares       executions_share bytecodes_share
 * @levels       n_hot_methods
 * @plot         line percent bytecodes_share
 * @better       none
 * @requires     thread_method
 * @import       methods
 * @import       stats
 * @source       METRICS hotness.methods: the whole curve, other cut-offs; Sarimbekov et al. 2013,
 *               Table 1
 * @tags         hotness method paper
 */
SELECT percent, n_hot AS n_hot_methods, executions_share, bytecodes_share
FROM stats.hotness_curve((SELECT LIST(part) FROM methods.executed() AS part))
ORDER BY percent
