/**
 * @id           instructions.pca_scores
 * @name         Scores of the runs on the principal components
 * @description  The position of each run on each component of instructions.pca: its centred (and
 *               standardised) features, projected on the component. Runs with close scores execute
 *               alike.
 * @kind         table
 * @version      1
 * @grain        component
 * @column       run_id     text               run
 * @column       component  integer            component, from 1
 * @column       score      number   standard  score; null if the run has no features
 * @levels       score
 * @better       none
 * @step         pca
 * @param        features text instructions.mix.share METRIC.COLUMN, comma-separated; * is any text
 * @param        standardised boolean true divide by the standard deviation (n - 1)
 * @param        components number 0.9 how many to keep; below 1: as many as explain this share
 * @source       METRICS instructions.pca
 * @tags         instructions suite
 */
SELECT run_id, component, score, reason
FROM pca.score
ORDER BY component, run_id
