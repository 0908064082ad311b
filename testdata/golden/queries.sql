-- name: What did I work on last?
SELECT title, project, mode, message_count, last_activity_at
FROM list_conversations(max_rows := 10);

-- name: How many hours did I work with Cursor on each project?
SELECT coalesce(project, '(no project)') AS project,
       round(sum(duration_ms) / 3600000.0, 1) AS hours,
       count(*) AS periods,
       CAST(sum(message_count) AS BIGINT) AS messages
FROM activity_periods
GROUP BY project_uri, project
ORDER BY hours DESC, project;

-- name: How many sessions and conversations in each week? (weeks in UTC)
SELECT CAST(date_trunc('week', started_at AT TIME ZONE 'UTC') AS DATE) AS week,
       count(*) AS sessions,
       CAST(sum(conversation_count) AS BIGINT) AS conversations,
       CAST(sum(user_message_count) AS BIGINT) AS prompts
FROM sessions
GROUP BY week
ORDER BY week;

-- name: Which models answered, and of how many answers is the model known?
SELECT coalesce(model, '(not recorded)') AS model, count(*) AS answers,
       round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS percent
FROM live_messages
WHERE role = 'assistant'
GROUP BY model
ORDER BY answers DESC, model;

-- name: Which tools does the agent use, and how often do they fail?
SELECT tool_kind, tool, count(*) AS calls,
       count(*) FILTER (WHERE is_error) AS failed,
       count(is_error) AS outcome_known,
       round(100.0 * count(*) FILTER (WHERE is_error) / nullif(count(is_error), 0), 1) AS failed_percent
FROM live_tool_calls
GROUP BY tool_kind, tool
ORDER BY calls DESC, tool;

-- name: Which shell commands fail or are rejected most?
SELECT split_part(trim(command), ' ', 1) AS program, count(*) AS calls,
       count(*) FILTER (WHERE is_error) AS failed,
       count(*) FILTER (WHERE user_decision = 'rejected') AS rejected
FROM live_tool_calls
WHERE tool_kind = 'shell' AND command IS NOT NULL
GROUP BY program
ORDER BY failed + rejected DESC, calls DESC, program
LIMIT 10;

-- name: Which files does the agent read and edit most?
SELECT file_path,
       count(*) FILTER (WHERE tool IN ('read_file', 'Read', 'ReadFile')) AS reads,
       count(*) FILTER (WHERE tool_kind = 'edit') AS edits
FROM live_tool_calls
WHERE file_path IS NOT NULL
GROUP BY file_path
ORDER BY reads + edits DESC, file_path
LIMIT 10;

-- name: Which tools are slow?
SELECT tool, count(duration_ms) AS timed, count(*) AS calls,
       CAST(quantile_disc(duration_ms, 0.5) AS BIGINT) AS p50_ms,
       CAST(quantile_disc(duration_ms, 0.95) AS BIGINT) AS p95_ms
FROM live_tool_calls
GROUP BY tool
HAVING count(duration_ms) > 0
ORDER BY p95_ms DESC, tool;

-- name: Where did we speak of the cache?
SELECT created_at, project, title, found_in, left(text, 80) AS text
FROM search_messages('cache', max_rows := 10);

-- name: How much of all this is known?
SELECT measure, CAST(sum(known) AS BIGINT) AS known, CAST(sum(total) AS BIGINT) AS total,
       round(100.0 * sum(known) / nullif(sum(total), 0), 1) AS percent
FROM coverage
GROUP BY measure
ORDER BY measure;
