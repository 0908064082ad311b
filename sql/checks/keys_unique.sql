-- The key of every table is unique.
-- The tables declare no PRIMARY KEY: it would double the cost of a load.
-- In the large ones a key is counted only where another has its hash: hashes take a fraction of the memory that keys do.
-- Conversation by conversation.
SELECT 'sources' AS table_name, source_id AS row_key,
       CAST(count(*) AS VARCHAR) || ' rows' AS problem
FROM sources
GROUP BY source_id
HAVING count(*) > 1
UNION ALL
SELECT 'workspaces', source_id || '/' || workspace_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM workspaces
GROUP BY source_id, workspace_id
HAVING count(*) > 1
UNION ALL
SELECT 'conversations', source_id || '/' || conversation_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM conversations
GROUP BY source_id, conversation_id
HAVING count(*) > 1
UNION ALL
SELECT 'messages', source_id || '/' || conversation_id || '/' || message_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM messages
WHERE hash(source_id, conversation_id, message_id) IN (SELECT hash(source_id, conversation_id, message_id) FROM messages GROUP BY ALL HAVING count(*) > 1)
GROUP BY source_id, conversation_id, message_id
HAVING count(*) > 1
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR),
       CAST(count(*) AS VARCHAR) || ' rows'
FROM tool_calls
WHERE hash(source_id, conversation_id, message_id, call_index) IN (SELECT hash(source_id, conversation_id, message_id, call_index) FROM tool_calls GROUP BY ALL HAVING count(*) > 1)
GROUP BY source_id, conversation_id, message_id, call_index
HAVING count(*) > 1
UNION ALL
SELECT 'attachments', source_id || '/' || conversation_id || '/' || coalesce(message_id, '(none)') || '/' || CAST(ordinal AS VARCHAR),
       CAST(count(*) AS VARCHAR) || ' rows'
FROM attachments
WHERE hash(source_id, conversation_id, message_id, ordinal) IN (SELECT hash(source_id, conversation_id, message_id, ordinal) FROM attachments GROUP BY ALL HAVING count(*) > 1)
GROUP BY source_id, conversation_id, message_id, ordinal
HAVING count(*) > 1
UNION ALL
SELECT 'checkpoints', source_id || '/' || conversation_id || '/' || checkpoint_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM checkpoints
WHERE hash(source_id, conversation_id, checkpoint_id) IN (SELECT hash(source_id, conversation_id, checkpoint_id) FROM checkpoints GROUP BY ALL HAVING count(*) > 1)
GROUP BY source_id, conversation_id, checkpoint_id
HAVING count(*) > 1
UNION ALL
SELECT 'code_edits', source_id || '/' || edit_id || '/' || conversation_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM code_edits
GROUP BY source_id, edit_id, conversation_id
HAVING count(*) > 1
UNION ALL
SELECT 'code_diffs', source_id || '/' || diff_id || '/' || keyed_by,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM code_diffs
GROUP BY source_id, diff_id, keyed_by
HAVING count(*) > 1
UNION ALL
SELECT 'model_usage', source_id || '/' || conversation_id || '/' || model,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM model_usage
GROUP BY source_id, conversation_id, model
HAVING count(*) > 1
UNION ALL
SELECT 'context_parts', source_id || '/' || conversation_id || '/' || part,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM context_parts
GROUP BY source_id, conversation_id, part
HAVING count(*) > 1
UNION ALL
SELECT 'daily_edit_stats', source_id || '/' || CAST("date" AS VARCHAR),
       CAST(count(*) AS VARCHAR) || ' rows'
FROM daily_edit_stats
GROUP BY source_id, "date"
HAVING count(*) > 1
UNION ALL
SELECT 'prompts', source_id || '/' || workspace_id || '/' || prompt_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM prompts
GROUP BY source_id, workspace_id, prompt_id
HAVING count(*) > 1
UNION ALL
SELECT 'sessions', session_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM sessions
GROUP BY session_id
HAVING count(*) > 1
UNION ALL
SELECT 'activity_periods', period_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM activity_periods
GROUP BY period_id
HAVING count(*) > 1
UNION ALL
SELECT 'loads', CAST(load_id AS VARCHAR),
       CAST(count(*) AS VARCHAR) || ' rows'
FROM loads
GROUP BY load_id
HAVING count(*) > 1
UNION ALL
SELECT 'repositories', source_id || '/' || repository_id || '/' || project_uri,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM repositories
GROUP BY source_id, repository_id, project_uri
HAVING count(*) > 1
UNION ALL
SELECT 'commits', source_id || '/' || repository_id || '/' || commit_hash,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM commits
GROUP BY source_id, repository_id, commit_hash
HAVING count(*) > 1
UNION ALL
SELECT 'scored_commits', source_id || '/' || commit_hash || '/' || branch,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM scored_commits
GROUP BY source_id, commit_hash, branch
HAVING count(*) > 1
UNION ALL
SELECT 'ai_code_hashes', source_id || '/' || code_hash,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM ai_code_hashes
GROUP BY source_id, code_hash
HAVING count(*) > 1
UNION ALL
SELECT 'commit_files', source_id || '/' || repository_id || '/' || commit_hash || '/' || CAST(ordinal AS VARCHAR),
       CAST(count(*) AS VARCHAR) || ' rows'
FROM commit_files
WHERE hash(source_id, repository_id, commit_hash, ordinal) IN (SELECT hash(source_id, repository_id, commit_hash, ordinal) FROM commit_files GROUP BY ALL HAVING count(*) > 1)
GROUP BY source_id, repository_id, commit_hash, ordinal
HAVING count(*) > 1
UNION ALL
SELECT 'conversation_commits', source_id || '/' || conversation_id || '/' || repository_id || '/' || commit_hash || '/' || commit_source_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM conversation_commits
GROUP BY source_id, conversation_id, repository_id, commit_hash, commit_source_id
HAVING count(*) > 1
UNION ALL
SELECT 'load_stores', CAST(load_id AS VARCHAR) || '/' || source_id || '/' || store,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM load_stores
GROUP BY load_id, source_id, store
HAVING count(*) > 1
UNION ALL
SELECT 'key_families', CAST(load_id AS VARCHAR) || '/' || source_id || '/' || store || '/' || family,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM key_families
GROUP BY load_id, source_id, store, family
HAVING count(*) > 1
UNION ALL
SELECT 'unknown_fields', source_id || '/' || family || '/' || path,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM unknown_fields
GROUP BY source_id, family, path
HAVING count(*) > 1
UNION ALL
SELECT 'quarantine', source_id || '/' || store || '/' || coalesce("key", '(none)') || '/' || value_hash,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM quarantine
GROUP BY source_id, store, "key", value_hash
HAVING count(*) > 1
UNION ALL
SELECT 'raw_files', path,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM raw_files
GROUP BY path
HAVING count(*) > 1
UNION ALL
SELECT '_known_conversations', source_id || '/' || store || '/' || conversation_id,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM _known_conversations
GROUP BY source_id, store, conversation_id
HAVING count(*) > 1
UNION ALL
SELECT '_known_stores', source_id || '/' || store,
       CAST(count(*) AS VARCHAR) || ' rows'
FROM _known_stores
GROUP BY source_id, store
HAVING count(*) > 1
UNION ALL
SELECT '_known_documents', source_id || '/' || store || '/' || table_name || '/' || CAST(ordinal AS VARCHAR),
       CAST(count(*) AS VARCHAR) || ' rows'
FROM _known_documents
GROUP BY source_id, store, table_name, ordinal
HAVING count(*) > 1
UNION ALL
SELECT '_known_rows', source_id || '/' || store || '/' || table_name || '/' || "key",
       CAST(count(*) AS VARCHAR) || ' rows'
FROM _known_rows
WHERE hash(source_id, store, table_name, "key", key_type, hash, seq) IN (SELECT hash(source_id, store, table_name, "key", key_type, hash, seq) FROM _known_rows GROUP BY ALL HAVING count(*) > 1)
GROUP BY source_id, store, table_name, "key", key_type, hash, seq
HAVING count(*) > 1
UNION ALL
SELECT '_raw_parts', raw_file || '/' || CAST(seq AS VARCHAR),
       CAST(count(*) AS VARCHAR) || ' rows'
FROM _raw_parts
GROUP BY raw_file, seq
HAVING count(*) > 1
UNION ALL
SELECT '_subagent_claims', source_id || '/' || conversation_id || '/' || claimed_by || '/' || CAST("rank" AS VARCHAR),
       CAST(count(*) AS VARCHAR) || ' rows'
FROM _subagent_claims
GROUP BY source_id, conversation_id, claimed_by, "rank"
HAVING count(*) > 1
UNION ALL
SELECT '_meta', "key",
       CAST(count(*) AS VARCHAR) || ' rows'
FROM _meta
GROUP BY "key"
HAVING count(*) > 1;
