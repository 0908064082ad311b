-- Made by translate.py from sql/views/01_live_sessions.sql, sha256 425352be5fb032204cedf06f887221f7b0980a0741975088c366cc4011e72d48
-- Sessions, with the project as it is called now (table project_aliases).
CREATE OR REPLACE VIEW live_sessions AS
SELECT
  n.machine_id AS machine_id,
  n.session_id AS session_id,
  n.source_id AS source_id,
  COALESCE(u.new_project_uri, n.project_uri) AS project_uri,
  n.project AS project,
  n.started_at AS started_at,
  n.ended_at AS ended_at,
  n.duration_ms AS duration_ms,
  n.conversation_count AS conversation_count,
  n.message_count AS message_count,
  n.user_message_count AS user_message_count,
  n.tool_call_count AS tool_call_count
FROM (
  SELECT
    s.machine_id AS machine_id,
    s.session_id AS session_id,
    s.source_id AS source_id,
    s.project_uri AS project_uri,
    CASE WHEN p.project_uri IS NULL THEN s.project ELSE p.new_project END AS project,
    s.started_at AS started_at,
    s.ended_at AS ended_at,
    s.duration_ms AS duration_ms,
    s.conversation_count AS conversation_count,
    s.message_count AS message_count,
    s.user_message_count AS user_message_count,
    s.tool_call_count AS tool_call_count
  FROM sessions AS s
  LEFT JOIN project_aliases AS p
    ON p.machine_id = s.machine_id AND p.project_uri = s.project_uri
) AS n
LEFT JOIN project_aliases AS u
  ON u.machine_id = n.machine_id AND u.project_uri = n.project_uri
SETTINGS join_use_nulls = 1;
