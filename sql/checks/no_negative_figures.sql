-- No count, place, size, duration or token figure is negative.
-- Conversation by conversation.
SELECT 'conversations' AS table_name, source_id || '/' || conversation_id AS row_key,
       'negative: ' || concat_ws(', ',
           CASE WHEN message_count < 0 THEN 'message_count' END,
           CASE WHEN user_message_count < 0 THEN 'user_message_count' END,
           CASE WHEN assistant_message_count < 0 THEN 'assistant_message_count' END,
           CASE WHEN tool_call_count < 0 THEN 'tool_call_count' END,
           CASE WHEN header_count < 0 THEN 'header_count' END,
           CASE WHEN missing_message_count < 0 THEN 'missing_message_count' END,
           CASE WHEN unlisted_message_count < 0 THEN 'unlisted_message_count' END,
           CASE WHEN input_tokens < 0 THEN 'input_tokens' END, CASE WHEN output_tokens < 0 THEN 'output_tokens' END,
           CASE WHEN context_tokens_used < 0 THEN 'context_tokens_used' END,
           CASE WHEN context_token_limit < 0 THEN 'context_token_limit' END,
           CASE WHEN lines_added < 0 THEN 'lines_added' END, CASE WHEN lines_removed < 0 THEN 'lines_removed' END,
           CASE WHEN files_changed < 0 THEN 'files_changed' END) AS problem
FROM conversations
WHERE least(message_count, user_message_count, assistant_message_count, tool_call_count, header_count,
            missing_message_count, unlisted_message_count, input_tokens, output_tokens, context_tokens_used,
            context_token_limit, lines_added, lines_removed, files_changed) < 0
UNION ALL
SELECT 'messages', source_id || '/' || conversation_id || '/' || message_id,
       'negative: ' || concat_ws(', ',
           CASE WHEN position < 0 THEN 'position' END, CASE WHEN turn < 0 THEN 'turn' END,
           CASE WHEN thinking_duration_ms < 0 THEN 'thinking_duration_ms' END,
           CASE WHEN turn_duration_ms < 0 THEN 'turn_duration_ms' END,
           CASE WHEN input_tokens < 0 THEN 'input_tokens' END, CASE WHEN output_tokens < 0 THEN 'output_tokens' END,
           CASE WHEN context_tokens_used < 0 THEN 'context_tokens_used' END)
FROM messages
WHERE least(position, turn, thinking_duration_ms, turn_duration_ms, input_tokens, output_tokens, context_tokens_used) < 0
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR),
       'negative: ' || concat_ws(', ',
           CASE WHEN call_index < 0 THEN 'call_index' END, CASE WHEN position < 0 THEN 'position' END,
           CASE WHEN duration_ms < 0 THEN 'duration_ms' END, CASE WHEN lines_added < 0 THEN 'lines_added' END,
           CASE WHEN lines_removed < 0 THEN 'lines_removed' END, CASE WHEN result_bytes < 0 THEN 'result_bytes' END)
FROM tool_calls
WHERE least(call_index, position, duration_ms, lines_added, lines_removed, result_bytes) < 0
UNION ALL
SELECT 'attachments', source_id || '/' || conversation_id || '/' || coalesce(message_id, '(none)') || '/' || CAST(ordinal AS VARCHAR),
       'negative: ordinal'
FROM attachments
WHERE ordinal < 0
UNION ALL
SELECT 'checkpoints', source_id || '/' || conversation_id || '/' || checkpoint_id,
       'negative: file_count'
FROM checkpoints
WHERE file_count < 0
UNION ALL
SELECT 'code_edits', source_id || '/' || edit_id,
       'negative: ' || concat_ws(', ',
           CASE WHEN lines_added < 0 THEN 'lines_added' END, CASE WHEN lines_removed < 0 THEN 'lines_removed' END)
FROM code_edits
WHERE least(lines_added, lines_removed) < 0
UNION ALL
SELECT 'code_diffs', source_id || '/' || diff_id,
       'negative: ' || concat_ws(', ',
           CASE WHEN hunks < 0 THEN 'hunks' END, CASE WHEN lines_added < 0 THEN 'lines_added' END,
           CASE WHEN lines_removed < 0 THEN 'lines_removed' END)
FROM code_diffs
WHERE least(hunks, lines_added, lines_removed) < 0
UNION ALL
SELECT 'model_usage', source_id || '/' || conversation_id || '/' || model,
       'negative: requests'
FROM model_usage
WHERE requests < 0
UNION ALL
SELECT 'context_parts', source_id || '/' || conversation_id || '/' || part,
       'negative: tokens'
FROM context_parts
WHERE tokens < 0
UNION ALL
SELECT 'daily_edit_stats', source_id || '/' || CAST("date" AS VARCHAR),
       'negative: ' || concat_ws(', ',
           CASE WHEN tab_suggested_lines < 0 THEN 'tab_suggested_lines' END,
           CASE WHEN tab_accepted_lines < 0 THEN 'tab_accepted_lines' END,
           CASE WHEN composer_suggested_lines < 0 THEN 'composer_suggested_lines' END,
           CASE WHEN composer_accepted_lines < 0 THEN 'composer_accepted_lines' END)
FROM daily_edit_stats
WHERE least(tab_suggested_lines, tab_accepted_lines, composer_suggested_lines, composer_accepted_lines) < 0
UNION ALL
SELECT 'sessions', session_id,
       'negative: ' || concat_ws(', ',
           CASE WHEN duration_ms < 0 THEN 'duration_ms' END,
           CASE WHEN conversation_count < 0 THEN 'conversation_count' END,
           CASE WHEN message_count < 0 THEN 'message_count' END,
           CASE WHEN user_message_count < 0 THEN 'user_message_count' END,
           CASE WHEN tool_call_count < 0 THEN 'tool_call_count' END)
FROM sessions
WHERE least(duration_ms, conversation_count, message_count, user_message_count, tool_call_count) < 0
UNION ALL
SELECT 'activity_periods', period_id,
       'negative: ' || concat_ws(', ',
           CASE WHEN duration_ms < 0 THEN 'duration_ms' END,
           CASE WHEN conversation_count < 0 THEN 'conversation_count' END,
           CASE WHEN message_count < 0 THEN 'message_count' END,
           CASE WHEN user_message_count < 0 THEN 'user_message_count' END,
           CASE WHEN tool_call_count < 0 THEN 'tool_call_count' END)
FROM activity_periods
WHERE least(duration_ms, conversation_count, message_count, user_message_count, tool_call_count) < 0
UNION ALL
SELECT 'loads', CAST(load_id AS VARCHAR),
       'negative: ' || concat_ws(', ',
           CASE WHEN load_id < 0 THEN 'load_id' END, CASE WHEN schema_version < 0 THEN 'schema_version' END,
           CASE WHEN conversations_new < 0 THEN 'conversations_new' END,
           CASE WHEN conversations_changed < 0 THEN 'conversations_changed' END,
           CASE WHEN conversations_deleted < 0 THEN 'conversations_deleted' END,
           CASE WHEN conversations_unchanged < 0 THEN 'conversations_unchanged' END,
           CASE WHEN messages_loaded < 0 THEN 'messages_loaded' END, CASE WHEN quarantined < 0 THEN 'quarantined' END)
FROM loads
WHERE least(load_id, schema_version, conversations_new, conversations_changed, conversations_deleted,
            conversations_unchanged, messages_loaded, quarantined) < 0
UNION ALL
SELECT 'load_stores', CAST(load_id AS VARCHAR) || '/' || source_id || '/' || store,
       'negative: ' || concat_ws(', ',
           CASE WHEN load_id < 0 THEN 'load_id' END, CASE WHEN bytes < 0 THEN 'bytes' END,
           CASE WHEN rows_seen < 0 THEN 'rows_seen' END, CASE WHEN rows_read < 0 THEN 'rows_read' END,
           CASE WHEN rows_changed < 0 THEN 'rows_changed' END)
FROM load_stores
WHERE least(load_id, bytes, rows_seen, rows_read, rows_changed) < 0
UNION ALL
SELECT 'key_families', CAST(load_id AS VARCHAR) || '/' || source_id || '/' || store || '/' || family,
       'negative: ' || concat_ws(', ',
           CASE WHEN load_id < 0 THEN 'load_id' END, CASE WHEN "rows" < 0 THEN 'rows' END,
           CASE WHEN null_rows < 0 THEN 'null_rows' END, CASE WHEN bytes_read < 0 THEN 'bytes_read' END)
FROM key_families
WHERE least(load_id, "rows", null_rows, bytes_read) < 0
UNION ALL
SELECT 'unknown_fields', source_id || '/' || family || '/' || path,
       'negative: ' || concat_ws(', ',
           CASE WHEN "rows" < 0 THEN 'rows' END, CASE WHEN first_load_id < 0 THEN 'first_load_id' END, CASE WHEN last_load_id < 0 THEN 'last_load_id' END)
FROM unknown_fields
WHERE least("rows", first_load_id, last_load_id) < 0
UNION ALL
SELECT 'quarantine', source_id || '/' || store || '/' || coalesce("key", '(none)') || '/' || value_hash,
       'negative: ' || concat_ws(', ',
           CASE WHEN load_id < 0 THEN 'load_id' END, CASE WHEN value_bytes < 0 THEN 'value_bytes' END,
           CASE WHEN resolved_load_id < 0 THEN 'resolved_load_id' END)
FROM quarantine
WHERE least(load_id, value_bytes, resolved_load_id) < 0
UNION ALL
SELECT 'raw_files', path,
       'negative: ' || concat_ws(', ',
           CASE WHEN load_id < 0 THEN 'load_id' END, CASE WHEN "rows" < 0 THEN 'rows' END,
           CASE WHEN bytes < 0 THEN 'bytes' END)
FROM raw_files
WHERE least(load_id, "rows", bytes) < 0
UNION ALL
SELECT '_known_conversations', source_id || '/' || store || '/' || conversation_id,
       'negative: ' || concat_ws(', ',
           CASE WHEN transform_version < 0 THEN 'transform_version' END, CASE WHEN load_id < 0 THEN 'load_id' END)
FROM _known_conversations
WHERE least(transform_version, load_id) < 0
UNION ALL
SELECT '_known_rows', source_id || '/' || store || '/' || table_name || '/' || "key",
       'negative: value_bytes'
FROM _known_rows
WHERE value_bytes < 0
UNION ALL
SELECT '_raw_parts', raw_file || '/' || CAST(seq AS VARCHAR),
       'negative: ' || concat_ws(', ',
           CASE WHEN seq < 0 THEN 'seq' END, CASE WHEN load_id < 0 THEN 'load_id' END,
           CASE WHEN first_row < 0 THEN 'first_row' END, CASE WHEN "rows" < 0 THEN 'rows' END)
FROM _raw_parts
WHERE least(seq, load_id, first_row, "rows") < 0
UNION ALL
SELECT '_subagent_claims', source_id || '/' || conversation_id || '/' || claimed_by || '/' || CAST("rank" AS VARCHAR),
       'negative: rank'
FROM _subagent_claims
WHERE "rank" < 0
UNION ALL
SELECT 'commits', source_id || '/' || repository_id || '/' || commit_hash,
       'negative: ' || concat_ws(', ',
           CASE WHEN parent_count < 0 THEN 'parent_count' END, CASE WHEN files_changed < 0 THEN 'files_changed' END,
           CASE WHEN lines_added < 0 THEN 'lines_added' END, CASE WHEN lines_removed < 0 THEN 'lines_removed' END)
FROM commits
WHERE least(parent_count, files_changed, lines_added, lines_removed) < 0
UNION ALL
SELECT 'commit_files', source_id || '/' || repository_id || '/' || commit_hash || '/' || CAST(ordinal AS VARCHAR),
       'negative: ' || concat_ws(', ',
           CASE WHEN ordinal < 0 THEN 'ordinal' END,
           CASE WHEN lines_added < 0 THEN 'lines_added' END, CASE WHEN lines_removed < 0 THEN 'lines_removed' END)
FROM commit_files
WHERE least(ordinal, lines_added, lines_removed) < 0
UNION ALL
SELECT 'conversation_commits', source_id || '/' || conversation_id || '/' || repository_id || '/' || commit_hash,
       'negative: ' || concat_ws(', ',
           CASE WHEN gap_ms < 0 THEN 'gap_ms' END, CASE WHEN files_touched < 0 THEN 'files_touched' END,
           CASE WHEN shared_files < 0 THEN 'shared_files' END, CASE WHEN edited_files < 0 THEN 'edited_files' END)
FROM conversation_commits
WHERE least(gap_ms, files_touched, shared_files, edited_files) < 0
UNION ALL
SELECT 'scored_commits', source_id || '/' || commit_hash || '/' || branch,
       'negative: ' || concat_ws(', ',
           CASE WHEN lines_added < 0 THEN 'lines_added' END,
           CASE WHEN lines_removed < 0 THEN 'lines_removed' END,
           CASE WHEN tab_lines_added < 0 THEN 'tab_lines_added' END,
           CASE WHEN tab_lines_removed < 0 THEN 'tab_lines_removed' END,
           CASE WHEN composer_lines_added < 0 THEN 'composer_lines_added' END,
           CASE WHEN composer_lines_removed < 0 THEN 'composer_lines_removed' END,
           CASE WHEN human_lines_added < 0 THEN 'human_lines_added' END,
           CASE WHEN human_lines_removed < 0 THEN 'human_lines_removed' END,
           CASE WHEN blank_lines_added < 0 THEN 'blank_lines_added' END,
           CASE WHEN blank_lines_removed < 0 THEN 'blank_lines_removed' END,
           CASE WHEN ai_percent_v1 < 0 THEN 'ai_percent_v1' END,
           CASE WHEN ai_percent_v2 < 0 THEN 'ai_percent_v2' END)
FROM scored_commits
WHERE least(lines_added, lines_removed, tab_lines_added, tab_lines_removed, composer_lines_added, composer_lines_removed, human_lines_added, human_lines_removed, blank_lines_added, blank_lines_removed, ai_percent_v1, ai_percent_v2) < 0;
