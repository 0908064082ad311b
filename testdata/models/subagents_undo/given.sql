-- What claims gave is taken back when they vanish: fact, parent, project, session.
INSERT INTO conversations (conversation_id, project_uri, project, project_path, project_source, created_at) VALUES
    ('p', 'file:///p', 'p', '/p', 'composer', '2025-03-10 09:00:00+00'),
    ('q', 'file:///q', 'q', '/q', 'composer', '2025-03-10 09:00:00+00'),
    ('free', NULL, NULL, NULL, NULL, '2025-03-10 12:00:00+00'),
    ('below free', NULL, NULL, NULL, NULL, '2025-03-10 12:05:00+00'),
    ('own', 'file:///o', 'o', '/o', 'pane', '2025-03-10 12:00:00+00'),
    ('other parent', NULL, NULL, NULL, NULL, '2025-03-10 12:00:00+00');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('free', 'p', 2, 'p'), ('below free', 'free', 2, 'free'), ('own', 'p', 2, 'p'), ('other parent', 'p', 2, 'p'), ('other parent', 'q', 2, 'q');
INSERT INTO messages (conversation_id, message_id, position, role, turn, created_at, created_at_source) VALUES
    ('free', 'm', 0, 'user', 1, '2025-03-10 12:00:00+00', 'message'), ('free', 'n', 1, 'assistant', 1, NULL, NULL),
    ('below free', 'm', 0, 'user', 1, NULL, NULL), ('below free', 'n', 1, 'user', 2, NULL, NULL);
