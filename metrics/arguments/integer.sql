/**
 * @id           arguments.integer
 * @name         Integer arguments
 * @description  All calls, in bins by the number of declared parameters of the callee. Within a
 *               bin: the calls with 0, 1, 2, 3, 4 and 5 or more integer parameters (boolean, byte,
 *               char, short, int, long). The receiver is not a parameter, and long and double count
 *               once. Rows with more integer parameters than parameters are 0. Calls by the VM
 *               count, too.
 * @kind         metric
 * @version      1
 * @grain        bin
 * @column       n_parameters  integer        declared parameters of the callee
 * @column       n_integer     integer        integer parameters; 5 stands for 5 or more
 * @column       n_calls       integer  call  calls
 * @column       n_bin_calls   integer  call  all calls in the bin
 * @column       share         number   1     share of the bin's calls
 * @fixed        n_integer
 * @sums         n_calls
 * @shares       share
 * @levels       n_bin_calls
 * @matrix       n_integer share
 * @better       none
 * @requires     context, method, back_edge
 * @import       arguments
 * @import       stats
 * @source       Sarimbekov et al. 2013, section 2.2.3: the third kind
 * @tags         arguments calls paper
 */
SELECT n_parameters,
       n_of_kind AS n_integer,
       n_calls,
       n_bin_calls,
       stats.share(n_calls, n_bin_calls) AS share
FROM arguments.distribution('integer')
ORDER BY n_parameters, n_integer
