-- A gap of strictly more than 30 minutes starts a new period. Messages of all conversations of a project count, subagents included;
-- deleted messages, inherited times, deleted and orphaned conversations do not.
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at, status, deleted_at) VALUES
    ('c1', 'file:///p', 'p', 'composer', '2025-03-10 09:00:00+00', NULL, NULL),
    ('c2', 'file:///p', 'p', 'composer', '2025-03-10 20:00:00+00', NULL, NULL),
    ('sub', NULL, NULL, NULL, NULL, NULL, NULL),
    ('orphan', 'file:///p', 'p', 'composer', NULL, 'orphaned', NULL),
    ('gone', 'file:///p', 'p', 'composer', NULL, NULL, '2025-06-01 00:00:00+00'),
    ('no start', 'file:///p', 'p', 'composer', NULL, NULL, NULL);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub', 'c1', 2, 'c1');
INSERT INTO messages (conversation_id, message_id, role, position, created_at, created_at_source, deleted_at) VALUES
    ('c1', 'm1', 'user', 0, '2025-03-10 09:00:00+00', 'message', NULL),
    ('c1', 'm2', 'assistant', 1, '2025-03-10 09:30:00+00', 'header', NULL),       -- exactly the gap: the same period
    ('c1', 'm3', 'assistant', 2, '2025-03-10 10:00:00.001+00', 'timing', NULL),   -- one millisecond more: a new one
    ('c2', 'm4', 'user', 0, '2025-03-10 10:10:00+00', 'message', NULL),           -- before its conversation was created
    ('sub', 'm5', 'user', 0, '2025-03-10 10:40:00+00', 'message', NULL),
    ('sub', 'm6', 'unknown', 1, '2025-03-10 10:40:00+00', 'message', NULL),       -- the same instant
    ('c1', 'm7', 'user', 3, '2025-03-10 11:00:00+00', 'previous', NULL),
    ('c1', 'm8', 'user', NULL, '2025-03-10 11:01:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('orphan', 'm9', 'user', 0, '2025-03-10 11:02:00+00', 'message', NULL),
    ('gone', 'm10', 'user', NULL, '2025-03-10 11:03:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('c2', 'm11', 'assistant', 1, '2025-03-10 11:10:00.001+00', 'message', NULL);
INSERT INTO tool_calls (conversation_id, message_id, call_index, position, deleted_at) VALUES
    ('c1', 'm3', 0, 2, NULL), ('c1', 'm3', 1, 2, NULL), ('sub', 'm5', 0, 0, NULL), ('sub', 'm6', 0, NULL, '2025-06-01 00:00:00+00');
