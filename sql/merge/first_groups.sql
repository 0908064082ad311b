-- Adds the groups of all conversations to _changed_groups, for the models of a first load.
INSERT INTO _changed_groups SELECT DISTINCT source_id, project_uri FROM conversations;
