-- What happened to each proposed edit?
-- One row per proposed edit, the latest first.
-- Coverage: outcome is NULL where an edit was taken in part, is not decided, or nothing is recorded; day, added and removed are NULL where they are not recorded. Edits that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.code_edit_outcomes_short AS
SELECT CAST(coalesce(proposed_at, message_at) AS DATE) AS day, project, file, CASE WHEN is_accepted THEN 'accepted' WHEN NOT is_accepted THEN 'rejected' END AS outcome,
       lines_added AS added, lines_removed AS removed
FROM answers.code_edit_outcomes
ORDER BY coalesce(proposed_at, message_at) DESC NULLS LAST, source_id, conversation_id, position DESC NULLS LAST, message_id, edit_id, call_index;
COMMENT ON VIEW answers.code_edit_outcomes_short IS 'Proposed edits with their fate.';
COMMENT ON COLUMN answers.code_edit_outcomes_short.day IS 'Day of the proposal, or the best known day of its message.';
COMMENT ON COLUMN answers.code_edit_outcomes_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.code_edit_outcomes_short.file IS 'The file, within the project where it lies in it.';
COMMENT ON COLUMN answers.code_edit_outcomes_short.outcome IS 'accepted or rejected; NULL where it is not decided as a whole.';
COMMENT ON COLUMN answers.code_edit_outcomes_short.added IS 'Lines that it adds.';
COMMENT ON COLUMN answers.code_edit_outcomes_short.removed IS 'Lines that it removes.';
