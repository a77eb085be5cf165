/**
 * @id           instructions.pca_loadings
 * @name         Loadings of the principal components
 * @description  How much each feature contributes to each component of instructions.pca: the
 *               coordinates of the component, a vector of length 1. The sign is chosen so that the
 *               loading with the largest magnitude is positive.
 * @kind         table
 * @version      1
 * @grain        component
 * @column       component  integer     component, from 1
 * @column       feature    text        the metric's column, with the row's keys in brackets
 * @column       loading    number   1  loading; null if the feature was left out
 * @levels       loading
 * @better       none
 * @step         pca
 * @param        features text instructions.mix.share METRIC.COLUMN, comma-separated; * is any text
 * @param        standardised boolean true divide by the standard deviation (n - 1)
 * @param        components number 0.9 how many to keep; below 1: as many as explain this share
 * @source       METRICS instructions.pca
 * @tags         instructions suite
 */
SELECT component, feature, loading, reason
FROM pca.loading
ORDER BY component, ABS(loading) DESC NULLS LAST, feature
