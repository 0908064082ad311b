-- How much work was thrown away by editing a prompt and sending it again, and which chats are forks?
-- One row per live conversation that has discarded messages or shares a request with another one; most discarded messages first.
-- Discarded: live messages that the conversation's header list does not name (is_listed false). Cursor drops what follows an edited prompt from
-- that list and keeps the rows; which message replaced which it does not record. A conversation whose list is empty or lost (header_count 0)
-- has no discarded messages here: lost_conversations has it. A message that was written while the store was read may count until the next load.
-- discarded_share is of all its live messages. Lines are those of edit calls that record them (lines_known of discarded_edits).
-- Fork: Cursor copies the messages to a new conversation with new ids, but their requests keep their request_id. shared_requests are
-- requests that another live conversation of the source has too; fork_of is conversations.forked_from: the conversation that it came from. repeats are its
-- messages that it has from there (messages.is_repeat): a sum over conversations leaves them out. Best-of-N copies may share a request, too, and are no forks.
-- Coverage: of the prompts, requests_known have a request_id; of the discarded_edits, lines_known record their lines.
CREATE OR REPLACE VIEW answers.discarded_branches AS
WITH requests AS (
    SELECT DISTINCT source_id, request_id, conversation_id
    FROM main.live_messages
    WHERE request_id IS NOT NULL AND role = 'user' AND NOT is_simulated
), shared AS (
    SELECT source_id, request_id, list(conversation_id) AS holders
    FROM requests
    GROUP BY source_id, request_id
    HAVING count(*) > 1
), forks AS (
    SELECT source_id, conversation_id, count(DISTINCT request_id) AS shared_requests, count(DISTINCT other_id) AS other_conversations
    FROM (SELECT r.source_id, r.conversation_id, s.request_id, unnest(s.holders) AS other_id
          FROM requests r
          JOIN shared s ON s.source_id = r.source_id AND s.request_id = r.request_id)
    WHERE other_id <> conversation_id
    GROUP BY source_id, conversation_id
), prompts AS (
    SELECT source_id, conversation_id, count(*) AS prompts, count(request_id) AS requests_known
    FROM main.live_messages
    WHERE role = 'user' AND NOT is_simulated
    GROUP BY source_id, conversation_id
), repeated AS (
    SELECT source_id, conversation_id, count(*) AS repeats
    FROM main.live_messages
    WHERE is_repeat
    GROUP BY source_id, conversation_id
), unlisted AS (
    SELECT m.source_id, m.conversation_id, m.message_id, m.role = 'user' AND NOT m.is_simulated AS is_prompt
    FROM main.live_messages m
    JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id AND c.header_count > 0
    WHERE NOT m.is_listed
), discarded AS (
    SELECT source_id, conversation_id, count(*) AS messages, count(*) FILTER (WHERE is_prompt) AS prompts
    FROM unlisted
    GROUP BY source_id, conversation_id
), calls AS (
    SELECT t.source_id, t.conversation_id, count(*) AS calls,
           count(*) FILTER (WHERE t.tool_kind = 'edit') AS edits,
           count(*) FILTER (WHERE t.tool_kind = 'edit' AND (t.lines_added IS NOT NULL OR t.lines_removed IS NOT NULL)) AS lines_known,
           TRY_CAST(sum(t.lines_added) FILTER (WHERE t.tool_kind = 'edit') AS BIGINT) AS lines_added,
           TRY_CAST(sum(t.lines_removed) FILTER (WHERE t.tool_kind = 'edit') AS BIGINT) AS lines_removed
    FROM main.live_tool_calls t
    SEMI JOIN unlisted u ON u.source_id = t.source_id AND u.conversation_id = t.conversation_id AND u.message_id = t.message_id
    GROUP BY t.source_id, t.conversation_id
)
SELECT c.source_id, c.conversation_id, c.display_title AS title, c.project, c.message_count,
       coalesce(d.messages, 0) AS discarded_messages,
       round(coalesce(d.messages, 0) / nullif(c.message_count, 0), 4) AS discarded_share,
       coalesce(d.prompts, 0) AS discarded_prompts,
       coalesce(t.calls, 0) AS discarded_tool_calls,
       coalesce(t.edits, 0) AS discarded_edits,
       coalesce(t.lines_known, 0) AS lines_known,
       t.lines_added AS discarded_lines_added,
       t.lines_removed AS discarded_lines_removed,
       coalesce(f.shared_requests, 0) AS shared_requests,
       coalesce(f.other_conversations, 0) AS other_conversations,
       c.forked_from AS fork_of,
       coalesce(r.repeats, 0) AS repeats,
       coalesce(p.prompts, 0) AS prompts,
       coalesce(p.requests_known, 0) AS requests_known
FROM main.live_conversations c
LEFT JOIN discarded d ON d.source_id = c.source_id AND d.conversation_id = c.conversation_id
LEFT JOIN calls t ON t.source_id = c.source_id AND t.conversation_id = c.conversation_id
LEFT JOIN forks f ON f.source_id = c.source_id AND f.conversation_id = c.conversation_id
LEFT JOIN repeated r ON r.source_id = c.source_id AND r.conversation_id = c.conversation_id
LEFT JOIN prompts p ON p.source_id = c.source_id AND p.conversation_id = c.conversation_id
WHERE d.messages > 0 OR f.shared_requests > 0 OR c.forked_from IS NOT NULL
ORDER BY discarded_messages DESC, shared_requests DESC, c.source_id, c.conversation_id;
COMMENT ON VIEW answers.discarded_branches IS 'Messages left behind when a prompt was edited and sent again, and forks; of the prompts, requests_known have a request_id.';
