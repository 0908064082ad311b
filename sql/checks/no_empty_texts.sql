-- No column that may be NULL (not recorded) holds '' instead. Apart from quarantine: an empty key or conversation there says what the row has.
-- Conversation by conversation.
SELECT 'workspaces' AS table_name, source_id || '/' || workspace_id AS row_key,
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN uri = '' THEN 'uri' END, CASE WHEN kind = '' THEN 'kind' END,
           CASE WHEN project_uri = '' THEN 'project_uri' END, CASE WHEN project = '' THEN 'project' END,
           CASE WHEN project_path = '' THEN 'project_path' END) AS problem
FROM workspaces
WHERE '' IN (uri, kind, project_uri, project, project_path)
UNION ALL
SELECT 'conversations', source_id || '/' || conversation_id,
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN title = '' THEN 'title' END, CASE WHEN subtitle = '' THEN 'subtitle' END,
           CASE WHEN project_uri = '' THEN 'project_uri' END, CASE WHEN project = '' THEN 'project' END,
           CASE WHEN project_path = '' THEN 'project_path' END, CASE WHEN workspace_id = '' THEN 'workspace_id' END,
           CASE WHEN project_source = '' THEN 'project_source' END, CASE WHEN mode = '' THEN 'mode' END,
           CASE WHEN status = '' THEN 'status' END, CASE WHEN model = '' THEN 'model' END,
           CASE WHEN thinking_level = '' THEN 'thinking_level' END,
           CASE WHEN parent_conversation_id = '' THEN 'parent_conversation_id' END,
           CASE WHEN format_version = '' THEN 'format_version' END, CASE WHEN git_branch = '' THEN 'git_branch' END,
           CASE WHEN draft_text = '' THEN 'draft_text' END, CASE WHEN summary = '' THEN 'summary' END,
           CASE WHEN session_id = '' THEN 'session_id' END)
FROM conversations
WHERE '' IN (title, subtitle, project_uri, project, project_path, workspace_id, project_source, mode, status, model,
             thinking_level, parent_conversation_id, format_version, git_branch, draft_text, summary, session_id)
UNION ALL
SELECT 'messages', source_id || '/' || conversation_id || '/' || message_id,
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN text = '' THEN 'text' END, CASE WHEN thinking = '' THEN 'thinking' END,
           CASE WHEN model = '' THEN 'model' END, CASE WHEN mode = '' THEN 'mode' END,
           CASE WHEN request_id = '' THEN 'request_id' END, CASE WHEN usage_id = '' THEN 'usage_id' END,
           CASE WHEN context_session_id = '' THEN 'context_session_id' END,
           CASE WHEN created_at_source = '' THEN 'created_at_source' END,
           CASE WHEN error_code = '' THEN 'error_code' END, CASE WHEN error = '' THEN 'error' END,
           CASE WHEN summary = '' THEN 'summary' END, CASE WHEN checkpoint_id = '' THEN 'checkpoint_id' END)
FROM messages
WHERE '' IN (text, thinking, model, mode, request_id, usage_id, context_session_id, created_at_source, error_code,
             error, summary, checkpoint_id)
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR),
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN tool_call_id = '' THEN 'tool_call_id' END, CASE WHEN tool = '' THEN 'tool' END,
           CASE WHEN name = '' THEN 'name' END, CASE WHEN mcp_server = '' THEN 'mcp_server' END,
           CASE WHEN status = '' THEN 'status' END, CASE WHEN user_decision = '' THEN 'user_decision' END,
           CASE WHEN raw_args = '' THEN 'raw_args' END, CASE WHEN error = '' THEN 'error' END,
           CASE WHEN file_path = '' THEN 'file_path' END, CASE WHEN command = '' THEN 'command' END)
FROM tool_calls
WHERE '' IN (tool_call_id, tool, name, mcp_server, status, user_decision, raw_args, error, file_path, command)
UNION ALL
SELECT 'attachments', source_id || '/' || conversation_id || '/' || coalesce(message_id, '(none)') || '/' || CAST(ordinal AS VARCHAR),
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN message_id = '' THEN 'message_id' END, CASE WHEN path = '' THEN 'path' END,
           CASE WHEN uri = '' THEN 'uri' END)
FROM attachments
WHERE '' IN (message_id, path, uri)
UNION ALL
SELECT 'checkpoints', source_id || '/' || conversation_id || '/' || checkpoint_id,
       ''''' instead of NULL: message_id'
FROM checkpoints
WHERE message_id = ''
UNION ALL
SELECT 'code_edits', source_id || '/' || edit_id,
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN message_id = '' THEN 'message_id' END, CASE WHEN path = '' THEN 'path' END,
           CASE WHEN language = '' THEN 'language' END, CASE WHEN status = '' THEN 'status' END,
           CASE WHEN diff_id = '' THEN 'diff_id' END)
FROM code_edits
WHERE '' IN (message_id, path, language, status, diff_id)
UNION ALL
SELECT 'code_diffs', source_id || '/' || diff_id,
       ''''' instead of NULL: conversation_id'
FROM code_diffs
WHERE conversation_id = ''
UNION ALL
SELECT 'prompts', source_id || '/' || workspace_id || '/' || prompt_id,
       ''''' instead of NULL: text'
FROM prompts
WHERE text = ''
UNION ALL
SELECT 'sessions', session_id,
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN project_uri = '' THEN 'project_uri' END, CASE WHEN project = '' THEN 'project' END)
FROM sessions
WHERE '' IN (project_uri, project)
UNION ALL
SELECT 'activity_periods', period_id,
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN project_uri = '' THEN 'project_uri' END, CASE WHEN project = '' THEN 'project' END)
FROM activity_periods
WHERE '' IN (project_uri, project)
UNION ALL
SELECT 'load_stores', CAST(load_id AS VARCHAR) || '/' || source_id || '/' || store,
       ''''' instead of NULL: ' || concat_ws(', ',
           CASE WHEN journal_mode = '' THEN 'journal_mode' END,
           CASE WHEN snapshot_method = '' THEN 'snapshot_method' END)
FROM load_stores
WHERE '' IN (journal_mode, snapshot_method)
UNION ALL
SELECT '_subagent_claims', source_id || '/' || conversation_id || '/' || claimed_by || '/' || CAST("rank" AS VARCHAR),
       ''''' instead of NULL: parent_conversation_id'
FROM _subagent_claims
WHERE parent_conversation_id = '';
