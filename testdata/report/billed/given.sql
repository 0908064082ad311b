-- Two projects and a chat without one. In shop, conversation a has a prompt done by two requests (with a split), and one that failed; its subagent has one without a price. Blog has a turn
-- with a rejected call. Commit k1 of shop comes between the prompts of a, k2 after both; k3 touches no file of a. The chat has no event: a price list estimates it. One event is of nobody,
-- one names a chat that is in no store, one failed and cost nothing.
INSERT INTO sources (source_id, app) VALUES ('s1', 'Cursor'), ('git', 'git');
INSERT INTO conversations (conversation_id, title, display_title, project, project_uri, project_path, is_subagent, parent_conversation_id, created_at) VALUES
    ('a', 'Cart', 'Cart', 'shop', 'file:///shop', '/shop', false, NULL, '2026-05-01 10:00:00+00'), ('sub', 'Look', 'Look', 'shop', 'file:///shop', '/shop', true, 'a', '2026-05-01 10:06:00+00'),
    ('b', 'Post', 'Post', 'blog', 'file:///blog', '/blog', false, NULL, '2026-05-02 09:00:00+00'), ('c', 'Chat', 'Chat', NULL, NULL, NULL, false, NULL, '2026-05-03 09:00:00+00');
INSERT INTO _subagent_claims (conversation_id, claimed_by, parent_conversation_id, rank) VALUES ('sub', 'a', 'a', 2);
INSERT INTO messages (conversation_id, message_id, position, turn, role, kind, text, error, request_id, model, created_at) VALUES
    ('a', 'u1', 0, 1, 'user', 'text', 'Make it', NULL, 'r1', NULL, '2026-05-01 10:00:00+00'), ('a', 'a1', 1, 1, 'assistant', 'text', 'Made', NULL, NULL, 'm1', '2026-05-01 10:08:00+00'),
    ('a', 'u2', 2, 2, 'user', 'text', 'Better', NULL, 'r2', NULL, '2026-05-01 10:20:00+00'), ('a', 'a2', 3, 2, 'assistant', 'error', NULL, 'no network', NULL, 'm1', '2026-05-01 10:30:00+00'),
    ('sub', 'x1', 0, 1, 'user', 'text', 'Look', NULL, 'r3', NULL, '2026-05-01 10:06:00+00'), ('sub', 'x2', 1, 1, 'assistant', 'text', 'Seen', NULL, NULL, 'm2', '2026-05-01 10:07:00+00'),
    ('b', 'u1', 0, 1, 'user', 'text', 'Write', NULL, 'r4', NULL, '2026-05-02 09:00:00+00'), ('b', 'b1', 1, 1, 'assistant', 'tool_call', NULL, NULL, NULL, 'm1', '2026-05-02 09:15:00+00'),
    ('c', 'u1', 0, 1, 'user', 'text', 'How are you', NULL, 'r5', NULL, '2026-05-03 09:00:00+00'), ('c', 'c1', 1, 1, 'assistant', 'text', 'Well thanks', NULL, NULL, 'm3', '2026-05-03 09:01:00+00');
INSERT INTO tool_calls (conversation_id, message_id, position, tool_kind, file_path, user_decision) VALUES ('a', 'a1', 1, 'edit', 'x.go', NULL), ('b', 'b1', 1, 'edit', 'y.go', 'rejected');
INSERT INTO repositories (repository_id, project_uri, project_path, repository_path) VALUES ('r', 'file:///shop', '/shop', '/shop');
INSERT INTO commits (repository_id, commit_hash, subject, author_name, authored_at, committed_at, files_changed) VALUES
    ('r', 'k1k1k1k1k1k1', 'Make it', 'Mira', '2026-05-01 10:10:00+00', '2026-05-01 10:10:00+00', 1), ('r', 'k2k2k2k2k2k2', 'Better', 'Mira', '2026-05-01 10:31:00+00', '2026-05-01 10:31:00+00', 1),
    ('r', 'k3k3k3k3k3k3', 'Beside', 'Mira', '2026-05-01 10:21:00+00', '2026-05-01 10:21:00+00', 1);
INSERT INTO commit_files (repository_id, commit_hash, path) VALUES ('r', 'k1k1k1k1k1k1', 'x.go'), ('r', 'k2k2k2k2k2k2', 'x.go'), ('r', 'k3k3k3k3k3k3', 'z.go');
INSERT INTO usage_records (event_id, request_id, conversation_id, occurred_at, model, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, is_counted, origin) VALUES
    ('1', 'r1', 'a', '2026-05-01 10:04:00+00', 'm1', 100, 20, 80, 5, 10, 4, true, 'api'), ('2', 'r1', 'a', '2026-05-01 10:08:30+00', 'm1', 100, 0, 100, 6, 2.5, NULL, true, 'api'),
    ('3', 'r2', 'a', '2026-05-01 10:30:10+00', 'm1', 3, 0, 0, 4, 20, 20, true, 'api'), ('4', 'r3', 'sub', '2026-05-01 10:07:00+00', 'm2', 7, NULL, NULL, 1, NULL, NULL, true, 'hook'),
    ('5', 'r4', 'b', '2026-05-02 09:15:00+00', 'm1', 50, 0, 50, 6, 5, 0, true, 'api'), ('6', NULL, NULL, '2026-05-02 12:00:00+00', 'm1', 1, 1, 1, 1, 99, 99, true, 'csv'),
    ('7', NULL, 'gone', '2026-05-02 13:00:00+00', 'm2', 1, 0, 0, 1, 1, 1, true, 'api'), ('8', NULL, 'a', '2026-05-01 10:05:00+00', 'm1', 9, 9, 9, 9, 0, 0, false, 'api');
-- a token of input costs a cent, one of output two
INSERT INTO model_prices (model, input_usd, output_usd) VALUES ('m3', 10000, 20000);
