INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c1');
INSERT INTO _changed_groups VALUES ('s1', NULL), ('s1', NULL);
UPDATE conversations SET deleted_at = '2025-06-02 00:00:00+00' WHERE conversation_id = 'c1';
UPDATE messages SET deleted_at = '2025-06-02 00:00:00+00', position = NULL WHERE conversation_id = 'c1';
