-- 4 May 2026 is a Monday, 10 May a Sunday. Two prompts on Monday at 9, one on the next Monday, one on Sunday at 23; one without a time.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id) VALUES ('a');
INSERT INTO messages (conversation_id, message_id, position, turn, role, text, created_at) VALUES ('a', 'u1', 0, 1, 'user', 'a', '2026-05-04 09:00:00+00'), ('a', 'u2', 1, 2, 'user', 'b', '2026-05-04 09:59:59+00'),
    ('a', 'u3', 2, 3, 'user', 'c', '2026-05-11 09:30:00+00'), ('a', 'u4', 3, 4, 'user', 'd', '2026-05-10 23:00:00+00'), ('a', 'u5', 4, 5, 'user', 'e', NULL);
