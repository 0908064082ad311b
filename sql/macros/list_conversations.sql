-- FROM list_conversations(max_rows := 50): live conversations, newest activity first. Empty ones, such as drafts, are left out.
CREATE OR REPLACE MACRO list_conversations(max_rows := 50) AS TABLE
SELECT conversation_id AS id, title AS name, created_at, updated_at, mode, message_count, project
FROM live_conversations
WHERE message_count > 0 OR missing_message_count > 0
ORDER BY last_activity_at DESC NULLS LAST, source_id, conversation_id
LIMIT max_rows;
