-- Prompts that were edited and sent again, and what became of conversations and messages since. clock() keeps the times short.
CREATE TEMP MACRO clock(minute) AS make_timestamptz(1741597200000000 + minute::BIGINT * 60000000);
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, header_count, status, deleted_at) VALUES
    ('s1', 'edited', 6, 'completed', NULL),
    ('s1', 'no list', 0, NULL, NULL),
    ('s1', 'orphan', 2, 'orphaned', clock(90)),
    ('s1', 'deleted', 2, NULL, clock(90)),
    ('s2', 'edited', 1, NULL, NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, kind, text, thinking, created_at, is_listed, deleted_at) VALUES
    ('s1', 'edited', 'u1', 0, 1, 'user', 'text', 'Add a cache', NULL, clock(0), true, NULL),
    ('s1', 'edited', 'a1', 1, 1, 'assistant', 'thinking', ' ', 'Hm', clock(1), true, NULL),
    ('s1', 'edited', 'a2', 2, 1, 'assistant', 'tool_call', 'I look first', NULL, clock(2), true, NULL),
    ('s1', 'edited', 'x1', 3, 1, 'unknown', 'text', 'What am I?', NULL, clock(3), true, NULL),
    ('s1', 'edited', 'a3', 4, 1, 'assistant', 'text', 'Done', NULL, clock(4), true, NULL),
    ('s1', 'edited', 'u2', 5, 2, 'user', 'text', 'Thanks', NULL, clock(5), true, NULL),
    -- left behind: a prompt right after the last one that is shown, and its answer
    ('s1', 'edited', 'u0', 6, 3, 'user', 'text', 'Add a cash', NULL, clock(0), false, NULL),
    ('s1', 'edited', 'a0', 7, 3, 'assistant', 'text', 'Cash?', NULL, clock(1), false, NULL),
    ('s1', 'edited', 'gone', NULL, 1, 'assistant', 'text', 'Once said', NULL, clock(4), true, clock(60)),
    ('s1', 'no list', 'u1', 0, 1, 'user', 'text', 'Who knows', NULL, clock(0), false, NULL),
    ('s1', 'no list', 'a1', 1, 1, 'assistant', 'text', 'I do', NULL, clock(1), false, NULL),
    ('s1', 'orphan', 'u1', 0, 1, 'user', 'text', 'Left', NULL, clock(0), false, NULL),
    ('s1', 'orphan', 'a1', NULL, 1, 'assistant', 'text', 'Went later', NULL, clock(1), true, clock(95)),
    ('s1', 'deleted', 'u1', NULL, 1, 'user', 'text', 'Bye', NULL, clock(0), true, clock(90)),
    ('s1', 'deleted', 'a0', NULL, 1, 'assistant', 'text', 'An abandoned answer', NULL, clock(1), false, clock(90)),
    ('s1', 'deleted', 'a1', NULL, 1, 'assistant', 'text', 'Went before', NULL, clock(1), true, clock(80)),
    ('s2', 'edited', 'u1', 0, 1, 'user', 'text', 'The same ids elsewhere', NULL, clock(0), true, NULL);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, name, tool_call_id, params, raw_args, result, error, deleted_at) VALUES
    ('s1', 'edited', 'a2', 0, 2, 'read_file', 'read_file_v2', 'call_1', '{"targetFile":"a.go"}', '{"target_file":"a.go"}', '"package a\nvar x"', NULL, NULL),
    ('s1', 'edited', 'a2', 1, 2, 'grep', 'grep', 'call_2', '{"pattern":"x"}', NULL, NULL, 'no such file', NULL),
    ('s1', 'edited', 'a2', 2, 2, 'list_dir', 'list_dir', NULL, NULL, NULL, '{"files":[]}', NULL, NULL),
    ('s1', 'edited', 'a3', 0, 4, 'shell', 'shell', 'call_9', NULL, NULL, NULL, NULL, clock(60));
