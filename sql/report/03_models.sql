-- Which models answered, day by day?
-- One row per day (by the best known time, in the reader's TimeZone), project and model. answers are the live messages of the assistant, thoughts and tool
-- calls and those of subagents among them. model is the one that the message names, never the one chosen for its conversation.
-- Coverage: the rows with model NULL have the answers that name none.
CREATE OR REPLACE VIEW report.models AS
SELECT CAST(m.created_at AS DATE) AS day, c.project_uri, c.project, m.model, count(*) AS answers
FROM main.messages m
JOIN main.live_conversations c ON c.source_id = m.source_id AND c.conversation_id = m.conversation_id
WHERE m.deleted_at IS NULL AND m.role = 'assistant'
GROUP BY ALL;
COMMENT ON VIEW report.models IS 'Answers per day, project and model that the message names; model NULL: it names none.';
