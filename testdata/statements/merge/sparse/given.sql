-- A fifth of the messages is gone, and more of the tool calls.
INSERT INTO messages (message_id) SELECT 'm' || i FROM range(10) t(i);
DELETE FROM messages WHERE message_id IN ('m3', 'm4');
INSERT INTO tool_calls (message_id) SELECT 'm' || i FROM range(10) t(i);
DELETE FROM tool_calls WHERE message_id IN ('m3', 'm4', 'm5');
