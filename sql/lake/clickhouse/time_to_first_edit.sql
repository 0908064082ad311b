-- Made by translate.py from sql/answers/14_time_to_first_edit.sql, sha256 be6cd798353cfd3175bdf042795470367665c881cab24b5745ab5a5df86feb8c
-- Prompts with the time to their first proposed and accepted edit; timed of proposed have both times.
CREATE OR REPLACE VIEW time_to_first_edit AS
WITH prompts AS (
  SELECT
    live_messages.machine_id AS machine_id,
    live_messages.source_id AS source_id,
    live_messages.conversation_id AS conversation_id,
    live_messages.message_id AS message_id,
    live_messages.turn AS turn,
    live_messages.text AS text,
    CASE WHEN live_messages.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN live_messages.created_at END AS prompt_at
  FROM live_messages AS live_messages
  WHERE
    live_messages.role = 'user' AND NOT (
      live_messages.is_simulated IS TRUE
    ) AND NOT live_messages.is_repeat
), waits AS (
  SELECT
    e.machine_id AS machine_id,
    e.source_id AS source_id,
    e.project_uri AS project_uri,
    e.project AS project,
    e.conversation_id AS conversation_id,
    e.title AS title,
    p.message_id AS message_id,
    p.turn AS turn,
    p.prompt_at AS prompt_at,
    p.text AS text,
    e.is_accepted AS is_accepted,
    e.repeats AS repeats,
    CASE WHEN e.proposed_at >= p.prompt_at THEN toUnixTimestamp64Milli(e.proposed_at) - toUnixTimestamp64Milli(p.prompt_at) END AS wait_ms
  FROM code_edit_outcomes AS e
  JOIN prompts AS p
    ON p.machine_id = e.machine_id AND (
      p.source_id = e.source_id AND p.conversation_id = e.conversation_id AND p.turn = e.turn
    )
)
SELECT
  waits.machine_id AS machine_id,
  waits.source_id AS source_id,
  waits.project_uri AS project_uri,
  waits.project AS project,
  waits.conversation_id AS conversation_id,
  waits.title AS title,
  waits.message_id AS message_id,
  waits.turn AS turn,
  waits.prompt_at AS prompt_at,
  any(leftUTF8(waits.text, 200)) AS prompt,
  CAST(COUNT(*) AS Nullable(Int64)) AS proposed,
  CAST(COUNT(waits.wait_ms) AS Nullable(Int64)) AS timed,
  CAST(COUNT(CASE WHEN waits.is_accepted THEN 1 END) AS Nullable(Int64)) AS accepted,
  CAST(COUNT(CASE WHEN waits.is_accepted THEN waits.wait_ms END) AS Nullable(Int64)) AS timed_accepted,
  CAST(COUNT(CASE WHEN NOT waits.is_accepted THEN 1 END) AS Nullable(Int64)) AS rejected,
  MIN(waits.wait_ms) AS first_proposed_ms,
  MIN(CASE WHEN waits.is_accepted THEN waits.wait_ms END) AS first_accepted_ms,
  any(waits.repeats) AS repeats
FROM waits AS waits
GROUP BY
  waits.machine_id,
  waits.source_id,
  waits.project_uri,
  waits.project,
  waits.conversation_id,
  waits.title,
  waits.message_id,
  waits.turn,
  waits.prompt_at
SETTINGS join_use_nulls = 1;
