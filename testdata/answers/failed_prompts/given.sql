-- Two prompts that failed, the later with a text, the other with none and without a time; one that was answered after an error on the way.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id, title, display_title, project) VALUES ('a', 'Shop', 'Shop', 'shop'), ('b', 'Blog', 'Blog', NULL);
INSERT INTO messages (conversation_id, message_id, position, turn, role, kind, text, error, model, created_at, created_at_source) VALUES
    ('a', 'u1', 0, 1, 'user', 'text', 'Build it', NULL, NULL, '2026-05-01 10:00:00+00', 'message'), ('a', 'a1', 1, 1, 'assistant', 'error', NULL, 'no network', 'm1', '2026-05-01 10:00:10+00', 'message'),
    ('a', 'u2', 2, 2, 'user', 'text', 'Again', NULL, NULL, '2026-05-01 11:00:00+00', 'message'), ('a', 'a2', 3, 2, 'assistant', 'error', NULL, 'no network', 'm1', '2026-05-01 11:00:10+00', 'message'),
    ('a', 'a3', 4, 2, 'assistant', 'text', 'Built', NULL, 'm1', '2026-05-01 11:00:20+00', 'message'),
    ('b', 'u1', 0, 1, 'user', 'text', 'Write', NULL, NULL, NULL, NULL), ('b', 'b1', 1, 1, 'assistant', 'error', NULL, NULL, NULL, NULL, NULL);
INSERT INTO tool_calls (conversation_id, message_id) VALUES ('b', 'b1');
