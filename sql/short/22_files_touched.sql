-- Which files does the agent edit and read most?
-- One row per project and file, most edits and reads first. A call that failed counts in failed alone.
-- Coverage: calls that name no file are in no row; last is the best known day. Calls that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.files_touched_short AS
SELECT file, project, edits, reads, failed, CAST(last_at AS DATE) AS last
FROM answers.files_touched
ORDER BY edits DESC, reads DESC, failed DESC, project_uri NULLS LAST, file;
COMMENT ON VIEW answers.files_touched_short IS 'Edits and reads per file.';
COMMENT ON COLUMN answers.files_touched_short.file IS 'The file, within the project where it lies in it.';
COMMENT ON COLUMN answers.files_touched_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.files_touched_short.edits IS 'Edits of the file.';
COMMENT ON COLUMN answers.files_touched_short.reads IS 'Reads of the file.';
COMMENT ON COLUMN answers.files_touched_short.failed IS 'Calls that failed.';
COMMENT ON COLUMN answers.files_touched_short.last IS 'Day of the last call.';
