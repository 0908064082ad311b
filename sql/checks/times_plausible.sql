-- Times that come from a store lie from 2015 up to 2100.
-- It reads each table by itself, and leaves out those without rows.
-- A load runs it for changed conversations only.
SELECT 'conversations' AS table_name, source_id || '/' || conversation_id AS row_key, 'a time before 2015 or from 2100' AS problem
FROM conversations
WHERE least(created_at, updated_at, last_activity_at, first_message_at, last_message_at) < '2015-01-01 00:00:00+00'
   OR greatest(created_at, updated_at, last_activity_at, first_message_at, last_message_at) >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'messages', source_id || '/' || conversation_id || '/' || message_id, 'created_at before 2015 or from 2100'
FROM messages
WHERE created_at < '2015-01-01 00:00:00+00' OR created_at >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR), 'started_at before 2015 or from 2100'
FROM tool_calls
WHERE started_at < '2015-01-01 00:00:00+00' OR started_at >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'code_edits', source_id || '/' || edit_id, 'created_at before 2015 or from 2100'
FROM code_edits
WHERE created_at < '2015-01-01 00:00:00+00' OR created_at >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'prompts', source_id || '/' || workspace_id || '/' || prompt_id, 'created_at before 2015 or from 2100'
FROM prompts
WHERE created_at < '2015-01-01 00:00:00+00' OR created_at >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'sessions', session_id, 'a time before 2015 or from 2100'
FROM sessions
WHERE least(started_at, ended_at) < '2015-01-01 00:00:00+00' OR greatest(started_at, ended_at) >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'activity_periods', period_id, 'a time before 2015 or from 2100'
FROM activity_periods
WHERE least(started_at, ended_at) < '2015-01-01 00:00:00+00' OR greatest(started_at, ended_at) >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'commits', source_id || '/' || repository_id || '/' || commit_hash, 'a time before 2015 or from 2100'
FROM commits
WHERE least(authored_at, committed_at) < '2015-01-01 00:00:00+00' OR greatest(authored_at, committed_at) >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'scored_commits', source_id || '/' || commit_hash || '/' || branch, 'a time before 2015 or from 2100'
FROM scored_commits
WHERE least(scored_at, committed_at) < '2015-01-01 00:00:00+00' OR greatest(scored_at, committed_at) >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'ai_code_hashes', source_id || '/' || code_hash, 'a time before 2015 or from 2100'
FROM ai_code_hashes
WHERE written_at < '2015-01-01 00:00:00+00' OR written_at >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'conversation_notes', source_id || '/' || conversation_id, 'updated_at before 2015 or from 2100'
FROM conversation_notes
WHERE updated_at < '2015-01-01 00:00:00+00' OR updated_at >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'plans', source_id || '/' || plan_id, 'updated_at before 2015 or from 2100'
FROM plans
WHERE updated_at < '2015-01-01 00:00:00+00' OR updated_at >= '2100-01-01 00:00:00+00'
UNION ALL
SELECT 'usage_records', source_id || '/' || event_id, 'occurred_at before 2015 or from 2100'
FROM usage_records
WHERE occurred_at < '2015-01-01 00:00:00+00' OR occurred_at >= '2100-01-01 00:00:00+00';
