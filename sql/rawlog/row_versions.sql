-- Lists the versions of the rows $idents (a JSON list, in hex) of the conversation $conversation_id of the store $store of the source $source_id up to
-- the part $until, the newest first. It reads raw.
SELECT "table", family, "key", key_type, key_bytes, "rowid", value, value_type, value_bytes, hash, seq, ends
FROM raw
WHERE source_id = $source_id AND store = $store AND conversation_id = $conversation_id AND seq <= $until
  AND ident IN (SELECT unhex(unnest(from_json($idents::JSON, '["VARCHAR"]'))))
ORDER BY seq DESC;
