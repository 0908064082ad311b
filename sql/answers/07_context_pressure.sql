-- Which conversations filled their context window, and what happened next?
-- One row per live conversation whose context reached 80 % of its window (near) or 95 % (full), fullest first.
-- tokens_used is the most that any message of it, or the conversation itself for its last turn, records; the limit is the conversation's.
-- fullest_in says where: 'message' (the first with that many, at fullest_position), or 'last turn', after which there is nothing more.
-- fullest_at is that message's time, or the last message's, where the store recorded a real one.
-- later_messages follow the fullest one; later_tokens_min is the least context that one of these records: a fall says that Cursor made room.
-- later_summaries are messages from the fullest one on that store a summary, or say that Cursor summarized the conversation (kind compaction); has_summary says whether the conversation holds
-- any, from whenever. next_conversation_id is the first conversation of the same project and source (no subagent, none empty) that started after
-- fullest_at and within 30 minutes of it, next_after_ms how long after. what_next is the first that holds of: 'summarised' (later_summaries),
-- 'went on' (later_messages), 'new conversation', 'ended'; and 'unknown' where nothing followed and no time or project says whether a new one did.
-- Coverage: of all live conversations that are not empty (live_total), with_context record tokens and the size of the window; of the row's messages,
-- with_message_context record their own.
CREATE OR REPLACE VIEW answers.context_pressure AS
WITH known AS (
    SELECT count(*) AS live_total, count(*) FILTER (WHERE context_token_limit > 0 AND context_tokens_used IS NOT NULL) AS with_context
    FROM main.live_conversations
    WHERE message_count > 0 OR missing_message_count > 0
), recorded AS (
    SELECT source_id, conversation_id, position, context_tokens_used,
           CASE WHEN created_at_source IN ('message', 'header', 'tool', 'timing', 'graph', 'tag') THEN created_at END AS sent_at
    FROM main.messages
    WHERE context_tokens_used IS NOT NULL AND deleted_at IS NULL
), fullest AS (
    SELECT source_id, conversation_id, count(*) AS with_message_context,
           max(context_tokens_used) AS tokens,
           min_by(struct_pack(position, sent_at), (-CAST(context_tokens_used AS HUGEINT), position)) AS message
    FROM recorded
    GROUP BY source_id, conversation_id
), pressed AS (
    SELECT c.source_id, c.conversation_id, c.display_title AS title, c.project, c.project_uri, c.model, c.message_count, c.summary IS NOT NULL AS has_own_summary,
           c.context_token_limit AS token_limit,
           greatest(c.context_tokens_used, f.tokens) AS tokens_used, -- greatest passes over NULL
           coalesce(f.tokens >= greatest(c.context_tokens_used, f.tokens), false) AS in_message,
           CASE WHEN in_message THEN f.message.position END AS fullest_position,
           CASE WHEN in_message THEN f.message.sent_at ELSE c.last_message_at END AS fullest_at,
           coalesce(f.with_message_context, 0) AS with_message_context
    FROM main.live_conversations c
    LEFT JOIN fullest f ON f.source_id = c.source_id AND f.conversation_id = c.conversation_id
    WHERE (c.message_count > 0 OR c.missing_message_count > 0) AND c.context_token_limit > 0 AND CAST(greatest(c.context_tokens_used, f.tokens) AS HUGEINT) * 100 >= CAST(c.context_token_limit AS HUGEINT) * 80
), followed AS (
    SELECT p.source_id, p.conversation_id,
           count(*) FILTER (WHERE m.position > p.fullest_position) AS later_messages,
           count(*) FILTER (WHERE m.position >= p.fullest_position AND (m.summary IS NOT NULL OR m.kind = 'compaction')) AS later_summaries,
           min(m.context_tokens_used) FILTER (WHERE m.position > p.fullest_position) AS later_tokens_min,
           bool_or(m.summary IS NOT NULL OR m.kind = 'compaction') AS has_summary
    FROM main.messages m
    JOIN pressed p ON p.source_id = m.source_id AND p.conversation_id = m.conversation_id
    WHERE m.deleted_at IS NULL
    GROUP BY p.source_id, p.conversation_id
), starts AS (
    SELECT source_id, project_uri, conversation_id, display_title AS title, epoch_ms(coalesce(created_at, first_message_at, updated_at)) AS start_ms
    FROM main.live_conversations
    WHERE NOT is_subagent AND (message_count > 0 OR missing_message_count > 0)
), begun AS (
    SELECT p.source_id, p.conversation_id,
           min_by(struct_pack(id := n.conversation_id, title := n.title, after_ms := n.start_ms - epoch_ms(p.fullest_at)), (n.start_ms, n.conversation_id)) AS next
    FROM pressed p
    JOIN starts n ON n.source_id = p.source_id AND n.project_uri = p.project_uri AND n.conversation_id <> p.conversation_id
        AND n.start_ms > epoch_ms(p.fullest_at) AND n.start_ms <= epoch_ms(p.fullest_at) + 1800000
    GROUP BY p.source_id, p.conversation_id
)
SELECT p.source_id, p.conversation_id, p.title, p.project, p.project_uri, p.model,
       CASE WHEN CAST(p.tokens_used AS HUGEINT) * 100 >= CAST(p.token_limit AS HUGEINT) * 95 THEN 'full' ELSE 'near' END AS level,
       p.tokens_used, p.token_limit, round(p.tokens_used / p.token_limit, 4) AS share,
       CASE WHEN p.in_message THEN 'message' ELSE 'last turn' END AS fullest_in,
       p.fullest_position, p.fullest_at,
       coalesce(f.later_messages, 0) AS later_messages, f.later_tokens_min,
       coalesce(f.later_summaries, 0) AS later_summaries,
       p.has_own_summary OR coalesce(f.has_summary, false) AS has_summary,
       b.next.id AS next_conversation_id, b.next.title AS next_title, b.next.after_ms AS next_after_ms,
       CASE WHEN f.later_summaries > 0 THEN 'summarised'
            WHEN f.later_messages > 0 THEN 'went on'
            WHEN b.next IS NOT NULL THEN 'new conversation'
            WHEN p.fullest_at IS NULL OR p.project_uri IS NULL THEN 'unknown'
            ELSE 'ended' END AS what_next,
       p.with_message_context, p.message_count AS messages, k.with_context, k.live_total
FROM pressed p
CROSS JOIN known k
LEFT JOIN followed f ON f.source_id = p.source_id AND f.conversation_id = p.conversation_id
LEFT JOIN begun b ON b.source_id = p.source_id AND b.conversation_id = p.conversation_id
ORDER BY share DESC, p.tokens_used DESC, p.source_id, p.conversation_id;
COMMENT ON VIEW answers.context_pressure IS 'Conversations whose context reached 80 % of its window and what followed; of all live conversations (live_total), with_context record it.';
