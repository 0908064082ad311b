-- A laptop and its backup (s2, seen first), and another machine (s3). The backup has a third older, one that was deleted on the laptop, and one newer.
INSERT INTO sources (source_id, first_seen_at) VALUES ('s1', '2025-06-02 00:00:00+00'), ('s2', '2025-06-01 00:00:00+00'), ('s3', '2025-06-02 00:00:00+00');
INSERT INTO conversations (source_id, conversation_id, title, project_uri, project, project_source, created_at, updated_at, status, deleted_at) VALUES
    -- equal in both: the source first seen earliest
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'equal', 'file:///a', 'a', 'composer', '2025-03-10 09:00:00+00', NULL, NULL, NULL),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', 'equal', 'file:///a', 'a', 'composer', '2025-03-10 09:00:00+00', NULL, NULL, NULL),
    -- went on upon the laptop: the latest activity
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000002', 'went on', 'file:///a', 'a', 'composer', '2025-03-10 10:00:00+00', NULL, NULL, NULL),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000002', 'went on', 'file:///a', 'a', 'composer', '2025-03-10 10:00:00+00', NULL, NULL, NULL),
    -- deleted on the laptop, after it was used there: live first
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000003', 'deleted', 'file:///a', 'a', 'composer', '2025-03-10 11:00:00+00', '2025-03-12 00:00:00+00', NULL, '2025-06-05 00:00:00+00'),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000003', 'deleted', 'file:///a', 'a', 'composer', '2025-03-10 11:00:00+00', NULL, NULL, NULL),
    -- an orphan in the backup, with more messages
    ('s1', 'AAAAAAAA-0000-4000-8000-00000000000A', 'orphan', 'file:///a', 'a', 'composer', '2025-03-10 12:00:00+00', NULL, NULL, NULL),
    ('s2', 'AAAAAAAA-0000-4000-8000-00000000000A', NULL, NULL, NULL, NULL, NULL, '2025-04-10 12:00:00+00', 'orphaned', NULL),
    -- the same last activity, one message more
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000005', 'one more', NULL, NULL, NULL, '2025-03-10 13:00:00+00', '2025-03-10 14:00:00+00', NULL, NULL),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000005', 'one more', NULL, NULL, NULL, '2025-03-10 13:00:00+00', '2025-03-10 14:00:00+00', NULL, NULL),
    -- in three, and the first seen of the equal ones is that of the smaller id
    ('s1', 'pre-aaaaaaaa-0000-4000-8000-000000000006', 'three', NULL, NULL, NULL, '2025-03-10 15:00:00+00', NULL, NULL, NULL),
    ('s2', 'pre-aaaaaaaa-0000-4000-8000-000000000006', 'three', NULL, NULL, NULL, '2025-03-09 15:00:00+00', NULL, NULL, NULL),
    ('s3', 'pre-aaaaaaaa-0000-4000-8000-000000000006', 'three', NULL, NULL, NULL, '2025-03-10 15:00:00+00', NULL, NULL, NULL),
    -- an id that was made from a hash, and one that only looks so
    ('s1', '#0123456789abcdef', 'hash', NULL, NULL, NULL, '2025-03-11 15:00:00+00', NULL, NULL, NULL),
    ('s3', '#0123456789abcdef', 'hash', NULL, NULL, NULL, '2025-03-11 16:00:00+00', NULL, NULL, NULL),
    ('s1', '#0123456789abcde', 'no hash', NULL, NULL, NULL, '2025-03-11 18:00:00+00', NULL, NULL, NULL),
    ('s3', '#0123456789abcde', 'no hash', NULL, NULL, NULL, '2025-03-11 18:00:00+00', NULL, NULL, NULL),
    -- ids that repeat without being copies
    ('s1', 'empty-state-draft', NULL, NULL, NULL, NULL, '2025-03-12 09:00:00+00', NULL, NULL, NULL),
    ('s2', 'empty-state-draft', NULL, NULL, NULL, NULL, '2025-03-12 09:00:00+00', NULL, NULL, NULL),
    -- subagents: one below a copy, one below that one, one below two different parents, one in one source only
    ('s1', 'task-1', 'sub', NULL, NULL, NULL, NULL, '2025-03-10 10:05:00+00', NULL, NULL),
    ('s2', 'task-1', 'sub', NULL, NULL, NULL, NULL, '2025-03-10 10:05:00+00', NULL, NULL),
    ('s1', 'task-1-1', 'subsub', NULL, NULL, NULL, NULL, '2025-03-10 10:06:00+00', NULL, NULL),
    ('s2', 'task-1-1', 'subsub', NULL, NULL, NULL, NULL, '2025-03-10 10:05:30+00', NULL, NULL),
    ('s1', 'task-2', 'other parent', NULL, NULL, NULL, NULL, '2025-03-10 10:05:00+00', NULL, NULL),
    ('s2', 'task-2', 'other parent', NULL, NULL, NULL, NULL, '2025-03-10 10:05:00+00', NULL, NULL),
    ('s1', 'task-4', 'laptop only', NULL, NULL, NULL, NULL, '2025-03-10 10:07:00+00', NULL, NULL),
    ('s1', 'task-3', 'no parent', NULL, NULL, NULL, NULL, '2025-03-10 10:05:00+00', NULL, NULL),
    ('s2', 'task-3', 'no parent', NULL, NULL, NULL, NULL, '2025-03-10 10:05:00+00', NULL, NULL),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000009', 'laptop only', 'file:///a', 'a', 'composer', '2025-03-10 16:00:00+00', NULL, NULL, NULL);
INSERT INTO _subagent_claims (source_id, conversation_id, claimed_by, rank, parent_conversation_id) VALUES
    ('s1', 'task-1', 'aaaaaaaa-0000-4000-8000-000000000002', 2, 'aaaaaaaa-0000-4000-8000-000000000002'),
    ('s2', 'task-1', 'aaaaaaaa-0000-4000-8000-000000000002', 2, 'aaaaaaaa-0000-4000-8000-000000000002'),
    ('s1', 'task-1-1', 'task-1', 2, 'task-1'),
    ('s2', 'task-1-1', 'task-1', 2, 'task-1'),
    ('s1', 'task-2', 'aaaaaaaa-0000-4000-8000-000000000001', 2, 'aaaaaaaa-0000-4000-8000-000000000001'),
    ('s2', 'task-2', 'aaaaaaaa-0000-4000-8000-000000000002', 2, 'aaaaaaaa-0000-4000-8000-000000000002'),
    ('s1', 'task-4', 'aaaaaaaa-0000-4000-8000-000000000002', 2, 'aaaaaaaa-0000-4000-8000-000000000002'),
    ('s1', 'task-3', 'task-3', 0, NULL),
    ('s2', 'task-3', 'task-3', 0, NULL);
INSERT INTO messages (source_id, conversation_id, message_id, position, role, created_at, deleted_at, input_tokens) VALUES
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'm1', 0, 'user', '2025-03-10 09:00:00+00', NULL, 1),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', 'm1', 0, 'user', '2025-03-10 09:00:00+00', NULL, 1),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000002', 'm1', 0, 'user', '2025-03-10 10:00:00+00', NULL, 10),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000002', 'm3', 1, 'user', '2025-03-10 10:10:00+00', NULL, 20),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000002', 'm1', 0, 'user', '2025-03-10 10:00:00+00', NULL, 10),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000002', 'm2', 1, 'assistant', '2025-03-10 10:00:30+00', NULL, 40), -- only the backup has it
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000003', 'm1', NULL, 'user', '2025-03-10 11:00:00+00', '2025-06-05 00:00:00+00', 100),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000003', 'm1', 0, 'user', '2025-03-10 11:00:00+00', NULL, 100),
    ('s1', 'AAAAAAAA-0000-4000-8000-00000000000A', 'm1', 0, 'user', '2025-03-10 12:00:00+00', NULL, 200),
    ('s2', 'AAAAAAAA-0000-4000-8000-00000000000A', 'm1', 0, 'user', '2025-03-10 12:00:00+00', NULL, 200),
    ('s2', 'AAAAAAAA-0000-4000-8000-00000000000A', 'm2', 1, 'user', '2025-03-10 12:01:00+00', NULL, 400),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000005', 'm1', 0, 'user', '2025-03-10 13:00:00+00', NULL, 1000),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000005', 'm2', 1, 'assistant', '2025-03-10 13:01:00+00', NULL, 2000),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000005', 'm1', 0, 'user', '2025-03-10 13:00:00+00', NULL, 1000);
INSERT INTO daily_edit_stats (source_id, date, tab_suggested_lines, tab_accepted_lines, composer_suggested_lines) VALUES
    ('s1', '2025-03-10', 100, 40, 7), ('s2', '2025-03-10', 90, 50, NULL), ('s1', '2025-03-11', 5, 1, NULL), ('s3', '2025-03-12', 3, 2, 1), ('s4', '2025-03-10', 1000, 500, NULL);
INSERT INTO prompts (source_id, workspace_id, prompt_id, kind, text, deleted_at) VALUES
    ('s1', 'w1', 'p1', 'prompt', 'one', NULL), ('s2', 'w1', 'p1', 'prompt', 'one', NULL), ('s1', 'w2', 'p1', 'prompt', 'one, in another folder', NULL),
    ('s1', 'w1', 'p2', 'prompt', 'gone', '2025-06-05 00:00:00+00'), ('s2', 'w1', 'p2', 'prompt', 'gone', NULL), ('s3', 'w1', 'p3', 'generation', 'three', NULL),
    ('s1', 'w1', 'p3', 'generation', 'three', NULL), ('s4', 'w1', 'p1', 'prompt', 'of a stranger', NULL);
UPDATE conversations SET display_title = title;
UPDATE conversations SET header_count = 1; -- none lost its list of messages
