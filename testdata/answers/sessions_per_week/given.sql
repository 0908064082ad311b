-- Project site in the week of Monday 2025-03-10: two sessions (09:00, and 23:30 on Sunday), whose second has messages on the Monday after. A
-- subagent, an empty draft, a deleted conversation and an orphan are no conversations of that week; the other source has a conversation of the same id.
-- One conversation has neither a time nor a project.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, status, is_draft, created_at, updated_at, deleted_at) VALUES
    ('s1', 'a', 'file:///site', 'site', NULL, NULL, '2025-03-10 09:00:00+00', NULL, NULL),
    ('s1', 'b', 'file:///site', 'site', NULL, NULL, '2025-03-16 23:30:00+00', NULL, NULL),
    ('s1', 'sub', 'file:///site', 'site', NULL, NULL, '2025-03-10 09:01:00+00', NULL, NULL),
    ('s1', 'draft', 'file:///site', 'site', NULL, true, '2025-03-12 09:00:00+00', NULL, NULL),
    ('s1', 'gone', 'file:///site', 'site', NULL, NULL, '2025-03-13 09:00:00+00', NULL, '2025-06-01 00:00:00+00'),
    ('s1', 'orphan', 'file:///site', 'site', 'orphaned', NULL, '2025-03-13 09:00:00+00', NULL, NULL),
    ('s1', 'untimed', NULL, NULL, NULL, NULL, NULL, NULL, NULL),
    ('s2', 'a', 'file:///site', 'site', NULL, NULL, NULL, '2025-03-11 09:00:00+00', NULL),
    ('s2', 'c', 'file:///other', 'other', NULL, NULL, '2025-03-17 00:00:00+00', NULL, NULL);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub', 'sub', 0, 'a');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, 'user', '2025-03-10 09:00:10+00', 'message', NULL),
    ('s1', 'a', 'm1', 1, 'assistant', '2025-03-10 09:00:20+00', 'header', NULL),
    ('s1', 'a', 'm2', 2, 'assistant', '2025-03-10 09:00:20+00', 'previous', NULL),
    ('s1', 'a', 'x', NULL, 'user', '2025-03-10 09:00:20+00', 'message', '2025-06-01 00:00:00+00'),
    ('s1', 'sub', 'm0', 0, 'user', '2025-03-10 09:01:00+00', 'message', NULL),
    ('s1', 'b', 'm0', 0, 'user', '2025-03-16 23:59:59+00', 'timing', NULL),
    ('s1', 'b', 'm1', 1, 'assistant', '2025-03-17 00:00:00+00', 'message', NULL),
    ('s1', 'gone', 'm0', 0, 'user', '2025-03-13 09:00:00+00', 'message', NULL),
    ('s1', 'orphan', 'm0', 0, 'user', '2025-03-13 09:00:00+00', 'message', NULL),
    ('s1', 'untimed', 'm0', 0, 'unknown', NULL, NULL, NULL),
    ('s2', 'a', 'm0', 0, 'user', '2025-03-11 09:00:00+00', 'conversation', NULL);
-- Empty conversations are no chats, whether they are drafts or not.
UPDATE conversations SET missing_message_count = 0, is_draft = NULL WHERE is_draft;
UPDATE conversations SET display_title = title;
