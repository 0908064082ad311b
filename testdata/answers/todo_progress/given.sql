-- a: item 1 is pending with the prompt, then completed by a call; item 2 only the call names; item 3 has no state; the failed call after it counts not, and a list that
-- cannot be read neither; an item without an id is known by its content. b: the conversation's own list says that item 1 is cancelled and 2 completed, whatever a later
-- message says, and a context that names no message (after the list) loses to it; item 9 is known from that only. The other source's a and a deleted chat have their own.
-- c is of the command line: its first call has the numbers of the graph, the second only what the model wrote, with item 1 done, and the third calls it by a tool of tools.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project, created_at, deleted_at) VALUES
    ('s1', 'a', 'Plan', 'tide', '2025-03-10 09:00:00+00', NULL), ('s1', 'b', 'Own list', 'tide', '2025-03-11 09:00:00+00', NULL),
    ('s2', 'a', 'Elsewhere', NULL, '2025-03-12 09:00:00+00', NULL), ('s1', 'gone', 'Gone', NULL, '2025-03-12 09:00:00+00', '2025-06-01 00:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, kind, created_at, created_at_source) VALUES
    ('s1', 'a', 'm0', 0, 'user', 'text', '2025-03-10 09:00:00+00', 'conversation'), ('s1', 'a', 'm1', 1, 'assistant', 'tool_call', '2025-03-10 09:00:00+00', 'conversation'),
    ('s1', 'a', 'm2', 2, 'assistant', 'tool_call', '2025-03-10 09:00:00+00', 'conversation'), ('s1', 'b', 'm0', 0, 'user', 'text', '2025-03-11 09:00:00+00', 'conversation'),
    ('s2', 'a', 'm0', 0, 'user', 'text', '2025-03-12 09:00:00+00', 'conversation');
INSERT INTO attachments (source_id, conversation_id, message_id, ordinal, kind, detail) VALUES
    ('s1', 'a', 'm0', 0, 'todo', '{"id":"1","content":"read","status":"pending"}'), ('s1', 'a', 'm0', 1, 'todo', '{"id":"3","content":"odd"}'),
    ('s1', 'a', 'm0', 2, 'todo', '{"content":"no id","status":"in_progress"}'), ('s1', 'a', 'm0', 3, 'todo', '"not an object"'),
    ('s1', 'a', 'm1', 0, 'todo', '{"id":"1","content":"read","status":"in_progress"}'),
    ('s1', 'b', NULL, 0, 'todo', '{"id":"1","content":"read","status":"cancelled"}'), ('s1', 'b', NULL, 1, 'todo', '{"id":"2","content":"write","status":"completed"}'),
    ('s1', 'b', NULL, 2, 'todo', '{"id":"2","content":"write","status":"pending"}'), ('s1', 'b', NULL, 3, 'todo', '{"id":"9","content":"old","status":"pending"}'),
    ('s1', 'b', 'm0', 0, 'todo', '{"id":"1","content":"read","status":"pending"}'),
    ('s2', 'a', 'm0', 0, 'todo', '{"id":"1","content":"read","status":"completed"}'), ('s1', 'gone', NULL, 0, 'todo', '{"id":"1","content":"read","status":"pending"}');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool_number, tool, tool_kind, is_error, params, result) VALUES
    ('s1', 'a', 'm1', 0, 1, 35, 'todo_write', 'plan', false, '{"todos":[{"id":"2","content":"write","status":"TODO_STATUS_PENDING"}],"merge":true}',
        '{"finalTodos":[{"id":"1","content":"read","status":"completed"},{"id":"2","content":"write","status":"in_progress"}]}'),
    ('s1', 'a', 'm2', 0, 2, 35, 'todo_write', 'plan', NULL, '{"todos":[{"id":"2","content":"write","status":"TODO_STATUS_PENDING"}],"merge":true}', NULL),
    ('s1', 'a', 'm2', 1, 2, 35, 'todo_write', 'plan', true, '{"todos":[{"id":"2","content":"write","status":"completed"}]}', NULL),
    ('s1', 'a', 'm2', 2, 2, 35, 'todo_write', 'plan', false, '"{"', NULL);
INSERT INTO conversations (source_id, conversation_id, title, created_at) VALUES ('s2', 'c', 'Numbers', '2025-03-13 09:00:00+00');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, kind, created_at, created_at_source)
    SELECT 's2', 'c', 'm' || i, i, 'assistant', 'tool_call', '2025-03-13 09:00:00+00', 'conversation' FROM range(3) t(i);
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, tool, tool_kind, is_error, params, raw_args, result) VALUES
    ('s2', 'c', 'm0', 0, 0, 'todo_write', 'plan', false, '{"todos":[{"id":"1","content":"read","status":2}]}', NULL,
        '{"todos":[{"id":"1","content":"read","status":2},{"id":"2","content":"write","status":4},{"id":"3","content":"check","status":1}],"total_count":3}'),
    ('s2', 'c', 'm1', 0, 1, 'TodoWrite', 'plan', NULL, NULL, '{"todos":[{"id":"1","content":"read","status":"completed"}],"merge":true}', NULL),
    ('s2', 'c', 'm2', 0, 2, 'todo_write', 'plan', NULL, NULL, '{"toolName":"TodoWrite","arguments":{"todos":[{"id":"4","content":"tell","status":3}]}}', NULL);
