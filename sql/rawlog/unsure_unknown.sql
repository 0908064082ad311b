-- Adds the owners of the rows in the file $raw_file that the warehouse does not know, with the mark of unsure.sql. $transform_version is that of this tool.
INSERT INTO _known_conversations BY NAME
SELECT DISTINCT k.source_id, k.store, k.conversation_id, '' AS workspace_id, '?' AS fingerprint, '' AS content_hash, $transform_version AS transform_version, 0 AS load_id
FROM _known_rows k
ANTI JOIN _known_conversations c ON k.source_id = c.source_id AND k.store = c.store AND k.conversation_id = c.conversation_id
WHERE k.raw_file = $raw_file;
