-- s1 has three chats, s2 two of them; s3 has an old copy of one.
INSERT INTO sources (source_id, first_seen_at) VALUES ('s1', '2025-06-01 00:00:00+00'), ('s2', '2025-06-02 00:00:00+00');
INSERT INTO conversations (source_id, conversation_id, project_uri, project, project_source, created_at) VALUES
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'file:///a', 'a', 'composer', '2025-03-10 09:00:00+00'),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', 'file:///b', 'b', 'composer', '2025-03-10 09:00:00+00'),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000002', 'file:///c', 'c', 'composer', '2025-03-10 12:00:00+00'),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000002', 'file:///b', 'b', 'composer', '2025-03-10 12:00:00+00'),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000003', 'file:///a', 'a', 'composer', '2025-03-10 15:00:00+00'),
    ('s3', 'aaaaaaaa-0000-4000-8000-000000000001', NULL, NULL, NULL, '2025-03-10 08:00:00+00'),
    ('s1', 'task-1', NULL, NULL, NULL, '2025-03-10 09:01:00+00'),
    ('s2', 'task-1', NULL, NULL, NULL, '2025-03-10 09:01:00+00');
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('s1', 'task-1', 'aaaaaaaa-0000-4000-8000-000000000001', 2, 'aaaaaaaa-0000-4000-8000-000000000001'),
    ('s2', 'task-1', 'aaaaaaaa-0000-4000-8000-000000000001', 2, 'aaaaaaaa-0000-4000-8000-000000000001');
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at) VALUES
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'm1', 0, '2025-03-10 09:00:00+00'),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', 'm1', 0, '2025-03-10 09:00:00+00'),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000002', 'm1', 0, '2025-03-10 12:00:00+00'),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000002', 'm1', 0, '2025-03-10 12:00:00+00'),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000003', 'm1', 0, '2025-03-10 15:00:00+00');
-- a commit of project b, half an hour after the second chat
INSERT INTO repositories (repository_id, project_uri, project_path, repository_path, read_as) VALUES ('r', 'file:///b', '/b', '/b', '(git/r/places)'), ('r', 'file:///a', '/a', '/a', '(git/r/places)');
INSERT INTO commits (repository_id, commit_hash, authored_at, read_as) VALUES ('r', 'h', '2025-03-10 12:20:00+00', '(git/r/2025-03)');
