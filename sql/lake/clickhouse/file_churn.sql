-- Made by translate.py from sql/answers/15_file_churn.sql, sha256 d0720c103508db2716c02fc7693f9a795a27f76cb1a4d53a7b2a87d4ccc4ac39
-- Files edited twice or more, with the lines that may have been written and taken out again; lines_known of edits have their lines.
CREATE OR REPLACE VIEW file_churn AS
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
    CAST(ROW_NUMBER() OVER (
      PARTITION BY code_edit_outcomes.machine_id, code_edit_outcomes.project_uri, code_edit_outcomes.project, CASE WHEN code_edit_outcomes.project_uri IS NULL THEN code_edit_outcomes.source_id || '/' || code_edit_outcomes.conversation_id END, code_edit_outcomes.file
      ORDER BY COALESCE(code_edit_outcomes.proposed_at, code_edit_outcomes.message_at) NULLS FIRST, code_edit_outcomes.source_id, code_edit_outcomes.conversation_id, code_edit_outcomes.position, code_edit_outcomes.message_id, code_edit_outcomes.edit_id, code_edit_outcomes.call_index
    ) AS Nullable(Int64)) AS place,
    CAST(COUNT(*) OVER (
      PARTITION BY code_edit_outcomes.machine_id, code_edit_outcomes.project_uri, code_edit_outcomes.project, CASE WHEN code_edit_outcomes.project_uri IS NULL THEN code_edit_outcomes.source_id || '/' || code_edit_outcomes.conversation_id END, code_edit_outcomes.file
    ) AS Nullable(Int64)) AS edits
  FROM code_edit_outcomes AS code_edit_outcomes
  WHERE
    NOT (
      code_edit_outcomes.file IS NULL
    ) AND NOT (
      code_edit_outcomes.is_accepted IS FALSE
    )
), figures AS (
  SELECT
    edits.machine_id AS machine_id,
    edits.project_uri AS project_uri,
    edits.project AS project,
    edits.alone AS alone,
    edits.file AS file,
    any(edits.file_type) AS file_type,
    any(edits.repeats) AS repeats,
    CAST(COUNT(*) AS Nullable(Int64)) AS edits,
    CAST(COUNT(DISTINCT (edits.source_id, edits.conversation_id)) AS Nullable(Int64)) AS conversations,
    CAST(COUNT(DISTINCT CAST(edits.proposed_at AS Nullable(Date32))) AS Nullable(Int64)) AS days,
    CAST(COUNT(edits.proposed_at) AS Nullable(Int64)) AS times_known,
    MIN(edits.proposed_at) AS first_edit_at,
    MAX(edits.proposed_at) AS last_edit_at,
    CAST(COUNT(edits.lines_added) AS Nullable(Int64)) AS lines_known,
    accurateCastOrNull(SUM(edits.lines_added), 'Int64') AS lines_added,
    accurateCastOrNull(SUM(edits.lines_removed), 'Int64') AS lines_removed,
    accurateCastOrNull(SUM(CASE WHEN edits.place < edits.edits THEN edits.lines_added END), 'Int64') AS added_before_last,
    accurateCastOrNull(SUM(CASE WHEN edits.place > 1 THEN edits.lines_removed END), 'Int64') AS removed_after_first
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
  trunc(
    (
      CASE
        WHEN figures.added_before_last <= figures.removed_after_first
        THEN figures.added_before_last
        WHEN figures.added_before_last > figures.removed_after_first
        THEN figures.removed_after_first
      END / nullIf(figures.lines_added, 0)
    ) * 10000 + 0.5 * sign(
      (
        CASE
          WHEN figures.added_before_last <= figures.removed_after_first
          THEN figures.added_before_last
          WHEN figures.added_before_last > figures.removed_after_first
          THEN figures.removed_after_first
        END / nullIf(figures.lines_added, 0)
      )
    )
  ) / 10000 AS churn_rate,
  figures.repeats AS repeats
FROM figures AS figures
SETTINGS join_use_nulls = 1;
