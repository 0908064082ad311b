-- How did each shell command end?
-- One row per shell command, the latest first. outcome is rejected where the user said no, else failed or done.
-- Coverage: NULL in outcome, exit_code and seconds is what is not recorded.
CREATE OR REPLACE VIEW answers.command_runs_short AS
SELECT CAST(created_at AS DATE) AS day, left(command, 200) AS command, CASE WHEN is_rejected THEN 'rejected' WHEN is_failed THEN 'failed' WHEN NOT is_failed THEN 'done' END AS outcome,
       exit_code, TRY_CAST(duration_ms / 1000 AS DECIMAL(18, 1)) AS seconds, repeats
FROM answers.command_runs
ORDER BY created_at DESC NULLS LAST, source_id, conversation_id, position DESC, message_id, call_index;
COMMENT ON VIEW answers.command_runs_short IS 'Shell commands with their outcome.';
COMMENT ON COLUMN answers.command_runs_short.day IS 'Day of the command.';
COMMENT ON COLUMN answers.command_runs_short.command IS 'Its first 200 characters.';
COMMENT ON COLUMN answers.command_runs_short.outcome IS 'rejected, failed or done; NULL where nothing is recorded.';
COMMENT ON COLUMN answers.command_runs_short.exit_code IS 'Its exit code.';
COMMENT ON COLUMN answers.command_runs_short.seconds IS 'How long it took, in seconds.';
COMMENT ON COLUMN answers.command_runs_short.repeats IS 'Commands that a fork repeats, and that have no row; the same in every row.';
