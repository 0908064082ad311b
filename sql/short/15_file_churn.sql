-- Which files are edited again and again?
-- One row per file with at least two edits, the most churn first: the lines that may have been written and taken out again. percent is their part of the added lines.
-- Coverage: known counts the edits that have their lines. Edits that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.file_churn_short AS
SELECT file, project, edits, churn_lines, TRY_CAST(churn_lines / nullif(lines_added, 0) * 100 AS DECIMAL(18, 1)) AS percent, lines_known AS known
FROM answers.file_churn
ORDER BY churn_lines DESC NULLS LAST, edits DESC, project_uri NULLS LAST, project, file;
COMMENT ON VIEW answers.file_churn_short IS 'Files that are edited again and again.';
COMMENT ON COLUMN answers.file_churn_short.file IS 'The file, within the project where it lies in it.';
COMMENT ON COLUMN answers.file_churn_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.file_churn_short.edits IS 'Edits that were not rejected.';
COMMENT ON COLUMN answers.file_churn_short.churn_lines IS 'Most lines that can have been written and taken out again.';
COMMENT ON COLUMN answers.file_churn_short.percent IS 'Their part of the added lines, in percent.';
COMMENT ON COLUMN answers.file_churn_short.known IS 'Edits whose lines are recorded.';
