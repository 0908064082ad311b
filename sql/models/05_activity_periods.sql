-- Builds activity periods: consecutive messages of a project. A period ends if strictly more than the gap (_meta.session_gap_ms) lies before the next
-- message.
--
-- The groups are those of sessions, with subagents. Only messages of live conversations count that are no orphans and no copies of a primary in another
-- source, as for sessions. Only real times count: inherited ones would invent work.
DELETE FROM activity_periods AS p
USING (SELECT DISTINCT source_id, project_uri FROM _changed_groups) g
WHERE g.source_id = p.source_id AND g.project_uri IS NOT DISTINCT FROM p.project_uri;

INSERT INTO activity_periods BY NAME
WITH gap AS (
    SELECT greatest(least(coalesce(max(TRY_CAST(value AS BIGINT)), 1800000), 4102444800000), 0) AS gap_ms FROM _meta WHERE key = 'session_gap_ms'
), members AS MATERIALIZED (
    -- numbers instead of ids: the window below sorts every message
    SELECT c.source_id, c.conversation_id, c.project_uri, c.project,
           dense_rank() OVER (ORDER BY c.source_id, c.project_uri NULLS FIRST) AS group_no,
           row_number() OVER (ORDER BY c.source_id, c.conversation_id) AS conversation_no
    FROM conversations c
    JOIN (SELECT DISTINCT source_id, project_uri FROM _changed_groups) g
        ON g.source_id = c.source_id AND g.project_uri IS NOT DISTINCT FROM c.project_uri
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) x ON x.source_id = c.source_id AND x.conversation_id = c.conversation_id
    WHERE c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'
), calls AS (
    SELECT k.conversation_no, t.message_id, count(*) AS calls
    FROM tool_calls t
    JOIN members k ON k.source_id = t.source_id AND k.conversation_id = t.conversation_id
    WHERE t.deleted_at IS NULL
    GROUP BY k.conversation_no, t.message_id
), sent AS (
    SELECT k.group_no, k.conversation_no, m.message_id, m.created_at, m.role = 'user' AND m.is_simulated IS NOT TRUE AS is_user
    FROM messages m
    JOIN members k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL AND m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AND isfinite(m.created_at)
), timed AS (
    SELECT s.group_no, s.conversation_no, s.created_at, s.is_user, coalesce(t.calls, 0) AS calls
    FROM sent s
    LEFT JOIN calls t ON t.conversation_no = s.conversation_no AND t.message_id = s.message_id
), cut AS (
    SELECT *, epoch_ms(created_at) - lag(epoch_ms(created_at)) OVER (PARTITION BY group_no ORDER BY created_at) > (SELECT gap_ms FROM gap) AS opens
    FROM timed
), numbered AS (
    -- RANGE: messages of the same instant are one step. A period is identified by the time that opened it, the first period of a group by NULL. Counting
    -- rows with a FILTER would be much slower: the engine goes over the whole frame for each row, so a store ten times as large would take a hundred times
    -- as long.
    SELECT *, max(created_at) FILTER (WHERE opens) OVER (PARTITION BY group_no ORDER BY created_at) AS opened_at
    FROM cut
), periods AS (
    SELECT group_no, min(created_at) AS started_at, max(created_at) AS ended_at,
           count(DISTINCT conversation_no) AS conversation_count,
           count(*) AS message_count,
           count(*) FILTER (WHERE is_user) AS user_message_count,
           TRY_CAST(sum(calls) AS BIGINT) AS tool_call_count
    FROM numbered
    GROUP BY group_no, opened_at
), group_names AS (
    SELECT group_no, min(source_id) AS source_id, min(project_uri) AS project_uri, min(project) AS project
    FROM members
    GROUP BY group_no
)
SELECT left(sha256(n.source_id || chr(31) || coalesce(n.project_uri, '') || chr(31) || CAST(epoch_ms(p.started_at) AS VARCHAR)), 16) AS period_id,
       n.source_id, n.project_uri, n.project, p.started_at, p.ended_at,
       epoch_ms(p.ended_at) - epoch_ms(p.started_at) AS duration_ms,
       p.conversation_count, p.message_count, p.user_message_count, p.tool_call_count
FROM periods p
JOIN group_names n USING (group_no)
ORDER BY n.source_id, n.project_uri, p.started_at;
