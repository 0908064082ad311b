-- Columns with a fixed set of values hold no other.
-- It reads each table by itself, and leaves out those without rows.
-- A load runs it for changed conversations only.
SELECT 'conversations' AS table_name, source_id || '/' || conversation_id AS row_key,
       'format ' || format || ', project_source ' || coalesce(project_source, 'NULL') || ', store_kind ' || coalesce(store_kind, 'NULL') || ', completeness ' || coalesce(completeness, 'NULL') AS problem
FROM conversations
WHERE format NOT IN ('rows', 'map', 'inline', 'chat_tab', 'graph', 'transcript')
   OR project_source NOT IN ('headers_table', 'composer', 'headers_item', 'pane', 'workspace_list', 'message', 'glass', 'repo', 'cli_meta', 'graph', 'slug', 'parent', 'kept')
   OR store_kind NOT IN ('composer', 'workspace', 'cli_store', 'acp_store', 'transcript', 'cloud') OR completeness NOT IN ('complete', 'in_progress', 'partial', 'lossy', 'unreadable')
UNION ALL
SELECT 'messages', source_id || '/' || conversation_id || '/' || message_id,
       'role ' || role || ', kind ' || kind || ', created_at_source ' || coalesce(created_at_source, 'NULL') || ', origin ' || coalesce(origin, 'NULL')
FROM messages
WHERE role NOT IN ('user', 'assistant', 'unknown')
   OR kind NOT IN ('text', 'thinking', 'tool_call', 'compaction', 'error', 'shell', 'empty')
   OR origin NOT IN ('bubble', 'graph', 'transcript')
   OR created_at_source NOT IN ('message', 'header', 'tool', 'timing', 'graph', 'tag', 'previous', 'conversation')
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR), 'tool_kind ' || tool_kind || ', outcome ' || coalesce(outcome, 'NULL') || ', mcp_server_source ' || coalesce(mcp_server_source, 'NULL') || ', result_origin ' || coalesce(result_origin, 'NULL')
FROM tool_calls
WHERE tool_kind NOT IN ('read', 'search', 'edit', 'shell', 'web', 'mcp', 'plan', 'task', 'other')
   OR outcome NOT IN ('rejected', 'cancelled', 'aborted', 'error', 'ok', 'pending')
   OR mcp_server_source NOT IN ('params', 'known', 'name')
   OR result_origin NOT IN ('bubble', 'graph', 'transcript')
UNION ALL
SELECT 'conversation_sources', source_id || '/' || conversation_id || '/' || path, 'store_kind ' || store_kind
FROM conversation_sources
WHERE store_kind NOT IN ('composer', 'workspace', 'cli_store', 'acp_store', 'transcript', 'cloud')
UNION ALL
SELECT 'attachments', source_id || '/' || conversation_id || '/' || coalesce(message_id, '(conversation)') || '/' || CAST(ordinal AS VARCHAR), 'kind ' || kind
FROM attachments
WHERE kind NOT IN ('file', 'current_file', 'folder', 'selection', 'code_chunk', 'doc', 'rule', 'commit', 'pull_request', 'image', 'link',
                   'terminal', 'git_diff', 'notepad', 'quote', 'lint', 'todo', 'other')
UNION ALL
SELECT 'workspaces', source_id || '/' || workspace_id, 'kind ' || kind
FROM workspaces
WHERE kind NOT IN ('local', 'wsl', 'ssh', 'dev_container', 'attached_container', 'tunnel', 'codespaces', 'virtual', 'multi_root', 'empty_window')
UNION ALL
SELECT 'prompts', source_id || '/' || workspace_id || '/' || prompt_id, 'kind ' || kind
FROM prompts
WHERE kind NOT IN ('prompt', 'generation')
UNION ALL
SELECT 'loads', CAST(load_id AS VARCHAR), 'status ' || status || ', mode ' || mode
FROM loads
WHERE status NOT IN ('ok', 'partial', 'check_failed') OR mode NOT IN ('first', 'incremental', 'since', 'full', 'rebuild')
UNION ALL
SELECT 'key_families', CAST(load_id AS VARCHAR) || '/' || source_id || '/' || store || '/' || family, 'handling ' || handling
FROM key_families
WHERE handling NOT IN ('loaded', 'linked', 'raw_only', 'refused', 'unknown')
UNION ALL
SELECT 'quarantine', source_id || '/' || store || '/' || coalesce("key", '(none)'), 'reason ' || reason
FROM quarantine
WHERE reason NOT IN ('page_corrupt', 'bad_key', 'too_large', 'empty', 'not_utf8', 'too_deep', 'bad_json', 'not_object', 'no_id', 'bad_root', 'bad_node', 'blob_missing', 'hash_mismatch', 'sealed', 'bad_line', 'bad_number', 'bad_date', 'total_differs', 'too_many', 'unknown_form')
UNION ALL
SELECT 'usage_events', event_id, 'origin ' || origin || ', join_method ' || join_method || ', kind ' || coalesce(kind, 'NULL')
FROM usage_events
WHERE origin NOT IN ('hook', 'api', 'csv', 'stream') OR join_method NOT IN ('id', 'time', 'none') OR kind NOT IN ('included', 'on_demand', 'errored', 'free', 'unknown')
UNION ALL
SELECT '_subagent_claims', source_id || '/' || conversation_id || '/' || claimed_by, 'rank ' || CAST("rank" AS VARCHAR)
FROM _subagent_claims
WHERE "rank" NOT IN (0, 1, 2, 3, 4, 5)
UNION ALL
SELECT 'commit_files', source_id || '/' || repository_id || '/' || commit_hash || '/' || CAST(ordinal AS VARCHAR), 'status ' || status
FROM commit_files
WHERE status NOT IN ('added', 'modified', 'deleted', 'renamed', 'copied', 'type', 'U', 'X', 'B');
