-- Removes the subagent claims of the existing conversations in _changed: the staged claims replace them. The claims of a deleted conversation stay, so its
-- subagents keep their project; those that its store still makes replace their twins.
DELETE FROM _subagent_claims AS o USING (SELECT DISTINCT * FROM _changed) c, conversations k
WHERE c.source_id = o.source_id AND c.conversation_id = o.claimed_by
  AND k.source_id = o.source_id AND k.conversation_id = o.claimed_by AND k.deleted_at IS NULL;
