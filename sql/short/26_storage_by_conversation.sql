-- Which conversations take the most space in Cursor's store?
-- One row per conversation that the raw layer has rows of, the largest first. megabytes (of 1000 kB) are the values of its rows as the store has them now, kept_megabytes all versions that are kept.
-- Coverage: conversations that are part of a larger row have no row here.
CREATE OR REPLACE VIEW answers.storage_by_conversation_short AS
SELECT title, project, rows, TRY_CAST(present_bytes / 1e6 AS DECIMAL(18, 1)) AS megabytes, TRY_CAST(kept_bytes / 1e6 AS DECIMAL(18, 1)) AS kept_megabytes
FROM answers.storage_by_conversation
ORDER BY present_bytes DESC, kept_bytes DESC, source_id, conversation_id;
COMMENT ON VIEW answers.storage_by_conversation_short IS 'Space of each conversation in Cursor''s store.';
COMMENT ON COLUMN answers.storage_by_conversation_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.storage_by_conversation_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.storage_by_conversation_short.rows IS 'Its rows in the store.';
COMMENT ON COLUMN answers.storage_by_conversation_short.megabytes IS 'Size of their values now.';
COMMENT ON COLUMN answers.storage_by_conversation_short.kept_megabytes IS 'Size of all versions that the raw layer keeps.';
