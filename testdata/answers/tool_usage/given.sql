-- Six calls of read_file. In conversation a (mode agent): turn 1 names gpt-5 in one message, so both of its calls are gpt-5's; turn 2 names two models,
-- so its unnamed call is nobody's. A call of a message in mode chat has that mode. The conversation of the same id in s2 has no mode, and its turn 1
-- names no model; conversation.model is what was chosen. A deleted call is none, and a deleted message names nothing.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, mode, model) VALUES ('s1', 'a', 'agent', 'sonnet'), ('s2', 'a', NULL, 'sonnet');
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, kind, mode, model, created_at_source, deleted_at) VALUES
    ('s1', 'a', 'u1', 0, 1, 'user', 'text', NULL, NULL, NULL, NULL),
    ('s1', 'a', 'm1', 1, 1, 'assistant', 'tool_call', NULL, 'gpt-5', NULL, NULL),
    ('s1', 'a', 'm2', 2, 1, 'assistant', 'tool_call', NULL, NULL, NULL, NULL),
    ('s1', 'a', 'x', NULL, 1, 'assistant', 'tool_call', NULL, 'sonnet', NULL, '2025-06-01 00:00:00+00'),
    ('s1', 'a', 'u2', 3, 2, 'user', 'text', NULL, 'sonnet', NULL, NULL),
    ('s1', 'a', 'm3', 4, 2, 'assistant', 'tool_call', NULL, NULL, NULL, NULL),
    ('s1', 'a', 'm4', 5, 2, 'assistant', 'tool_call', 'chat', 'gpt-5', NULL, NULL),
    ('s2', 'a', 'u1', 0, 1, 'user', 'text', NULL, NULL, NULL, NULL),
    ('s2', 'a', 'm1', 1, 1, 'assistant', 'tool_call', NULL, NULL, NULL, NULL),
    ('s2', 'a', 'm2', 2, 1, 'assistant', 'tool_call', NULL, NULL, NULL, NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, tool, tool_kind, deleted_at) VALUES
    ('s1', 'a', 'm1', 0, 'read_file', 'read', NULL),
    ('s1', 'a', 'm2', 0, 'read_file', 'read', NULL),
    ('s1', 'a', 'm3', 0, 'read_file', 'read', NULL),
    ('s1', 'a', 'm4', 0, 'read_file', 'read', NULL),
    ('s1', 'a', 'x', 0, 'read_file', 'read', '2025-06-01 00:00:00+00'),
    ('s2', 'a', 'm1', 0, 'read_file', 'read', NULL),
    ('s2', 'a', 'm2', 0, 'read_file', 'read', NULL),
    ('s2', 'a', 'm2', 1, NULL, 'mcp', NULL),
    ('s1', 'a', 'm2', 1, 'grep', 'search', NULL);
