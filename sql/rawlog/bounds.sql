-- Lists every $rows-th key of _known_rows, in order, for the conversation $conversation_id of the store $store of the source $source_id: each page of
-- rows ends at such a key.
SELECT DISTINCT key
FROM (
  SELECT key, row_number() OVER (ORDER BY key) AS n FROM _known_rows
  WHERE source_id = $source_id AND store = $store AND conversation_id = $conversation_id
)
WHERE n % $rows = 0
ORDER BY key;
