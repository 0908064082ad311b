-- Which files are edited again and again?
-- One row per project and file with at least two edits (see code_edit_outcomes), the most churn first, then the most edits. Rejected edits
-- changed nothing and are not among them; an undecided edit is, for most edits are never decided one by one. Where no project is known, a file
-- is compared within its conversation only. The edits are put in order by their best known time, then by their place in the conversation.
-- churn_lines, the most lines that can have been written and taken out again: the smaller of the lines that all but the last edit added and the
-- lines that all but the first removed. Which lines these were is not compared. churn_rate is their share of all added lines.
-- Edits that a fork repeats are left out: repeats counts them, the same in every row.
-- days counts the days of the edits with a recorded time, cut in the reader's TimeZone. first_edit_at and last_edit_at are of these too.
-- Coverage: of the edits, lines_known have their lines, and times_known a recorded time.
CREATE OR REPLACE VIEW answers.file_churn AS
WITH edits AS (
    SELECT source_id, project_uri, project, conversation_id, file, file_type, proposed_at, lines_added, lines_removed, repeats,
           CASE WHEN project_uri IS NULL THEN source_id || '/' || conversation_id END AS alone,
           row_number() OVER (first_on_top) AS place,
           count(*) OVER (PARTITION BY project_uri, project, alone, file) AS edits
    FROM answers.code_edit_outcomes
    WHERE file IS NOT NULL AND is_accepted IS NOT FALSE
    WINDOW first_on_top AS (PARTITION BY project_uri, project, CASE WHEN project_uri IS NULL THEN source_id || '/' || conversation_id END, file
        ORDER BY coalesce(proposed_at, message_at) NULLS FIRST, source_id, conversation_id, position, message_id, edit_id, call_index)
), figures AS (
    SELECT project_uri, project, alone, file,
           any_value(file_type) AS file_type,
           any_value(repeats) AS repeats,
           count(*) AS edits,
           count(DISTINCT (source_id, conversation_id)) AS conversations,
           count(DISTINCT CAST(proposed_at AS DATE)) AS days,
           count(proposed_at) AS times_known,
           min(proposed_at) AS first_edit_at,
           max(proposed_at) AS last_edit_at,
           count(lines_added) AS lines_known,
           TRY_CAST(sum(lines_added) AS BIGINT) AS lines_added,
           TRY_CAST(sum(lines_removed) AS BIGINT) AS lines_removed,
           -- least() passes over a NULL, and an unknown number of lines is not 0
           TRY_CAST(sum(lines_added) FILTER (WHERE place < edits) AS BIGINT) AS added_before_last,
           TRY_CAST(sum(lines_removed) FILTER (WHERE place > 1) AS BIGINT) AS removed_after_first
    FROM edits
    WHERE edits >= 2
    GROUP BY project_uri, project, alone, file
)
SELECT project_uri, project, file, file_type, edits, conversations, days, times_known, first_edit_at, last_edit_at,
       lines_known, lines_added, lines_removed,
       CASE WHEN added_before_last <= removed_after_first THEN added_before_last
            WHEN added_before_last > removed_after_first THEN removed_after_first END AS churn_lines,
       round(churn_lines / nullif(lines_added, 0), 4) AS churn_rate, repeats
FROM figures
ORDER BY churn_lines DESC NULLS LAST, edits DESC, project_uri NULLS LAST, project, file, alone;
COMMENT ON VIEW answers.file_churn IS 'Files edited twice or more, with the lines that may have been written and taken out again; of the edits, lines_known have their lines.';
