-- Week of 3 March: gpt-5 three answers, sonnet one, one without a name. Week of 10 March: gpt-5 one, composer-1 one (sonnet is gone), a
-- prompt with a model is no answer, nor is a deleted message. Two weeks on: one of gpt-5; the week before it has no row to compare with.
-- In April gpt-5 was chosen, and nothing answered. In the first week of May gpt-5 and sonnet gave one answer each; in the second gpt-5 was chosen, and nothing answered.
INSERT INTO sources (source_id) VALUES ('s1'), ('s2');
INSERT INTO conversations (source_id, conversation_id, model, is_draft, created_at) VALUES
    ('s1', 'a', 'auto', NULL, '2025-03-03 09:00:00+00'),
    ('s1', 'b', NULL, NULL, '2025-03-10 09:00:00+00'),
    ('s1', 'sub', 'gpt-5', NULL, '2025-03-10 09:00:00+00'),
    ('s1', 'draft', 'gpt-5', true, '2025-03-10 09:00:00+00'),
    ('s1', 'quiet', 'gpt-5', NULL, '2025-04-07 09:00:00+00'),
    ('s1', 'may', NULL, NULL, '2025-05-05 09:00:00+00'),
    ('s1', 'after', 'gpt-5', NULL, '2025-05-12 09:00:00+00'),
    ('s2', 'a', 'gpt-5', NULL, '2025-03-03 09:00:00+00');
INSERT INTO _subagent_claims (conversation_id, claimed_by, rank, parent_conversation_id) VALUES ('sub', 'sub', 0, 'b');
INSERT INTO messages (source_id, conversation_id, message_id, position, role, model, created_at, created_at_source, deleted_at) VALUES
    ('s1', 'a', 'm0', 0, 'assistant', 'gpt-5', '2025-03-03 00:00:00+00', 'message', NULL),
    ('s1', 'a', 'm1', 1, 'assistant', 'gpt-5', '2025-03-09 23:59:59+00', 'message', NULL),
    ('s2', 'a', 'm0', 0, 'assistant', 'gpt-5', '2025-03-03 09:00:00+00', 'message', NULL),
    ('s2', 'a', 'm1', 1, 'assistant', 'sonnet', '2025-03-03 09:00:00+00', 'message', NULL),
    ('s2', 'a', 'm2', 2, 'assistant', NULL, '2025-03-03 09:00:00+00', 'message', NULL),
    ('s1', 'b', 'm0', 0, 'user', 'sonnet', '2025-03-10 09:00:00+00', 'message', NULL),
    ('s1', 'b', 'm1', 1, 'assistant', 'gpt-5', '2025-03-10 09:00:00+00', 'message', NULL),
    ('s1', 'b', 'm2', 2, 'assistant', 'composer-1', '2025-03-10 09:00:00+00', 'message', NULL),
    ('s1', 'b', 'x', NULL, 'assistant', 'sonnet', '2025-03-10 09:00:00+00', 'message', '2025-06-01 00:00:00+00'),
    ('s1', 'b', 'm3', 3, 'assistant', 'gpt-5', '2025-03-24 09:00:00+00', 'message', NULL),
    ('s1', 'may', 'm0', 0, 'assistant', 'gpt-5', '2025-05-05 09:00:00+00', 'message', NULL),
    ('s1', 'may', 'm1', 1, 'assistant', 'sonnet', '2025-05-05 09:00:00+00', 'message', NULL),
    ('s1', 'after', 'm0', 0, 'user', NULL, '2025-05-12 09:00:00+00', 'message', NULL),
    ('s1', 'b', 'm4', 4, 'assistant', 'gpt-5', NULL, NULL, NULL);
-- Empty conversations are no chats, whether they are drafts or not.
UPDATE conversations SET missing_message_count = 0, is_draft = NULL WHERE is_draft;
UPDATE conversations SET display_title = title;
