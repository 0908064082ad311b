-- A load finds: the first chat went on in s2, the second is deleted in s1, the third is in s2 too. Only these rows are written, and only their groups change.
INSERT INTO messages (source_id, conversation_id, message_id, position, created_at) VALUES
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000001', 'm2', 1, '2025-03-10 09:10:00+00'),
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000003', 'm1', 0, '2025-03-10 15:00:00+00');
UPDATE messages SET deleted_at = '2025-06-03 00:00:00+00', position = NULL WHERE source_id = 's1' AND conversation_id = 'aaaaaaaa-0000-4000-8000-000000000002';
UPDATE conversations SET deleted_at = '2025-06-03 00:00:00+00' WHERE source_id = 's1' AND conversation_id = 'aaaaaaaa-0000-4000-8000-000000000002';
INSERT INTO conversations (source_id, conversation_id, project_uri, project, project_source, created_at, updated_at) VALUES
    ('s2', 'aaaaaaaa-0000-4000-8000-000000000003', 'file:///b', 'b', 'composer', '2025-03-10 15:00:00+00', '2025-03-10 15:30:00+00');
INSERT INTO _changed VALUES ('s2', 'aaaaaaaa-0000-4000-8000-000000000001'), ('s1', 'aaaaaaaa-0000-4000-8000-000000000002'), ('s2', 'aaaaaaaa-0000-4000-8000-000000000003');
