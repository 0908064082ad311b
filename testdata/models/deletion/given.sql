-- A conversation that Cursor deleted leaves its session and its periods; the session's id and figures follow.
INSERT INTO conversations (conversation_id, created_at) VALUES
    ('c1', '2025-03-10 09:00:00+00'), ('c2', '2025-03-10 09:10:00+00'), ('sub of c1', '2025-03-10 09:11:00+00');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub of c1', 'c1', 2, 'c1');
INSERT INTO messages (conversation_id, message_id, position, created_at) VALUES
    ('c1', 'm1', 0, '2025-03-10 09:00:00+00'), ('c2', 'm2', 0, '2025-03-10 09:10:00+00');
