-- Lists the nodes of the agent's graph that a store did not have when their conversation was last read: of each conversation at most 32, since a run asks the store for each.
SELECT source_id, store, conversation_id, key
FROM quarantine
WHERE resolved_load_id IS NULL AND reason = 'blob_missing' AND conversation_id IS NOT NULL AND key IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY source_id, store, conversation_id ORDER BY key) <= 32
ORDER BY ALL;
