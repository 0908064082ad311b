-- Made by translate.py from sql/views/01_source_groups.sql, sha256 ea55c6c78dc04f9186940e008f28be7cd3a655934e748cd75a104efe8fe0adc5
-- Sources that share conversations, with the first source of their group; a source that shares none has no row.
CREATE OR REPLACE TEMP VIEW source_groups AS
WITH RECURSIVE pairs AS (
  SELECT DISTINCT
    conversation_copies.machine_id AS machine_id,
    conversation_copies.source_id AS source_id,
    conversation_copies.primary_source_id AS other_id
  FROM conversation_copies AS conversation_copies
  WHERE
    conversation_copies.primary_conversation_id IS NULL
  UNION
  SELECT DISTINCT
    conversation_copies.machine_id AS machine_id,
    conversation_copies.primary_source_id AS primary_source_id,
    conversation_copies.source_id AS source_id
  FROM conversation_copies AS conversation_copies
  WHERE
    conversation_copies.primary_conversation_id IS NULL
), reach(machine_id, source_id, other_id) AS (
  SELECT
    pairs.machine_id AS machine_id,
    pairs.source_id AS source_id,
    pairs.other_id AS other_id
  FROM pairs AS pairs
  UNION
  SELECT
    r.machine_id AS machine_id,
    r.source_id AS source_id,
    p.other_id AS other_id
  FROM reach AS r
  JOIN pairs AS p
    ON p.machine_id = r.machine_id AND p.source_id = r.other_id
)
SELECT
  r.machine_id AS machine_id,
  r.source_id AS source_id,
  ARG_MIN(r.other_id, (s.first_seen_at IS NULL, s.first_seen_at, r.other_id)) AS first_source_id
FROM reach AS r
LEFT JOIN sources AS s
  ON s.machine_id = r.machine_id AND s.source_id = r.other_id
GROUP BY
  r.machine_id,
  r.source_id;
