/**
 * @id           instructions.pca
 * @name         Principal components of the instruction mix
 * @description  The principal components, over several runs, of their instruction mixes (shares of
 *               the opcodes), or of columns of other metrics. Features that are constant over the
 *               runs are left out. The others are centred and, by default, divided by their
 *               standard deviation, so the eigenvalues are those of the correlation matrix. With n
 *               runs, at most n - 1 components vary.
 * @kind         metric
 * @version      1
 * @grain        component
 * @column       component         integer               component, from 1, largest eigenvalue first
 * @column       eigenvalue        number   variance     variance of the scores
 * @column       explained_share   number   1            share of the variance of all features
 * @column       cumulative_share  number   1            share up to this component
 * @shares       explained_share cumulative_share
 * @levels       eigenvalue
 * @better       none
 * @step         pca
 * @param        features text instructions.mix.share METRIC.COLUMN, comma-separated; * is any text
 * @param        standardised boolean true divide by the standard deviation (n - 1)
 * @param        components number 0.9 how many to keep; below 1: as many as explain this share
 * @source       METRICS instructions.pca; Sarimbekov et al. 2013, Table 1
 * @tags         instructions suite paper
 */
SELECT component, eigenvalue, explained_share, cumulative_share
FROM pca.component
ORDER BY component
