-- Lists the rows that the conversations $ids (a JSON list, in order from $first to $last) of the store $store of the source $source_id had after the
-- part $until, ordered by conversation id. It reads raw.
SELECT conversation_id, "table", family, "key", key_type, key_bytes, "rowid", value, value_type, value_bytes
FROM raw
WHERE source_id = $source_id AND store = $store AND conversation_id BETWEEN $first AND $last AND seq <= $until AND ends > $until
  AND conversation_id IN (SELECT unnest(from_json($ids::JSON, '["VARCHAR"]')))
ORDER BY conversation_id, place, key_type = 'null', key_type = 'blob', ident, "rowid", seq;
