-- Marks the owners of the rows in the file $raw_file: what the raw layer holds of them may differ from what the warehouse remembers. The next run that sees
-- them compares every row.
UPDATE _known_conversations AS c SET fingerprint = '?'
FROM (SELECT DISTINCT source_id, store, conversation_id FROM _known_rows WHERE raw_file = $raw_file) k
WHERE k.source_id = c.source_id AND k.store = c.store AND k.conversation_id = c.conversation_id;
