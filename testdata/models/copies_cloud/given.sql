-- Cloud agents in one source: one that a composer shows, one that nobody shows, two whose composers have no message, one whose composer is deleted; and one in a
-- second source whose composer is in the first.
INSERT INTO sources (source_id, first_seen_at) VALUES ('s1', '2025-06-01 00:00:00+00'), ('s2', '2025-06-02 00:00:00+00');
INSERT INTO conversations (source_id, conversation_id, store_kind, created_at, deleted_at) VALUES
    ('s1', 'bc-aaaaaaaa-0000-4000-8000-000000000001', 'cloud', '2025-03-10 09:00:00+00', NULL),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000001', 'composer', '2025-03-10 09:00:00+00', NULL),
    ('s1', 'bc-aaaaaaaa-0000-4000-8000-000000000002', 'cloud', '2025-03-10 10:00:00+00', NULL),
    ('s1', 'bc-aaaaaaaa-0000-4000-8000-000000000003', 'cloud', '2025-03-10 11:00:00+00', NULL),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000003', 'composer', '2025-03-10 11:00:00+00', NULL),
    ('s1', 'bc-aaaaaaaa-0000-4000-8000-000000000004', 'cloud', '2025-03-10 12:00:00+00', NULL),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000004', 'composer', '2025-03-10 12:00:00+00', '2025-06-03 00:00:00+00'),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000005', 'composer', '2025-03-10 13:00:00+00', NULL),
    ('s2', 'bc-aaaaaaaa-0000-4000-8000-000000000005', 'cloud', '2025-03-10 13:00:00+00', NULL),
    ('s1', 'bc-aaaaaaaa-0000-4000-8000-000000000006', 'cloud', '2025-03-10 15:00:00+00', NULL),
    ('s1', 'aaaaaaaa-0000-4000-8000-000000000006', 'composer', '2025-03-10 15:00:00+00', NULL),
    ('s1', 'bc-short', 'cloud', '2025-03-10 14:00:00+00', NULL), ('s2', 'shows short', 'composer', '2025-03-10 14:00:00+00', NULL);
INSERT INTO conversation_sources (source_id, conversation_id, store_kind, path, is_primary)
SELECT source_id, conversation_id, 'cloud', conversation_id || ':cloudAgent:metadata', true FROM conversations WHERE store_kind = 'cloud';
INSERT INTO conversation_sources (source_id, conversation_id, store_kind, path, is_primary)
SELECT source_id, conversation_id, 'cloud', 'bc-' || conversation_id || ':cloudAgent:metadata', false FROM conversations WHERE store_kind = 'composer' AND conversation_id <> 'shows short';
INSERT INTO conversation_sources (source_id, conversation_id, store_kind, path, is_primary) VALUES ('s2', 'shows short', 'cloud', 'bc-short:cloudAgent:metadata', false);
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at)
SELECT source_id, conversation_id, 'm1', 0, created_at FROM conversations WHERE conversation_id NOT IN ('aaaaaaaa-0000-4000-8000-000000000003', 'aaaaaaaa-0000-4000-8000-000000000006');
