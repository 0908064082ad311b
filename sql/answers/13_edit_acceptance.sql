-- Which share of the proposed edits is accepted, by model, type of file and project?
-- One row per model, file type and project, most edits first. What an edit is, and when it is accepted, is said at code_edit_outcomes; an edit
-- taken in part is not decided. acceptance_rate is over the decided; with few of them it says little. A model is NULL where neither the message
-- nor the conversation names one, a file_type where neither path nor language is known. Lines are those proposed, whatever became of them.
-- Edits that a fork repeats are left out: repeats counts them, the same in every row.
-- A second source, without model and file, is edit_acceptance_per_day: Cursor's own count of lines.
-- Coverage: of the edits, decided are accepted or rejected, lines_known have their lines, and model_by_message name their model themselves.
CREATE OR REPLACE VIEW answers.edit_acceptance AS
SELECT model, file_type, project_uri, project,
       count(*) AS edits,
       count(is_accepted) AS decided,
       count(*) FILTER (WHERE is_accepted) AS accepted,
       count(*) FILTER (WHERE NOT is_accepted) AS rejected,
       round(count(*) FILTER (WHERE is_accepted) / nullif(count(is_accepted), 0), 4) AS acceptance_rate,
       count(lines_added) AS lines_known,
       TRY_CAST(sum(lines_added) AS BIGINT) AS lines_added,
       TRY_CAST(sum(lines_removed) AS BIGINT) AS lines_removed,
       count(*) FILTER (WHERE model_source = 'message') AS model_by_message,
       any_value(repeats) AS repeats
FROM answers.code_edit_outcomes
GROUP BY model, file_type, project_uri, project
ORDER BY edits DESC, decided DESC, model NULLS LAST, file_type NULLS LAST, project_uri NULLS LAST, project;
COMMENT ON VIEW answers.edit_acceptance IS 'Acceptance of edits per model, file type and project; of the edits, decided are accepted or rejected.';
