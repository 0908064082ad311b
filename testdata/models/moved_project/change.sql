INSERT INTO _changed VALUES ('s1', 'c2'), ('s1', 'alone');
INSERT INTO _changed_groups VALUES ('s1', 'file:///old'), ('s1', 'file:///alone');
UPDATE conversations SET project_uri = 'file:///new', project = 'new' WHERE conversation_id = 'c2';
UPDATE conversations SET project_uri = NULL, project = NULL, project_source = NULL WHERE conversation_id = 'alone';
