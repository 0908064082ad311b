-- Adds to _changed_groups the groups to which the conversations in _changed belonged before this load.
INSERT INTO _changed_groups SELECT DISTINCT source_id, project_uri FROM conversations SEMI JOIN _changed USING (source_id, conversation_id);
