-- Tokens that are both zero are stored as NULL: not recorded.
-- A load runs it for changed conversations only.
SELECT 'messages' AS table_name, source_id || '/' || conversation_id || '/' || message_id AS row_key,
       'input_tokens and output_tokens are both 0' AS problem
FROM messages
WHERE input_tokens = 0 AND output_tokens = 0;
