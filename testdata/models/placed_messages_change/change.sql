-- The first message of a has another text and lost its attachment, the second is gone..
SET VARIABLE load_started_at = TIMESTAMPTZ '2025-07-01 00:00:00+00';
UPDATE messages SET text = 'Plan it well' WHERE conversation_id = 'a' AND position = 0;
DELETE FROM attachments WHERE conversation_id = 'a';
UPDATE tool_calls SET deleted_at = '2025-07-01 00:00:00+00', position = NULL WHERE conversation_id = 'a';
UPDATE messages SET deleted_at = '2025-07-01 00:00:00+00', position = NULL WHERE conversation_id = 'a' AND position = 1;
UPDATE messages SET position = 1 WHERE conversation_id = 'a' AND position = 2;
INSERT INTO _changed VALUES ('s1', 'a');
