-- Builds activity periods: consecutive messages of a project. A period ends if strictly more than the gap (_meta.session_gap_ms) lies before the next
-- message.
--
-- The groups are those of sessions, with subagents. Only messages of live conversations count that are no orphans and no copies of a primary in another
-- source, as for sessions. Only recorded times count: inherited ones would invent work.
DELETE FROM activity_periods AS p
USING (SELECT DISTINCT source_id, project_uri FROM _changed_groups) g
WHERE g.source_id = p.source_id AND g.project_uri IS NOT DISTINCT FROM p.project_uri;

SET VARIABLE session_gap_ms = (
    SELECT greatest(least(coalesce(max(TRY_CAST(value AS BIGINT)), 1800000), 4102444800000), 0) FROM _meta WHERE key = 'session_gap_ms');

INSERT INTO activity_periods BY NAME
WITH members AS MATERIALIZED (
    -- numbers instead of ids: they group every message
    SELECT c.source_id, c.conversation_id, c.project_uri, c.project, g.group_no, row_number() OVER () AS conversation_no
    FROM conversations c
    JOIN (SELECT *, row_number() OVER () AS group_no FROM (SELECT DISTINCT source_id, project_uri FROM _changed_groups)) g
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
    SELECT k.group_no, k.conversation_no, m.message_id, m.created_at, epoch_ms(m.created_at) AS sent_ms, m.role = 'user' AND NOT m.is_simulated AS is_user,
           greatest(getvariable('session_gap_ms'), 1) AS slot_ms
    FROM messages m
    JOIN members k ON k.source_id = m.source_id AND k.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL AND m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') AND isfinite(m.created_at)
), slots AS MATERIALIZED (
    -- Time is cut into slots as wide as the gap (rounded down before 1970, too): messages of one slot are in one period. So not every message is sorted below, but
    -- every slot in which there is any.
    SELECT s.group_no, s.conversation_no, s.sent_ms // s.slot_ms - CAST(s.sent_ms % s.slot_ms < 0 AS BIGINT) AS slot,
           min(s.created_at) AS first_at, max(s.created_at) AS last_at,
           count(*) AS messages, count(*) FILTER (WHERE s.is_user) AS users, sum(t.calls) AS calls
    FROM sent s
    LEFT JOIN calls t ON t.conversation_no = s.conversation_no AND t.message_id = s.message_id
    GROUP BY ALL
), cut AS (
    SELECT group_no, slot,
           coalesce(epoch_ms(min(first_at)) - lag(epoch_ms(max(last_at))) OVER (PARTITION BY group_no ORDER BY slot) > getvariable('session_gap_ms'), false) AS opens
    FROM slots
    GROUP BY group_no, slot
), numbered AS (
    SELECT group_no, slot, sum(CAST(opens AS BIGINT)) OVER (PARTITION BY group_no ORDER BY slot ROWS UNBOUNDED PRECEDING) AS period_no
    FROM cut
), periods AS (
    SELECT s.group_no, min(s.first_at) AS started_at, max(s.last_at) AS ended_at,
           count(DISTINCT s.conversation_no) AS conversation_count,
           TRY_CAST(sum(s.messages) AS BIGINT) AS message_count,
           TRY_CAST(sum(s.users) AS BIGINT) AS user_message_count,
           coalesce(TRY_CAST(sum(s.calls) AS BIGINT), 0) AS tool_call_count
    FROM slots s
    JOIN numbered n ON n.group_no = s.group_no AND n.slot = s.slot
    GROUP BY s.group_no, n.period_no
), group_names AS (
    SELECT group_no, source_id, project_uri, min(project) AS project
    FROM members
    GROUP BY ALL
)
SELECT left(sha256(n.source_id || chr(31) || coalesce(n.project_uri, '') || chr(31) || CAST(epoch_ms(p.started_at) AS VARCHAR)), 16) AS period_id,
       n.source_id, n.project_uri, n.project, p.started_at, p.ended_at,
       epoch_ms(p.ended_at) - epoch_ms(p.started_at) AS duration_ms,
       p.conversation_count, p.message_count, p.user_message_count, p.tool_call_count
FROM periods p
JOIN group_names n USING (group_no)
ORDER BY n.source_id, n.project_uri, p.started_at;
