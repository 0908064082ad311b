-- Made by translate.py from sql/views/05_message_groups.sql, sha256 e7faa6d52a29c7d591c8350662cfa0cbfc4dd18b664b258cd5180394416d5a0e
-- Runs of user or of assistant messages in live conversations, numbered from 0 in each, none of both branches.
CREATE OR REPLACE TEMPORARY VIEW message_groups AS
WITH marked AS (
  SELECT
    m.machine_id AS machine_id,
    m.source_id AS source_id,
    m.conversation_id AS conversation_id,
    m.position AS position,
    m.role AS role,
    m.turn AS turn,
    m.kind AS kind,
    m.created_at AS created_at,
    m.text AS text,
    b.branch AS branch,
    m.role IS DISTINCT FROM LAG(m.role) OVER (PARTITION BY m.machine_id, m.source_id, m.conversation_id ORDER BY m.position NULLS LAST)
    OR b.branch IS DISTINCT FROM LAG(b.branch) OVER (PARTITION BY m.machine_id, m.source_id, m.conversation_id ORDER BY m.position NULLS LAST) AS opens
  FROM live_messages AS m
  JOIN message_branches AS b
    ON b.machine_id = m.machine_id AND (
      b.source_id = m.source_id AND b.conversation_id = m.conversation_id AND b.message_id = m.message_id
    )
), numbered AS (
  SELECT
    marked.machine_id AS machine_id,
    marked.source_id AS source_id,
    marked.conversation_id AS conversation_id,
    marked.position AS position,
    marked.role AS role,
    marked.turn AS turn,
    marked.kind AS kind,
    marked.created_at AS created_at,
    marked.text AS text,
    marked.branch AS branch,
    marked.opens AS opens,
    COUNT(CASE WHEN marked.opens THEN 1 END) OVER (
      PARTITION BY marked.machine_id, marked.source_id, marked.conversation_id
      ORDER BY marked.position NULLS LAST
      ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
    ) AS run_no
  FROM marked AS marked
), runs AS (
  SELECT
    numbered.machine_id AS machine_id,
    numbered.source_id AS source_id,
    numbered.conversation_id AS conversation_id,
    numbered.run_no AS run_no,
    any_value(numbered.role, TRUE) AS role,
    any_value(numbered.branch, TRUE) AS branch,
    MIN(numbered.turn) AS turn,
    MIN(numbered.position) AS first_position,
    MAX(numbered.position) AS last_position,
    MIN(numbered.created_at) AS started_at,
    MAX(numbered.created_at) AS ended_at,
    COUNT(*) AS message_count,
    COUNT(CASE WHEN numbered.kind = 'tool_call' THEN 1 END) AS tool_call_message_count,
    nullif(
      array_join(
        transform(
          array_sort(
            collect_list(
              CASE
                WHEN NOT CASE WHEN numbered.kind = 'text' THEN numbered.text END IS NULL
                THEN STRUCT(numbered.position IS NULL AS n0, numbered.position AS k0, CASE WHEN numbered.kind = 'text' THEN numbered.text END AS v)
              END
            )
          ),
          t -> t.v
        ),
        CHR(  10) || CHR(  10)
      ),
      ''
    ) AS text
  FROM numbered AS numbered
  GROUP BY
    numbered.machine_id,
    numbered.source_id,
    numbered.conversation_id,
    numbered.run_no
)
SELECT
  runs.machine_id AS machine_id,
  runs.source_id AS source_id,
  runs.conversation_id AS conversation_id,
  ROW_NUMBER() OVER (PARTITION BY runs.machine_id, runs.source_id, runs.conversation_id ORDER BY runs.first_position NULLS LAST) - 1 AS group_index,
  runs.role AS role,
  runs.turn AS turn,
  runs.first_position AS first_position,
  runs.last_position AS last_position,
  runs.started_at AS started_at,
  runs.ended_at AS ended_at,
  runs.message_count AS message_count,
  runs.tool_call_message_count AS tool_call_message_count,
  runs.text AS text,
  runs.branch AS branch
FROM runs AS runs
WHERE
  runs.role IN ('user', 'assistant');
