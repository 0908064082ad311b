-- What was used, and whose was it? One row per event that Cursor counted and sums have (usage_events.is_counted), and per turn of which only an estimate is known
-- (turn_estimates), with its conversation.
-- input_tokens are all that were read: fresh ones, those written to the cache and those read from it; NULL where the fresh ones are not recorded.
-- An estimate has its figures in columns of their own, estimated_..., and none in the others. root_conversation_id is the conversation for which subagents worked: of any other its own.
-- A project has the name that it has now. Rows without a conversation are those of which none is known, or which names one that is in no store.
CREATE OR REPLACE VIEW all_usage AS
WITH RECURSIVE parents AS (
    SELECT conversation_id, any_value(parent_conversation_id) AS parent_conversation_id
    FROM conversations
    WHERE is_subagent AND parent_conversation_id IS NOT NULL
    GROUP BY conversation_id
), roots(conversation_id, root_conversation_id, depth) AS (
    SELECT conversation_id, parent_conversation_id, 1 FROM parents
    UNION ALL
    SELECT r.conversation_id, p.parent_conversation_id, r.depth + 1
    FROM roots r
    JOIN parents p ON p.conversation_id = r.root_conversation_id
    WHERE r.depth < 100
), top AS (
    SELECT conversation_id, arg_max(root_conversation_id, depth) AS root_conversation_id FROM roots GROUP BY conversation_id
), used AS (
    SELECT event_id, source_id, conversation_id, message_id, occurred_at, model, kind,
           TRY_CAST(CAST(fresh_input_tokens AS HUGEINT) + coalesce(cache_write_tokens, 0) + coalesce(cache_read_tokens, 0) AS BIGINT) AS input_tokens, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents,
           is_headless, max_mode, origin, join_method
    FROM usage_events
    WHERE is_counted
    UNION ALL BY NAME
    SELECT source_id, conversation_id, message_id, occurred_at, model, input_tokens AS estimated_input_tokens, output_tokens AS estimated_output_tokens, cost_cents AS estimated_cost_cents,
           method AS estimate_method
    FROM turn_estimates
)
SELECT u.*, c.project, c.project_uri, c.display_title AS title, c.session_id, coalesce(c.is_subagent, false) AS is_subagent, c.parent_conversation_id,
       CASE WHEN c.conversation_id IS NOT NULL THEN coalesce(t.root_conversation_id, u.conversation_id) END AS root_conversation_id
FROM used u
LEFT JOIN all_conversations c ON c.source_id = u.source_id AND c.conversation_id = u.conversation_id
LEFT JOIN top t ON t.conversation_id = u.conversation_id;
COMMENT ON VIEW all_usage IS 'Events that Cursor counted, and estimates of turns without one in columns of their own, with their conversation, project and session.';
