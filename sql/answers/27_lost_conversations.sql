-- Which chats has Cursor lost, and what is left of them here?
-- One row per conversation that Cursor does not show any more though messages of it are known, the most messages first. how:
-- deleted: the store has nothing of it any more, the warehouse keeps what it had loaded; headless: its own row is gone from the store, messages of it are still there;
-- orphaned: the same, but the warehouse never saw its row, so it has only what lists say of it; unlisted: its row is there, its list of messages is empty or lost, and the messages are
-- there. A user who deletes a chat and a Cursor that loses one look alike. Empty drafts and conversations without any message are left out.
-- A conversation that another source still has is not lost.
-- messages are all that the warehouse has, in_store those that were still in the store at the last run, and get_conversation or the tables give them.
-- Coverage: of the messages, texts have a text, and times_known a recorded time.
CREATE OR REPLACE VIEW answers.lost_conversations AS
WITH lost AS (
    SELECT source_id, conversation_id, display_title AS title, project_uri, project, status, deleted_at, first_seen_at, last_activity_at,
           CASE WHEN deleted_at IS NOT NULL AND status IS DISTINCT FROM 'orphaned' THEN 'deleted'
                WHEN deleted_at IS NOT NULL THEN 'headless'
                WHEN status = 'orphaned' THEN 'orphaned'
                ELSE 'unlisted' END AS how
    FROM main.all_conversations c
    ANTI JOIN (FROM main.conversation_copies WHERE NOT is_primary) k ON k.source_id = c.source_id AND k.conversation_id = c.conversation_id
    WHERE deleted_at IS NOT NULL OR status = 'orphaned' OR (header_count = 0 AND message_count > 0 AND format IN ('rows', 'map'))
), left_over AS (
    SELECT m.source_id, m.conversation_id, count(*) AS messages, count(*) FILTER (WHERE m.deleted_at IS NULL) AS in_store,
           count(*) FILTER (WHERE m.role = 'user' AND NOT m.is_simulated) AS prompts, count(m.text) AS texts,
           count(*) FILTER (WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS times_known,
           max(m.created_at) FILTER (WHERE m.created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag')) AS last_message_at
    FROM main.messages m
    SEMI JOIN lost l ON l.source_id = m.source_id AND l.conversation_id = m.conversation_id
    GROUP BY m.source_id, m.conversation_id
), calls AS (
    SELECT t.source_id, t.conversation_id, count(*) AS calls
    FROM main.tool_calls t
    SEMI JOIN lost l ON l.source_id = t.source_id AND l.conversation_id = t.conversation_id
    GROUP BY t.source_id, t.conversation_id
)
SELECT l.how, l.source_id, l.conversation_id, l.title, l.project_uri, l.project,
       x.messages, x.in_store, x.prompts, coalesce(t.calls, 0) AS tool_calls, x.texts, x.times_known,
       x.last_message_at, l.last_activity_at, l.first_seen_at, l.deleted_at
FROM lost l
JOIN left_over x ON x.source_id = l.source_id AND x.conversation_id = l.conversation_id
LEFT JOIN calls t ON t.source_id = l.source_id AND t.conversation_id = l.conversation_id
ORDER BY x.messages DESC, l.deleted_at DESC NULLS LAST, l.source_id, l.conversation_id;
COMMENT ON VIEW answers.lost_conversations IS 'Chats that Cursor does not show any more, and what is left of them; of the messages, texts have a text.';
