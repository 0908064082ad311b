-- A load finds: the first composer no longer shows its agent, and the third has a message now.
UPDATE conversation_sources SET deleted_at = '2025-06-04 00:00:00+00' WHERE conversation_id = 'aaaaaaaa-0000-4000-8000-000000000001';
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at) VALUES ('s1', 'aaaaaaaa-0000-4000-8000-000000000003', 'm1', 0, '2025-03-10 11:00:00+00');
INSERT INTO _changed VALUES ('s1', 'aaaaaaaa-0000-4000-8000-000000000001'), ('s1', 'aaaaaaaa-0000-4000-8000-000000000003');
