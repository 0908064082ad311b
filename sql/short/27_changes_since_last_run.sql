-- What changed in the latest run that changed anything?
-- One row per conversation that this run found new, changed or gone; the gone ones first, then the latest activity.
-- Coverage: new_messages is NULL where the run cannot tell.
CREATE OR REPLACE VIEW answers.changes_since_last_run_short AS
SELECT what, title, project, message_count AS messages, new_messages
FROM answers.changes_since_last_run
ORDER BY what = 'deleted' DESC, last_activity_at DESC NULLS LAST, source_id, conversation_id;
COMMENT ON VIEW answers.changes_since_last_run_short IS 'What the latest run that changed anything found.';
COMMENT ON COLUMN answers.changes_since_last_run_short.what IS 'new, changed or deleted.';
COMMENT ON COLUMN answers.changes_since_last_run_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.changes_since_last_run_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.changes_since_last_run_short.messages IS 'Messages that it has.';
COMMENT ON COLUMN answers.changes_since_last_run_short.new_messages IS 'Messages that the run saw first.';
