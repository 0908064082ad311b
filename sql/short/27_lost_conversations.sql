-- Which chats has Cursor lost, and what is left of them here?
-- One row per conversation that Cursor does not show any more though messages of it are known, the most messages first; how is explained at lost_conversations.
-- Coverage: day is NULL where no activity has a time.
CREATE OR REPLACE VIEW answers.lost_conversations_short AS
SELECT title, project, how, messages, CAST(coalesce(last_message_at, last_activity_at) AS DATE) AS day
FROM answers.lost_conversations
ORDER BY messages DESC, deleted_at DESC NULLS LAST, source_id, conversation_id;
COMMENT ON VIEW answers.lost_conversations_short IS 'Chats that Cursor does not show any more.';
COMMENT ON COLUMN answers.lost_conversations_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.lost_conversations_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.lost_conversations_short.how IS 'deleted, headless, orphaned or unlisted.';
COMMENT ON COLUMN answers.lost_conversations_short.messages IS 'Messages that are left here.';
COMMENT ON COLUMN answers.lost_conversations_short.day IS 'Day of its last message.';
