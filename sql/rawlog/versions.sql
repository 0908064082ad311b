-- Makes raw out of stored and events: the versions of rows, with their values. Each was the present version from the part seq until before the part
-- ends. place orders the rows of a conversation by family, as the variable
-- raw_families lists them; it is 0 for rows of no conversation.
CREATE TABLE raw AS
SELECT
  e.source_id, e.store, e.conversation_id, e.seq, e.ends, s."table", s.family, s."key", s.key_type, s.key_bytes, s."rowid", s.value, s.value_type,
  s.value_bytes, s.hash, s.ident,
  CASE WHEN e.conversation_id = '' OR e.conversation_id LIKE '(%' THEN 0 ELSE list_position(getvariable('raw_families'), s.family) END AS place
FROM stored s
JOIN events e ON e.there AND s.value_type <> 'gone' AND e.source_id = s.source_id AND e.store = s.store AND e."table" = s."table" AND e.conversation_id = s.conversation_id
  AND e.key_type = s.key_type AND e.ident = s.ident AND e.hash = s.hash AND e.value_seq = s.seq;
