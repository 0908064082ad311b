-- FROM list_conversations(max_rows := 50): live conversations, newest activity first. Empty ones (no message,
-- and none missing), such as drafts, are left out. title is display_title: the title, else the first words of the user. One that several
-- sources have is listed once; also_in lists the other sources that have it. id and name are the names that chat viewers ask for.
CREATE OR REPLACE MACRO list_conversations(max_rows := 50) AS TABLE
SELECT conversation_id, display_title AS title, project, mode, message_count, last_activity_at, created_at, updated_at, source_id,
       coalesce(k.also_in, []) AS also_in, conversation_id AS id, display_title AS name
FROM live_conversations c
LEFT JOIN (
    SELECT conversation_id AS copy_id, primary_source_id, list(source_id ORDER BY source_id) AS also_in
    FROM conversation_copies
    WHERE NOT is_primary
    GROUP BY ALL
) k ON k.primary_source_id = c.source_id AND k.copy_id = c.conversation_id
WHERE message_count > 0 OR missing_message_count > 0
ORDER BY last_activity_at DESC NULLS LAST, source_id, conversation_id
LIMIT max_rows;
COMMENT ON MACRO TABLE list_conversations IS 'Live conversations, newest activity first. max_rows: how many (50).';
