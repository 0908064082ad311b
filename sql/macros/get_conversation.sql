-- FROM get_conversation('id'): the live conversation with that id: all columns of live_conversations, then also_in, the other sources that have it (a backup, another
-- machine), whose rows are in table conversations; then id and name, the names that chat viewers ask for.
CREATE OR REPLACE MACRO get_conversation(conv) AS TABLE
SELECT c.*,
       coalesce((SELECT list(k.source_id ORDER BY k.source_id) FROM conversation_copies k
                 WHERE k.conversation_id = c.conversation_id AND k.primary_source_id = c.source_id AND NOT k.is_primary), []) AS also_in,
       conversation_id AS id, display_title AS name
FROM live_conversations c
WHERE conversation_id = conv
ORDER BY source_id;
COMMENT ON MACRO TABLE get_conversation IS 'The live conversation with an id, with all columns of live_conversations. conv: the conversation''s id.';
