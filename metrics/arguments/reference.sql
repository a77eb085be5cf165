/**
 * @id           arguments.reference
 * @name         Reference arguments
 * @description  All calls, in bins by the number of declared parameters of the callee. Within a
 *               bin: the calls with 0, 1, 2, 3, 4 and 5 or more reference parameters (objects and
 *               arrays). The receiver is not a parameter, and long and double count once. Rows with
 *               more reference parameters than parameters are 0. Calls by the VM count, too.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_parameters  integer        declared parameters of the callee
 * @column       n_reference   integer        reference parameters; 5 stands for 5 or more
 * @column       n_calls       integer  call  calls
 * @column       n_bin_calls   integer  call  all calls in the bin
 * @column       share         number   1     share of the bin's calls
 * @fixed        n_reference
 * @sums         n_calls
 * @shares       share
 * @levels       n_bin_calls
 * @matrix       n_reference share
 * @better       none
 * @requires     context, method, back_edge
 * @import       arguments
 * @import       stats
 * @source       METRICS arguments.reference; Sarimbekov et al. 2013, Table 1 and section 2.2.3
 * @tags         arguments calls paper
 */
SELECT n_parameters,
       n_of_kind AS n_reference,
       n_calls,
       n_bin_calls,
       stats.share(n_calls, n_bin_calls) AS share
FROM arguments.distribution('reference')
ORDER BY n_parameters, n_reference
