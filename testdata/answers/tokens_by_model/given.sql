-- 10 March: two answers of gpt-5 record tokens (one only what went in), one records none; sonnet records none; a prompt without tokens is no
-- row, one with tokens is. A deleted message and a deleted conversation count nowhere. The other source's conversation has the same id and project.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, deleted_at) VALUES
    ('s1', 'a', 'file:///site', 'site', NULL), ('s2', 'a', 'file:///site', 'site', NULL), ('s1', 'gone', 'file:///site', 'site', '2025-06-01 00:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, model, input_tokens, output_tokens, created_at, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, 'user', NULL, NULL, NULL, '2025-03-10 09:00:00+00', NULL),
    ('s1', 'a', 'm1', 1, 'assistant', 'gpt-5', 100, 20, '2025-03-10 09:00:00+00', NULL),
    ('s1', 'a', 'm2', 2, 'assistant', 'gpt-5', 50, NULL, '2025-03-10 23:59:59+00', NULL),
    ('s2', 'a', 'm1', 1, 'assistant', 'gpt-5', NULL, NULL, '2025-03-10 09:00:00+00', NULL),
    ('s1', 'a', 'm3', 3, 'assistant', 'sonnet', NULL, NULL, '2025-03-10 09:00:00+00', NULL),
    ('s1', 'a', 'm4', 4, 'user', NULL, NULL, 7, '2025-03-11 00:00:00+00', NULL),
    ('s1', 'a', 'm5', 5, 'assistant', NULL, NULL, NULL, '2025-03-12 00:00:00+00', NULL),
    ('s1', 'a', 'x', NULL, 'assistant', 'gpt-5', 1000, 1000, '2025-03-10 09:00:00+00', '2025-06-01 00:00:00+00'),
    ('s1', 'gone', 'm0', 0, 'assistant', 'gpt-5', 1000, 1000, '2025-03-10 09:00:00+00', NULL);
