-- Made by translate.py from sql/answers/22_files_touched.sql, sha256 b140f12138f8eb6ac20cdc3315cd671a55201ce006639d68c889a6c89e8d184b
-- Reads and edits per project and file; times_known of calls have a real time, project_calls_with_file of project_calls name their file.
CREATE OR REPLACE TEMPORARY VIEW files_touched AS
WITH calls AS (
  SELECT
    t.machine_id AS machine_id,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    t.message_id AS message_id,
    t.tool AS tool,
    t.tool_kind AS tool_kind,
    NOT t.is_error IS TRUE AS done,
    REGEXP_REPLACE(REPLACE(t.file_path, '\\', '/'), '^(\\./)+', '') AS path
  FROM live_tool_calls AS t
  WHERE
    (
      t.tool_kind = 'edit' OR t.tool IN ('read_file', 'Read', 'ReadFile')
    ) AND NOT t.is_repeat
), repeated AS (
  SELECT
    _machines.machine_id AS machine_id,
    COUNT(_rows._is_row) AS repeats
  FROM _machines
  LEFT JOIN (
    SELECT
      live_tool_calls.machine_id AS machine_id,
      1 AS _is_row
    FROM live_tool_calls AS live_tool_calls
    WHERE
      (
        live_tool_calls.tool_kind = 'edit' OR live_tool_calls.tool IN ('read_file', 'Read', 'ReadFile')
      )
      AND NOT live_tool_calls.file_path IS NULL
      AND live_tool_calls.is_repeat
  ) AS _rows
    ON _rows.machine_id = _machines.machine_id
  GROUP BY
    _machines.machine_id
), placed AS (
  SELECT
    t.machine_id AS machine_id,
    c.project_uri AS project_uri,
    c.project AS project,
    t.source_id AS source_id,
    t.conversation_id AS conversation_id,
    t.tool AS tool,
    t.tool_kind AS tool_kind,
    t.done AS done,
    m.created_at AS created_at,
    m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AS timed,
    CASE
      WHEN c.project_path <> '' AND STARTSWITH(LOWER(t.path), LOWER(TRIM(TRAILING '/' FROM REPLACE(c.project_path, '\\', '/'))) || '/')
      THEN SUBSTRING(t.path, LENGTH(TRIM(TRAILING '\\/' FROM c.project_path)) + 2)
      ELSE t.path
    END AS file
  FROM calls AS t
  JOIN live_conversations AS c
    ON c.machine_id = t.machine_id AND (
      c.source_id = t.source_id AND c.conversation_id = t.conversation_id
    )
  LEFT JOIN messages AS m
    ON m.machine_id = t.machine_id AND (
      m.source_id = t.source_id AND m.conversation_id = t.conversation_id AND m.message_id = t.message_id
    )
), files AS (
  SELECT
    placed.machine_id AS machine_id,
    placed.project_uri AS project_uri,
    placed.project AS project,
    placed.file AS file,
    COUNT(CASE WHEN placed.done AND placed.tool_kind = 'edit' THEN 1 END) AS edits,
    COUNT(CASE WHEN placed.done AND placed.tool_kind <> 'edit' THEN 1 END) AS reads,
    COUNT(CASE WHEN placed.done AND placed.tool = 'delete_file' THEN 1 END) AS deletes,
    COUNT(CASE WHEN NOT placed.done THEN 1 END) AS failed,
    COUNT(DISTINCT (placed.source_id, placed.conversation_id)) AS conversations,
    MIN(placed.created_at) AS first_at,
    MAX(placed.created_at) AS last_at,
    COUNT(*) AS calls,
    COUNT(CASE WHEN placed.timed THEN 1 END) AS times_known
  FROM placed AS placed
  GROUP BY
    placed.machine_id,
    placed.project_uri,
    placed.project,
    placed.file
), counted AS (
  SELECT
    files.machine_id AS machine_id,
    files.project_uri AS project_uri,
    files.project AS project,
    files.file AS file,
    files.edits AS edits,
    files.reads AS reads,
    files.deletes AS deletes,
    files.failed AS failed,
    files.conversations AS conversations,
    files.first_at AS first_at,
    files.last_at AS last_at,
    files.calls AS calls,
    files.times_known AS times_known,
    TRY_CAST(SUM(files.calls) OVER (PARTITION BY files.machine_id, files.project_uri, files.project) AS BIGINT) AS project_calls,
    TRY_CAST(COALESCE(SUM(CASE WHEN NOT files.file IS NULL THEN files.calls END) OVER (PARTITION BY files.machine_id, files.project_uri, files.project), 0) AS BIGINT) AS project_calls_with_file
  FROM files AS files
)
SELECT
  counted.machine_id AS machine_id,
  counted.project_uri AS project_uri,
  counted.project AS project,
  counted.file AS file,
  counted.edits AS edits,
  counted.reads AS reads,
  counted.deletes AS deletes,
  counted.failed AS failed,
  counted.reads > 0 AND counted.edits = 0 AS read_never_edited,
  counted.conversations AS conversations,
  counted.first_at AS first_at,
  counted.last_at AS last_at,
  counted.calls AS calls,
  counted.times_known AS times_known,
  counted.project_calls AS project_calls,
  counted.project_calls_with_file AS project_calls_with_file,
  repeated.repeats AS repeats
FROM counted AS counted
JOIN repeated AS repeated
  ON repeated.machine_id = counted.machine_id
WHERE
  NOT counted.file IS NULL;
