-- Made by translate.py from sql/answers/16_ai_code_by_model.sql, sha256 c7cd4d0912d627f4cb9222ca63b569bfd56c15ebd26051e626c0512852c51d40
-- Pieces of code that Cursor wrote and remembers by hash, per model and origin; a NULL model was not recorded.
CREATE OR REPLACE VIEW ai_code_by_model AS
SELECT
  h.machine_id AS machine_id,
  h.model AS model,
  h.origin AS origin,
  CAST(COUNT(*) AS Nullable(Int64)) AS pieces,
  CAST(COUNT(DISTINCT h.file_name) AS Nullable(Int64)) AS files,
  CAST(COUNT(DISTINCT h.conversation_id) AS Nullable(Int64)) AS conversations,
  CAST(COUNT(DISTINCT CASE WHEN NOT (
    c.conversation_id IS NULL
  ) THEN h.conversation_id END) AS Nullable(Int64)) AS in_warehouse,
  MIN(h.written_at) AS first_at,
  MAX(h.written_at) AS last_at
FROM ai_code_hashes AS h
LEFT JOIN (
  SELECT DISTINCT
    conversations.machine_id AS machine_id,
    conversations.conversation_id AS conversation_id
  FROM conversations AS conversations
) AS c
  ON c.machine_id = h.machine_id AND c.conversation_id = h.conversation_id
GROUP BY
  h.machine_id,
  h.model,
  h.origin
SETTINGS join_use_nulls = 1;
