-- Turns of a: one done by two events, one that failed, one with a rejected call; a subagent's; an event of no turn, and one that is not counted.
INSERT INTO sources (source_id) VALUES ('s1');
INSERT INTO conversations (conversation_id, title, display_title, project, is_subagent, parent_conversation_id) VALUES ('a', 'Shop', 'Shop', 'shop', false, NULL), ('sub', 'Look', 'Look', 'shop', true, 'a');
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, parent_conversation_id, rank) VALUES ('s1', 'sub', 'a', 'a', 2);
INSERT INTO messages (conversation_id, message_id, position, turn, role, kind, text, error, request_id) VALUES ('a', 'u1', 0, 1, 'user', 'text', 'Do it', NULL, 'r1'), ('a', 'a1', 1, 1, 'assistant', 'text', 'Done', NULL, NULL),
    ('a', 'u2', 2, 2, 'user', 'text', 'Again', NULL, 'r2'), ('a', 'a2', 3, 2, 'assistant', 'error', NULL, 'no network', NULL), ('a', 'u3', 4, 3, 'user', 'text', 'Delete it', NULL, 'r3'), ('a', 'a3', 5, 3, 'assistant', 'tool_call', NULL, NULL, NULL),
    ('sub', 's1', 0, 1, 'user', 'text', 'Look around', NULL, 'r4');
INSERT INTO tool_calls (conversation_id, message_id, user_decision) VALUES ('a', 'a3', 'rejected');
INSERT INTO usage_records (event_id, request_id, conversation_id, occurred_at, model, fresh_input_tokens, output_tokens, cost_cents, is_counted, origin) VALUES
    ('1', 'r1', 'a', '2026-05-01 10:00:00+00', 'm1', 100, 5, 10, true, 'api'), ('2', 'r1', 'a', '2026-05-01 10:01:00+00', 'm2', 1, NULL, NULL, true, 'api'), ('3', 'r2', 'a', '2026-05-01 11:00:00+00', 'm1', 3, 4, 20, true, 'api'),
    ('4', 'r3', 'a', '2026-05-01 12:00:00+00', 'm1', 3, 4, 5, true, 'api'), ('5', 'r4', 'sub', '2026-05-01 12:00:00+00', 'm1', 3, 4, NULL, true, 'hook'), ('6', NULL, NULL, '2026-05-01 12:00:00+00', 'm1', 3, 5, 7, true, 'csv'),
    ('7', 'r1', 'a', '2026-05-01 10:00:00+00', 'm1', 100, 5, 10, true, 'csv');
