-- Turn 1 has two files and a rule: two calls, one failed, and an edit that was accepted. Turn 2 has a file, and no answer. Turn 3 has nothing: a call without an outcome and one
-- that went well, an edit that is undecided. A link came with an answer, a doc with the conversation, an image with a deleted prompt; an abandoned branch has a rule.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, created_at, deleted_at) VALUES
    ('s1', 'a', '2025-03-10 09:00:00+00', NULL), ('s2', 'a', '2025-03-10 09:00:00+00', '2025-06-01 00:00:00+00');
ALTER TABLE messages ALTER created_at SET DEFAULT '2025-03-10 09:00:00+00'; -- times do not matter here
INSERT INTO messages (source_id, conversation_id, message_id, position, is_listed, turn, role, kind, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, true, 1, 'user', 'text', NULL), ('s1', 'a', 'm1', 1, true, 1, 'assistant', 'tool_call', NULL), ('s1', 'a', 'm2', 2, true, 1, 'assistant', 'tool_call', NULL),
    ('s1', 'a', 'm3', 3, true, 2, 'user', 'text', NULL),
    ('s1', 'a', 'm4', 4, true, 3, 'user', 'text', NULL), ('s1', 'a', 'm5', 5, true, 3, 'assistant', 'tool_call', NULL),
    ('s1', 'a', 'm6', 6, false, 4, 'user', 'text', NULL), ('s1', 'a', 'm7', 7, false, 4, 'assistant', 'text', NULL),
    ('s1', 'a', 'gone', NULL, true, 2, 'user', 'text', '2025-06-01 00:00:00+00'),
    ('s2', 'a', 'm0', NULL, true, 1, 'user', 'text', '2025-06-01 00:00:00+00');
INSERT INTO attachments (source_id, conversation_id, message_id, ordinal, kind) VALUES
    ('s1', 'a', 'm0', 0, 'file'), ('s1', 'a', 'm0', 1, 'file'), ('s1', 'a', 'm0', 2, 'rule'), ('s1', 'a', 'm3', 0, 'file'), ('s1', 'a', 'm5', 0, 'link'),
    ('s1', 'a', NULL, 0, 'doc'), ('s1', 'a', 'gone', 0, 'image'), ('s1', 'a', 'm6', 0, 'rule'), ('s2', 'a', 'm0', 0, 'file');
INSERT INTO tool_calls (source_id, conversation_id, message_id, call_index, position, is_error) VALUES
    ('s1', 'a', 'm1', 0, 1, true), ('s1', 'a', 'm2', 0, 2, false), ('s1', 'a', 'm5', 0, 5, NULL), ('s1', 'a', 'm5', 1, 5, false);
INSERT INTO code_edits (source_id, edit_id, conversation_id, message_id, is_accepted, deleted_at) VALUES
    ('s1', 'e1', 'a', 'm1', true, NULL), ('s1', 'e2', 'a', 'm5', NULL, NULL), ('s1', 'e3', 'a', 'm5', false, '2025-06-01 00:00:00+00');
