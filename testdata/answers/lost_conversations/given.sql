-- gone was deleted with its two messages; head lost its row, of its three messages two are still in the store; orph was never seen whole; blank lost its list of
-- messages. fork has one message beside its list, which is no loss; draft and the deleted empty one have no messages; fine is fine; s2 has a live chat with the id of gone.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project, status, header_count, created_at, deleted_at) VALUES
    ('s1', 'gone', 'Gone', 'tide', 'completed', 2, '2025-03-10 09:00:00+00', '2025-06-02 00:00:00+00'),
    ('s1', 'head', 'Head', 'tide', 'orphaned', 3, '2025-03-11 09:00:00+00', '2025-06-03 00:00:00+00'),
    ('s1', 'orph', NULL, NULL, 'orphaned', 0, NULL, NULL),
    ('s1', 'blank', 'Blank', NULL, 'aborted', 0, '2025-03-12 09:00:00+00', NULL),
    ('s1', 'fork', 'Fork', NULL, NULL, 1, '2025-03-12 09:00:00+00', NULL), ('s1', 'draft', NULL, NULL, NULL, 0, '2025-03-12 09:00:00+00', NULL),
    ('s1', 'none', 'Empty', NULL, NULL, 0, '2025-03-12 09:00:00+00', '2025-06-03 00:00:00+00'),
    ('s1', 'fine', 'Fine', NULL, NULL, 1, '2025-03-12 09:00:00+00', NULL), ('s2', 'gone', 'Elsewhere', NULL, NULL, 1, '2025-03-12 09:00:00+00', NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, is_listed, role, kind, text, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'gone', 'm0', NULL, true, 'user', 'text', 'Why?', '2025-03-10 09:00:10+00', 'message', '2025-06-02 00:00:00+00'),
    ('s1', 'gone', 'm1', NULL, true, 'assistant', 'tool_call', NULL, '2025-03-10 09:00:10+00', 'previous', '2025-06-02 00:00:00+00'),
    ('s1', 'head', 'm0', 0, false, 'user', 'text', 'So', '2025-03-11 09:00:10+00', 'message', NULL),
    ('s1', 'head', 'm1', 1, false, 'assistant', 'text', 'Yes', '2025-03-11 09:00:20+00', 'message', NULL),
    ('s1', 'head', 'm2', NULL, true, 'user', 'text', 'And', '2025-03-11 09:00:30+00', 'message', '2025-06-03 00:00:00+00'),
    ('s1', 'orph', 'm0', 0, false, 'assistant', 'text', 'Left', NULL, NULL, NULL),
    ('s1', 'blank', 'm0', 0, false, 'user', 'text', 'Hello', '2025-03-12 09:00:10+00', 'message', NULL),
    ('s1', 'fork', 'm0', 0, true, 'user', 'text', 'Hello', '2025-03-12 09:00:10+00', 'message', NULL),
    ('s1', 'fork', 'm1', 1, false, 'user', 'text', 'Hello', '2025-03-12 09:00:10+00', 'message', NULL),
    ('s1', 'fine', 'm0', 0, true, 'user', 'text', 'Hello', '2025-03-12 09:00:10+00', 'message', NULL),
    ('s2', 'gone', 'm0', 0, true, 'user', 'text', 'Hello', '2025-03-12 09:00:10+00', 'message', NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, deleted_at) VALUES ('s1', 'gone', 'm1', '2025-06-02 00:00:00+00');
