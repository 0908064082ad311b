-- Sets the variable changed_conversations to the ids in _changed, for scans that look for few conversations.
SET VARIABLE changed_conversations = (SELECT coalesce(list(DISTINCT conversation_id), []) FROM _changed);
