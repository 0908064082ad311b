-- JSON columns hold valid JSON.
-- It runs only if all checks are asked for.
SELECT 'messages' AS table_name, source_id || '/' || conversation_id || '/' || message_id AS row_key, 'extra is no JSON' AS problem
FROM messages
WHERE NOT json_valid(extra)
UNION ALL
SELECT 'tool_calls', source_id || '/' || conversation_id || '/' || message_id || '/' || CAST(call_index AS VARCHAR), 'params or result is no JSON'
FROM tool_calls
WHERE NOT json_valid(params) OR NOT json_valid(result)
UNION ALL
SELECT 'attachments', source_id || '/' || conversation_id || '/' || coalesce(message_id, '(conversation)') || '/' || CAST(ordinal AS VARCHAR), 'detail is no JSON'
FROM attachments
WHERE NOT json_valid(detail)
UNION ALL
SELECT 'checkpoints', source_id || '/' || conversation_id || '/' || checkpoint_id, 'files is no JSON'
FROM checkpoints
WHERE NOT json_valid(files)
UNION ALL
SELECT 'conversation_notes', source_id || '/' || conversation_id, 'bullets is no JSON'
FROM conversation_notes
WHERE NOT json_valid(bullets);
