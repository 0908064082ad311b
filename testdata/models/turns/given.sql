-- Chat a: an answered turn with calls, one that failed, one that was aborted by its call, one without an answer, a prompt that a person did not type, and the last turn, answered by a chat that was aborted.
-- r1 is the request of the prompt that best and fork have, too. Chat sub is a subagent, best a try of best-of-N, old is deleted, fork repeats a prompt: none of these has a turn of its own, but for the fork's own prompt. lost has a branch that an edited prompt left.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id, title, display_title, project, project_uri, mode, status, is_subagent, created_at, deleted_at) VALUES
    ('a', 'Shop', 'Shop', 'shop', 'file:///shop', 'agent', 'aborted', false, '2026-05-01 10:00:00+00', NULL), ('sub', 'Look', 'Look', 'shop', 'file:///shop', 'agent', NULL, true, '2026-05-01 10:00:06+00', NULL),
    ('best', 'Try', 'Try', 'shop', 'file:///shop', 'agent', NULL, false, '2026-05-01 10:00:01+00', NULL), ('old', 'Old', 'Old', 'shop', 'file:///shop', 'agent', NULL, false, '2026-05-01 10:00:00+00', '2026-06-01 00:00:00+00'),
    ('fork', 'Fork', 'Fork', NULL, NULL, 'ask', NULL, false, '2026-05-02 08:00:00+00', NULL), ('lost', 'Branch', 'Branch', NULL, NULL, NULL, NULL, false, '2026-05-03 08:00:00+00', NULL);
INSERT INTO messages (conversation_id, message_id, position, turn, role, kind, text, model, error, created_at, created_at_source, input_tokens, cache_read_tokens, output_tokens, request_id, is_simulated, is_listed) VALUES
    ('a', 'u1', 0, 1, 'user', 'text', 'Build it', NULL, NULL, '2026-05-01 10:00:00+00', 'message', NULL, NULL, NULL, 'r1', false, true),
    ('a', 'a1', 1, 1, 'assistant', 'tool_call', NULL, 'm1', NULL, '2026-05-01 10:00:05+00', 'message', 100, 40, 7, NULL, false, true),
    ('a', 'a2', 2, 1, 'assistant', 'tool_call', NULL, 'm2', NULL, '2026-05-01 10:00:09+00', 'message', NULL, NULL, NULL, NULL, false, true),
    ('a', 'a3', 3, 1, 'assistant', 'text', 'Built', NULL, NULL, '2026-05-01 10:00:20+00', 'header', 50, NULL, 3, NULL, false, true),
    ('a', 'u2', 4, 2, 'user', 'text', 'Again', NULL, NULL, '2026-05-01 11:00:00+00', 'message', NULL, NULL, NULL, 'r2', false, true),
    ('a', 'a4', 5, 2, 'assistant', 'error', NULL, 'm1', 'no network', '2026-05-01 11:01:00+00', 'previous', NULL, NULL, NULL, NULL, false, true),
    ('a', 'u3', 6, 3, 'user', 'text', 'Run it', NULL, NULL, '2026-05-01 12:00:00+00', 'conversation', NULL, NULL, NULL, NULL, false, true),
    ('a', 'a5', 7, 3, 'assistant', 'tool_call', NULL, 'm1', NULL, '2026-05-01 12:00:10+00', 'message', NULL, NULL, NULL, NULL, false, true),
    ('a', 'u4', 8, 4, 'user', 'text', 'And now?', NULL, NULL, '2026-05-01 13:00:00+00', 'message', NULL, NULL, NULL, NULL, false, true),
    ('a', 'n1', 9, 4, 'user', 'text', 'A notice', NULL, NULL, '2026-05-01 13:00:30+00', 'message', NULL, NULL, NULL, NULL, true, true),
    ('a', 'u5', 10, 5, 'user', 'text', 'Stop', NULL, NULL, '2026-05-01 14:00:00+00', 'message', NULL, NULL, NULL, NULL, false, true),
    ('a', 'a6', 11, 5, 'assistant', 'text', 'I stop', 'm3', NULL, '2026-05-01 14:00:02+00', 'message', NULL, NULL, NULL, NULL, false, true),
    ('sub', 's1', 0, 1, 'user', 'text', 'Look around', NULL, NULL, '2026-05-01 10:00:06+00', 'message', NULL, NULL, NULL, NULL, true, true),
    ('best', 'b1', 0, 1, 'user', 'text', 'Build it', NULL, NULL, '2026-05-01 10:00:00+00', 'message', NULL, NULL, NULL, 'r1', false, true),
    ('old', 'o1', 0, 1, 'user', 'text', 'Gone', NULL, NULL, '2026-05-01 10:00:00+00', 'message', NULL, NULL, NULL, NULL, false, true),
    ('fork', 'f1', 0, 1, 'user', 'text', 'Build it', NULL, NULL, '2026-05-01 10:00:00+00', 'message', NULL, NULL, NULL, 'r1', false, true),
    ('fork', 'f2', 1, 2, 'user', 'text', 'Otherwise', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, false, true),
    ('fork', 'f3', 2, 2, 'assistant', 'thinking', NULL, 'm1', NULL, '2026-05-02 09:00:00+00', 'message', NULL, NULL, NULL, NULL, false, true),
    ('lost', 'l1', 0, 1, 'user', 'text', 'Edited', NULL, NULL, '2026-05-03 09:00:00+00', 'message', NULL, NULL, NULL, NULL, false, true),
    ('lost', 'l2', 1, 2, 'user', 'text', 'As it was', NULL, NULL, '2026-05-03 08:00:00+00', 'message', NULL, NULL, NULL, NULL, false, false);
INSERT INTO tool_calls (conversation_id, message_id, call_index, tool_kind, outcome, is_error, file_path, lines_added, lines_removed) VALUES
    ('a', 'a1', 0, 'edit', 'ok', false, '/shop/a.go', 10, 2), ('a', 'a1', 1, 'edit', 'ok', false, '/shop/a.go', 1, NULL), ('a', 'a1', 2, 'edit', 'error', true, '/shop/c.go', NULL, NULL),
    ('a', 'a2', 0, 'shell', 'error', true, NULL, NULL, NULL), ('a', 'a2', 1, 'edit', 'ok', false, '/shop/b.go', NULL, NULL), ('a', 'a5', 0, 'shell', 'ok', false, NULL, NULL, NULL), ('a', 'a5', 1, 'edit', 'cancelled', NULL, NULL, NULL, NULL);
INSERT INTO usage_records (event_id, request_id, conversation_id, occurred_at, model, fresh_input_tokens, cache_write_tokens, cache_read_tokens, output_tokens, cost_cents, charged_cents, is_counted, origin) VALUES
    ('1', 'r2', 'a', '2026-05-01 11:00:00+00', 'm1', 10, 5, 100, 7, 3.5, 0, true, 'api'), ('2', 'r2', 'a', '2026-05-01 11:00:30+00', 'm1', 1, NULL, NULL, NULL, 1, NULL, true, 'api');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub', 'a', 2, 'a'), ('best', 'best', 3, NULL), ('best', 'a', 5, 'a');
