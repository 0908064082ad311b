-- FROM get_conversation('id'): the live conversation with that id: first the columns of list_conversations, then all others. An id that two sources have
-- (a backup, another machine) gives two rows.
CREATE OR REPLACE MACRO get_conversation(conv) AS TABLE
SELECT conversation_id AS id, title AS name, created_at, updated_at, mode, message_count, project,
       * EXCLUDE (conversation_id, title, created_at, updated_at, mode, message_count, project)
FROM live_conversations
WHERE conversation_id = conv
ORDER BY source_id;
