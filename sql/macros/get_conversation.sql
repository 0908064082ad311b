-- FROM get_conversation('id'): the live conversation with that id: first the columns of list_conversations, then all others; name is display_title. Of a conversation that several
-- sources have (a backup, another machine) it is the primary; the others are in table conversations.
CREATE OR REPLACE MACRO get_conversation(conv) AS TABLE
SELECT conversation_id AS id, display_title AS name, created_at, updated_at, mode, message_count, project, source_id,
       coalesce((SELECT list(k.source_id ORDER BY k.source_id) FROM conversation_copies k
                 WHERE k.conversation_id = c.conversation_id AND k.primary_source_id = c.source_id AND NOT k.is_primary), []) AS also_in,
       * EXCLUDE (conversation_id, created_at, updated_at, mode, message_count, project, source_id)
FROM live_conversations c
WHERE conversation_id = conv
ORDER BY source_id;
