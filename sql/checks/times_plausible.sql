-- Times that come from a store lie from 2015 up to 2100.
-- Conversation by conversation.
SELECT 'conversations' AS table_name, source_id || '/' || conversation_id AS row_key, 'a time before 2015 or from 2100' AS problem
FROM conversations
WHERE epoch_ms(least(created_at, updated_at, last_activity_at, first_message_at, last_message_at)) < 1420070400000
   OR epoch_ms(greatest(created_at, updated_at, last_activity_at, first_message_at, last_message_at)) >= 4102444800000
UNION ALL
SELECT 'messages', source_id || '/' || conversation_id || '/' || message_id, 'created_at before 2015 or from 2100'
FROM messages
WHERE epoch_ms(created_at) < 1420070400000 OR epoch_ms(created_at) >= 4102444800000
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR), 'started_at before 2015 or from 2100'
FROM tool_calls
WHERE epoch_ms(started_at) < 1420070400000 OR epoch_ms(started_at) >= 4102444800000
UNION ALL
SELECT 'code_edits', source_id || '/' || edit_id, 'created_at before 2015 or from 2100'
FROM code_edits
WHERE epoch_ms(created_at) < 1420070400000 OR epoch_ms(created_at) >= 4102444800000
UNION ALL
SELECT 'prompts', source_id || '/' || workspace_id || '/' || prompt_id, 'created_at before 2015 or from 2100'
FROM prompts
WHERE epoch_ms(created_at) < 1420070400000 OR epoch_ms(created_at) >= 4102444800000
UNION ALL
SELECT 'sessions', session_id, 'a time before 2015 or from 2100'
FROM sessions
WHERE epoch_ms(least(started_at, ended_at)) < 1420070400000 OR epoch_ms(greatest(started_at, ended_at)) >= 4102444800000
UNION ALL
SELECT 'activity_periods', period_id, 'a time before 2015 or from 2100'
FROM activity_periods
WHERE epoch_ms(least(started_at, ended_at)) < 1420070400000 OR epoch_ms(greatest(started_at, ended_at)) >= 4102444800000
UNION ALL
SELECT 'commits', source_id || '/' || repository_id || '/' || commit_hash, 'a time before 2015 or from 2100'
FROM commits
WHERE epoch_ms(least(authored_at, committed_at)) < 1420070400000 OR epoch_ms(greatest(authored_at, committed_at)) >= 4102444800000
UNION ALL
SELECT 'scored_commits', source_id || '/' || commit_hash || '/' || branch, 'a time before 2015 or from 2100'
FROM scored_commits
WHERE epoch_ms(least(scored_at, committed_at)) < 1420070400000 OR epoch_ms(greatest(scored_at, committed_at)) >= 4102444800000
UNION ALL
SELECT 'ai_code_hashes', source_id || '/' || code_hash, 'a time before 2015 or from 2100'
FROM ai_code_hashes
WHERE epoch_ms(written_at) < 1420070400000 OR epoch_ms(written_at) >= 4102444800000;
