-- Lists what the source $source_id held after the part $until, by store and conversation: a key (one that names the conversation, if it has one), the number of rows, the bytes of their values, and the
-- number of the part with the latest change. It reads events.
SELECT
  store, conversation_id,
  coalesce(any_value(ident) FILTER (NOT starts_with(CAST(ident AS VARCHAR), 'agentKv:blob:')), any_value(ident)),
  count(*) FILTER (there AND ends > $until),
  coalesce(TRY_CAST(sum(value_bytes) FILTER (there AND ends > $until) AS BIGINT), 0),
  max(seq)
FROM events WHERE source_id = $source_id AND seq <= $until
GROUP BY store, conversation_id
HAVING count(*) FILTER (there AND ends > $until) > 0
ORDER BY store, conversation_id;
