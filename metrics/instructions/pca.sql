/**
 * @id           instructions.pca
 * @name         Principal components of the instruction mix
 * @description  Over the runs given: the principal components of their instruction mixes, as
 *               shares of the opcodes, or of any other metrics' columns. Features that are
 *               constant over the runs are left out; the others are centred and, if standardised,
 *               divided by their standard deviation, so that the eigenvalues are those of the
 *               correlation matrix. Of n runs at most n - 1 components vary.
 * @kind         metric
 * @version      1
 * @grain        component
 * @column       component         integer               component, from 1, by falling eigenvalue
 * @column       eigenvalue        number   variance     variance of the scores
 * @column       explained_share   number   1            of the variance of all features
 * @column       cumulative_share  number   1            of this component and those before it
 * @better       none
 * @step         pca
 * @param        features text instructions.mix.share METRIC.COLUMN, several with commas; * for any text
 * @param        standardised boolean true divide by the standard deviation (n - 1)
 * @param        components number 0.9 how many to keep; below 1 as few as explain this share
 * @source       METRICS instructions.pca; Sarimbekov et al. 2013, Table 1
 * @tags         instructions suite paper
 */
SELECT component, eigenvalue, explained_share, cumulative_share
FROM pca.component
ORDER BY component
