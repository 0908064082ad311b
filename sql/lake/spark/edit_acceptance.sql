-- Made by translate.py from sql/answers/13_edit_acceptance.sql, sha256 d490e91d00f6ba47bebef0f9f7ee7f3dcd98c59cc63225e4ece50ca08633124c
-- Acceptance of edits per model, file type and project; decided of edits are accepted or rejected.
CREATE OR REPLACE TEMPORARY VIEW edit_acceptance AS
SELECT
  code_edit_outcomes.machine_id AS machine_id,
  code_edit_outcomes.model AS model,
  code_edit_outcomes.file_type AS file_type,
  code_edit_outcomes.project_uri AS project_uri,
  code_edit_outcomes.project AS project,
  COUNT(*) AS edits,
  COUNT(code_edit_outcomes.is_accepted) AS decided,
  COUNT(CASE WHEN code_edit_outcomes.is_accepted THEN 1 END) AS accepted,
  COUNT(CASE WHEN NOT code_edit_outcomes.is_accepted THEN 1 END) AS rejected,
  ROUND(COUNT(CASE WHEN code_edit_outcomes.is_accepted THEN 1 END) / NULLIF(COUNT(code_edit_outcomes.is_accepted), 0), 4) AS acceptance_rate,
  COUNT(code_edit_outcomes.lines_added) AS lines_known,
  TRY_CAST(SUM(code_edit_outcomes.lines_added) AS BIGINT) AS lines_added,
  TRY_CAST(SUM(code_edit_outcomes.lines_removed) AS BIGINT) AS lines_removed,
  COUNT(CASE WHEN code_edit_outcomes.model_source = 'message' THEN 1 END) AS model_by_message,
  any_value(code_edit_outcomes.repeats, TRUE) AS repeats
FROM code_edit_outcomes AS code_edit_outcomes
GROUP BY
  code_edit_outcomes.machine_id,
  code_edit_outcomes.model,
  code_edit_outcomes.file_type,
  code_edit_outcomes.project_uri,
  code_edit_outcomes.project;
