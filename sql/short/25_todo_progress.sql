-- How many todo items of plans were finished, and in which conversations?
-- One row per conversation with todo items, most items first. percent is completed of the items with a state that were not cancelled.
-- Coverage: known counts the items that have a state. Todos of messages that a fork repeats are left out: repeats in the detail counts them.
CREATE OR REPLACE VIEW answers.todo_progress_short AS
SELECT title, project, items, completed, TRY_CAST(completed / nullif(state_known - cancelled, 0) * 100 AS DECIMAL(18, 1)) AS percent, state_known AS known
FROM answers.todo_progress
ORDER BY items DESC, open DESC, last_activity_at DESC NULLS LAST, source_id, conversation_id;
COMMENT ON VIEW answers.todo_progress_short IS 'Todo items per conversation.';
COMMENT ON COLUMN answers.todo_progress_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.todo_progress_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.todo_progress_short.items IS 'Todo items.';
COMMENT ON COLUMN answers.todo_progress_short.completed IS 'Items that were completed.';
COMMENT ON COLUMN answers.todo_progress_short.percent IS 'Completed of the items that were not cancelled, in percent.';
COMMENT ON COLUMN answers.todo_progress_short.known IS 'Items whose state is recorded.';
