-- How much work was thrown away by editing a prompt and sending it again?
-- One row per conversation with discarded messages, or with messages that it shares with the one that it was forked from; most discarded messages first.
-- Coverage: percent is of all its messages. What a conversation without a list of messages discarded is not known.
CREATE OR REPLACE VIEW answers.discarded_branches_short AS
SELECT title, project, discarded_messages AS discarded, TRY_CAST(discarded_messages / nullif(message_count, 0) * 100 AS DECIMAL(18, 1)) AS percent, discarded_lines_added AS lines, repeats
FROM answers.discarded_branches
ORDER BY discarded_messages DESC, shared_requests DESC, source_id, conversation_id;
COMMENT ON VIEW answers.discarded_branches_short IS 'Messages left behind when a prompt was edited and sent again.';
COMMENT ON COLUMN answers.discarded_branches_short.title IS 'Title of the conversation.';
COMMENT ON COLUMN answers.discarded_branches_short.project IS 'Name of the project.';
COMMENT ON COLUMN answers.discarded_branches_short.discarded IS 'Messages that were discarded.';
COMMENT ON COLUMN answers.discarded_branches_short.percent IS 'Their part of the conversation''s messages, in percent.';
COMMENT ON COLUMN answers.discarded_branches_short.lines IS 'Lines that the discarded edits added.';
COMMENT ON COLUMN answers.discarded_branches_short.repeats IS 'Messages that it has from the conversation that it was forked from.';
