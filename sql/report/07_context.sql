-- How full was the context window of each conversation?
-- One row per live conversation that is not empty, subagents included; day is that of its last activity, in the reader's TimeZone. tokens_used are those in the
-- context at its last turn, token_limit is the size of the window, and share is tokens_used divided by token_limit; model is the one chosen for the
-- conversation. title is display_title; the report page shows it unless it is asked not to. started_at is as in report.conversations.
-- Coverage: tokens_used, token_limit and share are NULL where the store does not record them.
CREATE OR REPLACE VIEW report.context AS
SELECT CAST(last_activity_at AS DATE) AS day, project_uri, project, source_id, conversation_id, display_title AS title, model,
       context_tokens_used AS tokens_used, context_token_limit AS token_limit,
       CASE WHEN context_token_limit > 0 THEN round(context_tokens_used / context_token_limit, 4) END AS share,
       is_subagent, coalesce(created_at, first_message_at, updated_at) AS started_at
FROM main.live_conversations
WHERE message_count > 0 OR missing_message_count > 0;
COMMENT ON VIEW report.context IS 'Context of each live conversation at its last turn; NULL where it is not recorded.';
