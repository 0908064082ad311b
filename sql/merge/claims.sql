-- Removes what the existing conversations in _changed say in a table about others: the staged rows replace it. What a deleted conversation said stays, so its subagents
-- keep their project; that which its store still says replaces its twins.
DELETE FROM {{.Name}} AS o USING (SELECT DISTINCT * FROM _changed) c, conversations k
WHERE c.source_id = o.source_id AND c.conversation_id = o.{{.ScopeColumn}}
  AND k.source_id = o.source_id AND k.conversation_id = o.{{.ScopeColumn}} AND k.deleted_at IS NULL;
