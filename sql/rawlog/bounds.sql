-- Lists keys of _known_rows, in order, between which there are $rows rows: of the conversation $conversation_id of the store $store of the source
-- $source_id.
SELECT DISTINCT key
FROM (
  SELECT key, row_number() OVER (ORDER BY key) AS n FROM _known_rows
  WHERE source_id = $source_id AND store = $store AND conversation_id = $conversation_id
)
WHERE n % $rows = 0
ORDER BY key;
