-- Adds the groups that the conversations in _changed belonged to before this load to _changed_groups.
INSERT INTO _changed_groups SELECT DISTINCT source_id, project_uri FROM conversations SEMI JOIN _changed USING (source_id, conversation_id);
