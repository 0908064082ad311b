-- Replaces the subagent claims of the conversations in _changed. The claims of a deleted conversation stay: its subagents keep their project.
DELETE FROM _subagent_claims AS o USING (SELECT DISTINCT * FROM _changed) c, conversations k
WHERE c.source_id = o.source_id AND c.conversation_id = o.claimed_by
  AND k.source_id = o.source_id AND k.conversation_id = o.claimed_by AND k.deleted_at IS NULL;
INSERT INTO _subagent_claims FROM temp.stage__subagent_claims;
