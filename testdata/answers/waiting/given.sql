-- Of m1 two answers after 10 and 20 seconds, a failure after 99, one whose time is not its own; of m2 one that was aborted; a prompt without anything.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id, status) VALUES ('a', NULL), ('b', 'aborted');
INSERT INTO messages (conversation_id, message_id, position, turn, role, kind, text, error, model, created_at, created_at_source) VALUES
    ('a', 'u1', 0, 1, 'user', 'text', 'One', NULL, NULL, '2026-05-01 10:00:00+00', 'message'), ('a', 'a1', 1, 1, 'assistant', 'text', 'x', NULL, 'm1', '2026-05-01 10:00:10+00', 'message'),
    ('a', 'u2', 2, 2, 'user', 'text', 'Two', NULL, NULL, '2026-05-01 11:00:00+00', 'message'), ('a', 'a2', 3, 2, 'assistant', 'text', 'x', NULL, 'm1', '2026-05-01 11:00:20+00', 'message'),
    ('a', 'u3', 4, 3, 'user', 'text', 'Three', NULL, NULL, '2026-05-01 12:00:00+00', 'message'), ('a', 'a3', 5, 3, 'assistant', 'error', NULL, 'no', 'm1', '2026-05-01 12:01:39+00', 'message'),
    ('a', 'u4', 6, 4, 'user', 'text', 'Four', NULL, NULL, '2026-05-01 13:00:00+00', 'message'), ('a', 'a4', 7, 4, 'assistant', 'text', 'x', NULL, 'm1', '2026-05-01 13:00:00+00', 'previous'),
    ('a', 'u5', 8, 5, 'user', 'text', 'Five', NULL, NULL, '2026-05-01 14:00:00+00', 'message'),
    ('b', 'u1', 0, 1, 'user', 'text', 'Six', NULL, NULL, '2026-05-02 10:00:00+00', 'message'), ('b', 'b1', 1, 1, 'assistant', 'text', 'x', NULL, 'm2', '2026-05-02 10:00:30+00', 'message');
