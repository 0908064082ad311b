-- Made by translate.py from sql/answers/13_edit_acceptance.sql, sha256 d490e91d00f6ba47bebef0f9f7ee7f3dcd98c59cc63225e4ece50ca08633124c
-- Acceptance of edits per model, file type and project; decided of edits are accepted or rejected.
CREATE OR REPLACE VIEW edit_acceptance AS
SELECT
  code_edit_outcomes.machine_id AS machine_id,
  code_edit_outcomes.model AS model,
  code_edit_outcomes.file_type AS file_type,
  code_edit_outcomes.project_uri AS project_uri,
  code_edit_outcomes.project AS project,
  CAST(COUNT(*) AS Nullable(Int64)) AS edits,
  CAST(COUNT(code_edit_outcomes.is_accepted) AS Nullable(Int64)) AS decided,
  CAST(COUNT(CASE WHEN code_edit_outcomes.is_accepted THEN 1 END) AS Nullable(Int64)) AS accepted,
  CAST(COUNT(CASE WHEN NOT code_edit_outcomes.is_accepted THEN 1 END) AS Nullable(Int64)) AS rejected,
  trunc(
    (
      CAST(COUNT(CASE WHEN code_edit_outcomes.is_accepted THEN 1 END) AS Nullable(Int64)) / nullIf(CAST(COUNT(code_edit_outcomes.is_accepted) AS Nullable(Int64)), 0)
    ) * 10000 + 0.5 * sign(
      (
        CAST(COUNT(CASE WHEN code_edit_outcomes.is_accepted THEN 1 END) AS Nullable(Int64)) / nullIf(CAST(COUNT(code_edit_outcomes.is_accepted) AS Nullable(Int64)), 0)
      )
    )
  ) / 10000 AS acceptance_rate,
  CAST(COUNT(code_edit_outcomes.lines_added) AS Nullable(Int64)) AS lines_known,
  accurateCastOrNull(SUM(code_edit_outcomes.lines_added), 'Int64') AS lines_added,
  accurateCastOrNull(SUM(code_edit_outcomes.lines_removed), 'Int64') AS lines_removed,
  CAST(COUNT(CASE WHEN code_edit_outcomes.model_source = 'message' THEN 1 END) AS Nullable(Int64)) AS model_by_message,
  any(code_edit_outcomes.repeats) AS repeats
FROM code_edit_outcomes AS code_edit_outcomes
GROUP BY
  code_edit_outcomes.machine_id,
  code_edit_outcomes.model,
  code_edit_outcomes.file_type,
  code_edit_outcomes.project_uri,
  code_edit_outcomes.project
SETTINGS join_use_nulls = 1;
