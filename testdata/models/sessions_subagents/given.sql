-- A subagent has its parent's session, through several levels; neither its start nor its messages hold a session open.
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at, deleted_at, status) VALUES
    ('c1', 'file:///p', 'p', 'composer', '2025-03-10 09:00:00+00', NULL, NULL),
    ('c2', 'file:///p', 'p', 'composer', '2025-03-10 10:00:00+00', NULL, NULL),
    ('c3 deleted', 'file:///p', 'p', 'composer', '2025-03-10 12:00:00+00', '2025-06-01 00:00:00+00', NULL),
    ('s1', 'file:///p', 'p', 'composer', '2025-03-10 09:40:00+00', NULL, NULL),
    ('s2', NULL, NULL, NULL, '2025-03-10 09:41:00+00', NULL, NULL),
    ('s3 elsewhere', 'file:///q', 'q', 'composer', '2025-03-10 09:42:00+00', NULL, NULL),
    ('s4 no time', NULL, NULL, NULL, NULL, NULL, NULL),
    ('s5 deleted', NULL, NULL, NULL, '2025-03-10 09:43:00+00', '2025-06-01 00:00:00+00', NULL),
    ('s6 of deleted', NULL, NULL, NULL, '2025-03-10 12:01:00+00', NULL, NULL),
    ('s7 of nobody', NULL, NULL, NULL, '2025-03-10 12:02:00+00', NULL, NULL),
    ('s8 of a missing one', NULL, NULL, NULL, '2025-03-10 12:03:00+00', NULL, NULL);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('s1', 'c1', 2, 'c1'),
    ('s2', 's1', 2, 's1'),
    ('s3 elsewhere', 's2', 2, 's2'),
    ('s4 no time', 'c1', 2, 'c1'),
    ('s5 deleted', 'c1', 2, 'c1'),
    ('s6 of deleted', 's6 of deleted', 0, 'c3 deleted'),
    ('s7 of nobody', 's7 of nobody', 1, NULL),
    ('s8 of a missing one', 's8 of a missing one', 0, 'gone');
INSERT INTO messages (conversation_id, message_id, role, position, created_at) VALUES
    ('c1', 'm1', 'user', 0, '2025-03-10 09:00:00+00'),
    ('s1', 'm2', 'user', 0, '2025-03-10 09:40:00+00'),
    ('s1', 'm3', 'assistant', 1, '2025-03-10 09:50:00+00'),
    ('c2', 'm4', 'user', 0, '2025-03-10 10:00:00+00');
