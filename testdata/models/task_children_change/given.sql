-- Transcripts with calls of Task. Of p each kind: a prompt of one child (one), of two children in their order (two), of more calls than children (three), of none, blank, and no JSON; blanks around a
-- prompt count for nothing; the first prompt of a child counts, not a later one. q asks as p does, and has a child of its own. r is deleted, with its calls. e is of an editor: its calls stay.
INSERT INTO sources (source_id) VALUES ('s');
INSERT INTO conversations (source_id, conversation_id, format, created_at) VALUES ('s', 'p', 'transcript', NULL), ('s', 'q', 'transcript', NULL), ('s', 'e', 'separate', NULL),
    ('s', 'one', 'transcript', NULL), ('s', 'two-b', 'transcript', '2026-01-01 00:00:00+00'), ('s', 'two-a', 'transcript', '2026-01-02 00:00:00+00'), ('s', 'three', 'transcript', NULL),
    ('s', 'of-q', 'separate', NULL), ('s', 'of-r', 'transcript', NULL), ('s', 'of-e', 'transcript', NULL);
INSERT INTO conversations (source_id, conversation_id, format, deleted_at) VALUES ('s', 'r', 'transcript', '2026-02-01 00:00:00+00');
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('s', 'one', 'one', 0, 'p'), ('s', 'two-a', 'two-a', 0, 'p'), ('s', 'two-b', 'two-b', 0, 'p'),
    ('s', 'three', 'three', 0, 'p'), ('s', 'of-q', 'of-q', 0, 'q'), ('s', 'of-r', 'of-r', 0, 'r'), ('s', 'of-e', 'of-e', 0, 'e');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, text, created_at_source) VALUES
    ('s', 'one', '#1', 0, 'user', 'Look around', NULL), ('s', 'one', '#2', 1, 'user', 'Nobody asked', NULL), ('s', 'two-a', '#1', 0, 'user', 'Test', NULL), ('s', 'two-b', '#1', 0, 'user', 'Test', NULL),
    ('s', 'three', '#1', 0, 'assistant', 'Mend', NULL), ('s', 'three', '#2', 1, 'user', 'Mend', NULL), ('s', 'of-q', 'b', 0, 'user', 'Look around', NULL), ('s', 'of-r', '#1', 0, 'user', 'Look', NULL),
    ('s', 'of-e', '#1', 0, 'user', 'Look', NULL), ('s', 'p', '#2', 0, 'assistant', NULL, NULL), ('s', 'p', '#10', 1, 'assistant', NULL, NULL), ('s', 'q', '#2', 0, 'assistant', NULL, NULL),
    ('s', 'e', 'm', 0, 'assistant', NULL, NULL);
INSERT INTO messages (source_id, conversation_id, message_id, role, created_at_source, deleted_at) VALUES ('s', 'r', '#2', 'assistant', NULL, '2026-02-01 00:00:00+00'), ('s', 'p', '#11', 'assistant', NULL, '2026-02-01 00:00:00+00');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, raw_args, subagent_id, deleted_at) VALUES
    ('s', 'p', '#2', 0, 0, 'task', 'task', '{"prompt":" Look around\n"}', NULL, NULL), ('s', 'p', '#10', 0, 1, 'task', 'task', '{"prompt":"Test"}', NULL, NULL), ('s', 'p', '#2', 1, 0, 'task', 'task', '{"prompt":"Test"}', NULL, NULL),
    ('s', 'p', '#2', 2, 0, 'task', 'task', '{"prompt":"Mend"}', 'three', NULL), ('s', 'p', '#2', 3, 0, 'task', 'task', '{"prompt":"Mend"}', NULL, NULL), ('s', 'p', '#2', 4, 0, 'task', 'task', '{"prompt":"Nobody asked"}', NULL, NULL),
    ('s', 'p', '#2', 5, 0, 'task', 'task', '{"prompt":""}', NULL, NULL), ('s', 'p', '#2', 6, 0, 'task', 'task', 'no JSON', NULL, NULL), ('s', 'p', '#2', 7, 0, 'run_terminal_command', 'shell', '{"prompt":"Look around"}', NULL, NULL),
    ('s', 'p', '#11', 0, NULL, 'task', 'task', '{"prompt":"Look around"}', NULL, '2026-02-01 00:00:00+00'),
    ('s', 'q', '#2', 0, 0, 'task', 'task', '{"prompt":"Look around"}', NULL, NULL), ('s', 'r', '#2', 0, NULL, 'task', 'task', '{"prompt":"Look"}', NULL, '2026-02-01 00:00:00+00'),
    ('s', 'e', 'm', 0, 0, 'task', 'task', '{"prompt":"Look"}', 'named', NULL);
