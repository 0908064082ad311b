-- A chat (a), a fork of it (b) that goes on, and a fork of the fork (c): the second of c's repeated requests is b's own. Only prompts name their request.
INSERT INTO sources (source_id, first_seen_at) VALUES ('s1', '2025-06-01 00:00:00+00'), ('s2', '2025-06-02 00:00:00+00');
INSERT INTO conversations (source_id, conversation_id, created_at, updated_at, status, deleted_at) VALUES
    ('s1', 'a', '2025-03-10 09:00:00+00', NULL, NULL, NULL),
    ('s1', 'b', '2025-03-11 09:00:00+00', NULL, NULL, NULL),
    ('s1', 'c', '2025-03-12 09:00:00+00', NULL, NULL, NULL),
    -- no time at all: it started last
    ('s1', 'never', NULL, NULL, NULL, NULL),
    -- of the same start: the smaller id is first
    ('s1', 'twin 1', '2025-03-13 09:00:00+00', NULL, NULL, NULL), ('s1', 'twin 2', '2025-03-13 09:00:00+00', NULL, NULL, NULL),
    -- deleted and orphaned ones own no request; what they have of others repeats
    ('s1', 'gone', '2025-03-01 09:00:00+00', NULL, NULL, '2025-06-01 00:00:00+00'), ('s1', 'after gone', '2025-03-02 09:00:00+00', NULL, NULL, NULL),
    ('s1', 'gone fork', '2025-03-20 09:00:00+00', NULL, NULL, '2025-06-01 00:00:00+00'),
    ('s1', 'orphan', NULL, '2025-03-01 09:00:00+00', 'orphaned', NULL), ('s1', 'after orphan', '2025-03-02 09:00:00+00', NULL, NULL, NULL),
    -- a subagent has its parent's request, and no fork is of it
    ('s1', 'sub', '2025-03-10 09:00:10+00', NULL, NULL, NULL),
    ('s1', 'alone', '2025-03-15 09:00:00+00', NULL, NULL, NULL),
    -- two requests in a turn: what names none has that of the prompt, whatever the ids are
    ('s1', 'asked twice', '2025-03-18 09:00:00+00', NULL, NULL, NULL),
    -- one chat in two sources is no fork of itself; its fork is one in either
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', '2025-03-16 09:00:00+00', NULL, NULL, NULL),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', '2025-03-16 09:00:00+00', '2025-04-16 09:00:00+00', NULL, NULL),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000002', '2025-03-17 09:00:00+00', NULL, NULL, NULL),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000002', '2025-03-17 09:00:00+00', NULL, NULL, NULL);
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub', 'a', 2, 'a');
INSERT INTO messages (source_id, conversation_id, message_id, position, turn, role, request_id, input_tokens, deleted_at) VALUES
    ('s1', 'a', 'a0', 0, 1, 'user', 'r1', NULL, NULL), ('s1', 'a', 'a1', 1, 1, 'assistant', NULL, 10, NULL),
    ('s1', 'a', 'a2', 2, 2, 'user', 'r2', NULL, NULL), ('s1', 'a', 'a3', 3, 2, 'assistant', NULL, 20, NULL),
    ('s1', 'b', 'b0', 0, 1, 'user', 'r1', NULL, NULL), ('s1', 'b', 'b1', 1, 1, 'assistant', NULL, 10, NULL),
    ('s1', 'b', 'b2', 2, 2, 'user', 'r3', NULL, NULL), ('s1', 'b', 'b3', 3, 2, 'assistant', NULL, 40, NULL),
    ('s1', 'b', 'b4', 4, 2, 'assistant', 'r1', 1, NULL), -- names another request than its turn
    ('s1', 'b', 'b5', NULL, 1, 'assistant', 'r1', 10, '2025-06-01 00:00:00+00'),
    ('s1', 'c', 'c0', 0, 1, 'user', 'r1', NULL, NULL), ('s1', 'c', 'c1', 1, 1, 'assistant', NULL, 10, NULL),
    ('s1', 'c', 'c2', 2, 2, 'user', 'r3', NULL, NULL), ('s1', 'c', 'c3', 3, 3, 'user', 'r4', NULL, NULL),
    ('s1', 'never', 'n0', 0, 1, 'user', 'r2', NULL, NULL),
    ('s1', 'twin 1', 't0', 0, 1, 'user', 'r5', NULL, NULL), ('s1', 'twin 2', 't0', 0, 1, 'user', 'r5', NULL, NULL),
    ('s1', 'gone', 'g0', NULL, 1, 'user', 'r6', NULL, '2025-06-01 00:00:00+00'), ('s1', 'after gone', 'g1', 0, 1, 'user', 'r6', NULL, NULL),
    ('s1', 'gone fork', 'f0', NULL, 1, 'user', 'r2', NULL, '2025-06-01 00:00:00+00'),
    ('s1', 'orphan', 'o0', 0, 1, 'user', 'r7', NULL, NULL), ('s1', 'after orphan', 'o1', 0, 1, 'user', 'r7', NULL, NULL),
    ('s1', 'sub', 's0', 0, 1, 'user', 'r2', NULL, NULL), ('s1', 'sub', 's1', 1, 1, 'assistant', NULL, 80, NULL),
    ('s1', 'alone', 'l0', 0, 1, 'user', 'r8', NULL, NULL), ('s1', 'alone', 'l1', 1, 1, 'assistant', NULL, 160, NULL), ('s1', 'alone', 'l2', 2, 2, 'user', NULL, NULL, NULL),
    ('s1', 'asked twice', 'w0', 0, 1, 'user', 'new', NULL, NULL), ('s1', 'asked twice', 'w1', 1, 1, 'assistant', NULL, 320, NULL), ('s1', 'asked twice', 'w2', 2, 1, 'assistant', 'r8', NULL, NULL),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'u0', 0, 1, 'user', 'r9', NULL, NULL), ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', 'u0', 0, 1, 'user', 'r9', NULL, NULL),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000002', 'v0', 0, 1, 'user', 'r9', NULL, NULL), ('s2', 'aaaaaaaa-0000-4000-8000-000000000002', 'v0', 0, 1, 'user', 'r9', NULL, NULL);
INSERT INTO model_usage (source_id, conversation_id, model, cost_cents, requests, deleted_at) VALUES
    ('s1', 'a', 'auto', 100, 4, NULL), ('s1', 'a', 'gpt-5', NULL, 2, NULL), ('s1', 'a', 'o3', 7, 1, NULL),
    ('s1', 'b', 'auto', 100, 4, NULL), ('s1', 'b', 'gpt-5', NULL, 2, NULL), ('s1', 'b', 'o3', 9, 1, NULL), ('s1', 'b', 'new', 3, 1, NULL),
    ('s1', 'alone', 'auto', 100, 4, NULL);
UPDATE messages SET created_at_source = NULL;
