-- A conversation moves to another project: the group that it leaves and the one that it comes to are both built anew, its subagent's too.
INSERT INTO conversations (conversation_id, project_uri, project, project_source, created_at) VALUES
    ('c1', 'file:///old', 'old', 'composer', '2025-03-10 09:00:00+00'),
    ('c2', 'file:///old', 'old', 'composer', '2025-03-10 09:20:00+00'),
    ('c3', 'file:///old', 'old', 'composer', '2025-03-10 09:40:00+00'),
    ('c4', 'file:///new', 'new', 'composer', '2025-03-10 09:45:00+00'),
    ('sub', NULL, NULL, NULL, '2025-03-10 09:21:00+00'),
    ('alone', 'file:///alone', 'alone', 'composer', '2025-03-10 09:00:00+00');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub', 'c2', 2, 'c2');
INSERT INTO messages (conversation_id, message_id, position, created_at) VALUES
    ('c1', 'm1', 0, '2025-03-10 09:00:00+00'), ('c2', 'm2', 0, '2025-03-10 09:20:00+00'), ('sub', 'm3', 0, '2025-03-10 09:21:00+00'),
    ('alone', 'm4', 0, '2025-03-10 09:00:00+00');
