-- Deletes what is remembered of the conversations in _forgotten (source_id, store, conversation_id).
DELETE FROM _known_conversations AS o USING temp._forgotten s
WHERE o.source_id = s.source_id AND o.store = s.store AND o.conversation_id = s.conversation_id;
