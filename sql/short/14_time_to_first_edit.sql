-- How long does it take from a prompt to the first accepted edit, in each project?
-- One row per project, most prompts first. prompts are those whose turn proposed an edit; the wait ends when the edit was proposed that was then accepted.
-- Coverage: known counts the prompts that have an accepted edit and both times. A median of fewer than 20 says little.
CREATE OR REPLACE VIEW answers.time_to_first_edit_short AS
SELECT project, count(*) AS prompts, count(first_accepted_ms) AS known, TRY_CAST(median(first_accepted_ms) / 60000 AS DECIMAL(18, 1)) AS median_minutes,
       TRY_CAST(max(first_accepted_ms) / 60000 AS DECIMAL(18, 1)) AS longest_minutes, any_value(repeats) AS repeats
FROM answers.time_to_first_edit
GROUP BY project_uri, project
ORDER BY prompts DESC, known DESC, project_uri NULLS LAST;
COMMENT ON VIEW answers.time_to_first_edit_short IS 'Wait from a prompt to the first accepted edit, per project.';
COMMENT ON COLUMN answers.time_to_first_edit_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.time_to_first_edit_short.prompts IS 'Prompts whose turn proposed an edit.';
COMMENT ON COLUMN answers.time_to_first_edit_short.known IS 'Prompts of which the wait for an accepted edit is known.';
COMMENT ON COLUMN answers.time_to_first_edit_short.median_minutes IS 'Median of the wait, in minutes.';
COMMENT ON COLUMN answers.time_to_first_edit_short.longest_minutes IS 'The longest wait, in minutes.';
COMMENT ON COLUMN answers.time_to_first_edit_short.repeats IS 'Edits that a fork repeats, and that are left out; the same in every row.';
