-- Prompts on 1, 2 and 3 May (two on the 2nd), on the 5th, and on the 7th and 8th; an answer on the 4th is no prompt.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id) VALUES ('a');
INSERT INTO messages (conversation_id, message_id, position, turn, role, text, created_at) VALUES ('a', 'u1', 0, 1, 'user', 'a', '2026-05-01 09:00:00+00'), ('a', 'u2', 1, 2, 'user', 'b', '2026-05-02 09:00:00+00'),
    ('a', 'u3', 2, 3, 'user', 'c', '2026-05-02 10:00:00+00'), ('a', 'u4', 3, 4, 'user', 'd', '2026-05-03 23:59:59+00'), ('a', 'a4', 4, 4, 'assistant', 'x', '2026-05-04 00:00:01+00'),
    ('a', 'u5', 5, 5, 'user', 'e', '2026-05-05 09:00:00+00'), ('a', 'u6', 6, 6, 'user', 'f', '2026-05-07 09:00:00+00'), ('a', 'u7', 7, 7, 'user', 'g', '2026-05-08 09:00:00+00'), ('a', 'u8', 8, 8, 'user', 'h', NULL);
