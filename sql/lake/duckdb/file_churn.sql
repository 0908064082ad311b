-- Made by translate.py from sql/answers/15_file_churn.sql, sha256 d0720c103508db2716c02fc7693f9a795a27f76cb1a4d53a7b2a87d4ccc4ac39
-- Files edited twice or more, with the lines that may have been written and taken out again; lines_known of edits have their lines.
CREATE OR REPLACE TEMP VIEW file_churn AS
WITH edits AS (
  SELECT
    code_edit_outcomes.machine_id AS machine_id,
    code_edit_outcomes.source_id AS source_id,
    code_edit_outcomes.project_uri AS project_uri,
    code_edit_outcomes.project AS project,
    code_edit_outcomes.conversation_id AS conversation_id,
    code_edit_outcomes.file AS file,
    code_edit_outcomes.file_type AS file_type,
    code_edit_outcomes.proposed_at AS proposed_at,
    code_edit_outcomes.lines_added AS lines_added,
    code_edit_outcomes.lines_removed AS lines_removed,
    code_edit_outcomes.repeats AS repeats,
    CASE WHEN code_edit_outcomes.project_uri IS NULL THEN code_edit_outcomes.source_id || '/' || code_edit_outcomes.conversation_id END AS alone,
    ROW_NUMBER() OVER (
      PARTITION BY code_edit_outcomes.machine_id, code_edit_outcomes.project_uri, code_edit_outcomes.project, CASE WHEN code_edit_outcomes.project_uri IS NULL THEN code_edit_outcomes.source_id || '/' || code_edit_outcomes.conversation_id END, code_edit_outcomes.file
      ORDER BY COALESCE(code_edit_outcomes.proposed_at, code_edit_outcomes.message_at) NULLS FIRST, code_edit_outcomes.source_id, code_edit_outcomes.conversation_id, code_edit_outcomes.position, code_edit_outcomes.message_id, code_edit_outcomes.edit_id, code_edit_outcomes.call_index
    ) AS place,
    COUNT(*) OVER (
      PARTITION BY code_edit_outcomes.machine_id, code_edit_outcomes.project_uri, code_edit_outcomes.project, CASE WHEN code_edit_outcomes.project_uri IS NULL THEN code_edit_outcomes.source_id || '/' || code_edit_outcomes.conversation_id END, code_edit_outcomes.file
    ) AS edits
  FROM code_edit_outcomes AS code_edit_outcomes
  WHERE
    NOT code_edit_outcomes.file IS NULL AND NOT code_edit_outcomes.is_accepted IS FALSE
), figures AS (
  SELECT
    edits.machine_id AS machine_id,
    edits.project_uri AS project_uri,
    edits.project AS project,
    edits.alone AS alone,
    edits.file AS file,
    ANY_VALUE(edits.file_type) AS file_type,
    ANY_VALUE(edits.repeats) AS repeats,
    COUNT(*) AS edits,
    COUNT(DISTINCT (edits.source_id, edits.conversation_id)) AS conversations,
    COUNT(DISTINCT CAST(edits.proposed_at AS DATE)) AS days,
    COUNT(edits.proposed_at) AS times_known,
    MIN(edits.proposed_at) AS first_edit_at,
    MAX(edits.proposed_at) AS last_edit_at,
    COUNT(edits.lines_added) AS lines_known,
    TRY_CAST(SUM(edits.lines_added) AS BIGINT) AS lines_added,
    TRY_CAST(SUM(edits.lines_removed) AS BIGINT) AS lines_removed,
    TRY_CAST(SUM(edits.lines_added) FILTER(WHERE
      edits.place < edits.edits) AS BIGINT) AS added_before_last,
    TRY_CAST(SUM(edits.lines_removed) FILTER(WHERE
      edits.place > 1) AS BIGINT) AS removed_after_first
  FROM edits AS edits
  WHERE
    edits.edits >= 2
  GROUP BY
    edits.machine_id,
    edits.project_uri,
    edits.project,
    edits.alone,
    edits.file
)
SELECT
  figures.machine_id AS machine_id,
  figures.project_uri AS project_uri,
  figures.project AS project,
  figures.file AS file,
  figures.file_type AS file_type,
  figures.edits AS edits,
  figures.conversations AS conversations,
  figures.days AS days,
  figures.times_known AS times_known,
  figures.first_edit_at AS first_edit_at,
  figures.last_edit_at AS last_edit_at,
  figures.lines_known AS lines_known,
  figures.lines_added AS lines_added,
  figures.lines_removed AS lines_removed,
  CASE
    WHEN figures.added_before_last <= figures.removed_after_first
    THEN figures.added_before_last
    WHEN figures.added_before_last > figures.removed_after_first
    THEN figures.removed_after_first
  END AS churn_lines,
  ROUND(
    CASE
      WHEN figures.added_before_last <= figures.removed_after_first
      THEN figures.added_before_last
      WHEN figures.added_before_last > figures.removed_after_first
      THEN figures.removed_after_first
    END / NULLIF(figures.lines_added, 0),
    4
  ) AS churn_rate,
  figures.repeats AS repeats
FROM figures AS figures;
