-- Two conversations of the same id in two sources, one without a window's size; a third without a breakdown; a deleted one. tools was once there.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, context_tokens_used, context_token_limit, deleted_at) VALUES
    ('s1', 'a', 6000, 10000, NULL), ('s2', 'a', 3000, NULL, NULL), ('s1', 'none', NULL, NULL, NULL), ('s1', 'gone', 9000, 10000, '2025-06-01 00:00:00+00');
INSERT INTO context_parts (source_id, conversation_id, part, label, tokens, deleted_at) VALUES
    ('s1', 'a', 'system_prompt', 'System prompt', 1000, NULL),
    ('s1', 'a', 'conversation', 'Conversation', 5000, NULL),
    ('s1', 'a', 'mcp', 'MCP servers', NULL, NULL),
    ('s1', 'a', 'tools', 'Tools', 800, '2025-06-01 00:00:00+00'),
    ('s2', 'a', 'system_prompt', 'System prompt', 2000, NULL),
    ('s2', 'a', 'conversation', 'Conversation', 0, NULL),
    ('s1', 'gone', 'system_prompt', 'System prompt', 9000, NULL);
