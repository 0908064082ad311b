-- One prompt that three models answered: a copy each. Two of these copies say what they are, and the parent lists all three. The parent of q says that it is
-- one; x is listed by a parent, and nobody says that it is a copy; y says so, and nobody lists it.
-- z, s1 and s2 have what subagents have: z is in both lists of its parent, s1 names its parent itself, s2 is listed by one that is marked. s3 is a subagent that is listed by one that is not.
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at) VALUES
    ('p', 'file:///p', 'p', 'composer', '2025-03-10 09:00:00+00'),
    ('p1', 'file:///p', 'p', 'composer', '2025-03-10 09:00:00+00'), ('p2', 'file:///other', 'other', 'composer', '2025-03-10 09:00:01+00'), ('p3', NULL, NULL, NULL, '2025-03-10 09:00:02+00'),
    ('p1 sub', NULL, NULL, NULL, '2025-03-10 09:00:30+00'),
    ('q', 'file:///q', 'q', 'composer', '2025-03-11 09:00:00+00'), ('q1', 'file:///q', 'q', 'composer', '2025-03-11 12:00:00+00'),
    ('x', 'file:///x', 'x', 'composer', '2025-03-12 09:00:00+00'), ('y', 'file:///y', 'y', 'composer', '2025-03-13 09:00:00+00'),
    ('z', 'file:///p', 'p', 'composer', '2025-03-10 09:00:00+00'),
    ('s1', NULL, NULL, NULL, '2025-03-10 09:00:00+00'), ('s2', NULL, NULL, NULL, '2025-03-11 09:00:00+00'), ('s3', NULL, NULL, NULL, '2025-03-10 09:00:00+00'),
    -- a copy that began before its parent, a fork of it, and a fork of the parent
    ('v', NULL, NULL, NULL, '2025-03-14 09:00:01+00'), ('v1', NULL, NULL, NULL, '2025-03-14 09:00:00+00'), ('fork of v1', NULL, NULL, NULL, '2025-03-15 09:00:00+00'), ('fork of v', NULL, NULL, NULL, '2025-03-16 09:00:00+00');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('p1', 'p1', 3, NULL), ('p2', 'p2', 3, NULL),
    ('p1', 'p', 5, 'p'), ('p2', 'p', 5, 'p'), ('p3', 'p', 5, 'p'),
    ('p1 sub', 'p1', 2, 'p1'),
    ('q1', 'q', 4, 'q'), ('x', 'p', 5, 'p'), ('y', 'y', 3, NULL), ('z', 'p', 2, 'p'), ('z', 'z', 3, NULL), ('z', 'p', 4, 'p'), ('v1', 'v1', 3, NULL), ('v1', 'v', 5, 'v'),
    ('s1', 's1', 0, 'p'), ('s1', 's1', 1, NULL), ('s1', 's1', 3, 'p'), ('s2', 's2', 0, 'q'), ('s2', 'q', 4, 'q'), ('s3', 's3', 0, 'p'), ('s3', 'p', 5, 'p');
INSERT INTO messages (conversation_id, message_id, position, turn, role, request_id, input_tokens, created_at) VALUES
    ('p', 'm0', 0, 1, 'user', 'r1', NULL, '2025-03-10 09:00:00+00'), ('p', 'm1', 1, 1, 'assistant', NULL, 1, '2025-03-10 09:01:00+00'),
    ('p1', 'm0', 0, 1, 'user', 'r1', NULL, '2025-03-10 09:00:00+00'), ('p1', 'm1', 1, 1, 'assistant', NULL, 2, '2025-03-10 09:01:00+00'),
    ('p2', 'm0', 0, 1, 'user', 'r1', NULL, '2025-03-10 09:00:00+00'), ('p2', 'm1', 1, 1, 'assistant', NULL, 4, '2025-03-10 09:01:00+00'),
    ('q', 'm0', 0, 1, 'user', 'r2', NULL, '2025-03-11 09:00:00+00'), ('q1', 'm0', 0, 1, 'user', 'r2', NULL, '2025-03-11 09:00:00+00'), ('q1', 'm1', 1, 1, 'assistant', NULL, 8, '2025-03-11 12:01:00+00'),
    ('v', 'm0', 0, 1, 'user', 'r3', NULL, '2025-03-14 09:00:01+00'), ('v1', 'm0', 0, 1, 'user', 'r3', NULL, '2025-03-14 09:00:00+00'), ('v1', 'm1', 1, 2, 'user', 'r4', NULL, '2025-03-14 09:01:00+00'),
    ('fork of v1', 'm0', 0, 1, 'user', 'r4', NULL, '2025-03-14 09:01:00+00'), ('fork of v', 'm0', 0, 1, 'user', 'r3', NULL, '2025-03-14 09:00:01+00');
