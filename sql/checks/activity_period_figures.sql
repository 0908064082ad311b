-- Per source and project, the activity periods count as many messages, and as many of the user's own, as there are live messages whose time was recorded
-- (created_at_source; inherited times do not count). Conversations that are copies of another source's primary do not count.
WITH sent AS (
    SELECT c.source_id, c.project_uri, count(*) AS messages, count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated) AS users
    FROM messages m
    JOIN conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
    ANTI JOIN (FROM conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
    WHERE m.deleted_at IS NULL AND m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')
      AND c.deleted_at IS NULL AND c.status IS DISTINCT FROM 'orphaned'
    GROUP BY c.source_id, c.project_uri
), periods AS (
    SELECT source_id, project_uri, TRY_CAST(sum(message_count) AS BIGINT) AS messages, TRY_CAST(sum(user_message_count) AS BIGINT) AS users
    FROM activity_periods
    GROUP BY source_id, project_uri
)
SELECT 'activity_periods' AS table_name,
       coalesce(s.source_id, p.source_id) || '/' || coalesce(s.project_uri, p.project_uri, '(no project)') AS row_key,
       'holds ' || coalesce(p.messages, 0) || ' messages, not ' || coalesce(s.messages, 0) AS problem
FROM sent s
FULL JOIN periods p ON p.source_id = s.source_id AND p.project_uri IS NOT DISTINCT FROM s.project_uri
WHERE s.messages IS DISTINCT FROM p.messages OR s.users IS DISTINCT FROM p.users;
