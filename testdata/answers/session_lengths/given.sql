-- Session one: conversation a (09:00) and, within the gap, b (09:20), which is resumed at 15:00. From 09:00:10 the steps are 10 min, 10 min, 30 min
-- (as long as the gap: counted), then over five hours (not), then 1 min. A subagent's message and a deleted one count nowhere.
-- Session two: one message without a time of its own: nothing says how long it took. Session three, in s2, has one message with a time.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, created_at) VALUES
    ('s1', 'b', 'Second', 'file:///site', 'site', '2025-03-10 09:20:00+00'),
    ('s1', 'a', 'First', 'file:///site', 'site', '2025-03-10 09:00:00+00'),
    ('s1', 'sub', 'Sub', 'file:///site', 'site', '2025-03-10 09:01:00+00'),
    ('s1', 'c', NULL, 'file:///site', 'site', '2025-03-12 09:00:00+00'),
    ('s2', 'a', 'Elsewhere', 'file:///site', 'site', '2025-03-10 09:00:00+00');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub', 'sub', 0, 'a');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, 'user', '2025-03-10 09:00:10+00', 'message', NULL),
    ('s1', 'a', 'm1', 1, 'assistant', '2025-03-10 09:10:10+00', 'message', NULL),
    ('s1', 'a', 'm2', 2, 'assistant', '2025-03-10 09:10:10+00', 'previous', NULL),
    ('s1', 'b', 'm0', 0, 'user', '2025-03-10 09:20:10+00', 'header', NULL),
    ('s1', 'b', 'm1', 1, 'assistant', '2025-03-10 09:50:10+00', 'timing', NULL),
    ('s1', 'b', 'm2', 2, 'user', '2025-03-10 15:00:00+00', 'message', NULL),
    ('s1', 'b', 'm3', 3, 'assistant', '2025-03-10 15:01:00+00', 'message', NULL),
    ('s1', 'b', 'x', NULL, 'assistant', '2025-03-10 15:02:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('s1', 'sub', 'm0', 0, 'user', '2025-03-10 15:10:00+00', 'message', NULL),
    ('s1', 'c', 'm0', 0, 'user', '2025-03-12 09:00:00+00', 'conversation', NULL),
    ('s2', 'a', 'm0', 0, 'user', '2025-03-10 09:03:00+00', 'message', NULL);
-- Empty conversations are no chats, whether they are drafts or not.
UPDATE conversations SET missing_message_count = 0, is_draft = NULL WHERE is_draft;
UPDATE conversations SET display_title = title;
