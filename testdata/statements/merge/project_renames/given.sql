-- w1 was renamed; w2 and w3 had one folder, of which w3 still has it; w4 has no folder now; w5 is new; s2 has the old name of w1 still.
INSERT INTO workspaces (source_id, workspace_id, project_uri, project, project_path) VALUES ('s1', 'w1', 'new1', 'n1', '/n1'), ('s1', 'w2', 'new2', 'n2', '/n2'), ('s1', 'w3', 'two', 't', '/t'),
  ('s1', 'w4', NULL, NULL, NULL), ('s1', 'w5', 'five', 'f', '/f');
CREATE TEMP TABLE stage_workspaces AS FROM workspaces;
DELETE FROM workspaces;
INSERT INTO workspaces (source_id, workspace_id, project_uri) VALUES ('s1', 'w1', 'one'), ('s1', 'w2', 'two'), ('s1', 'w3', 'two'), ('s1', 'w4', 'four'), ('s2', 'w1', 'one');
CREATE TEMP TABLE _aliases (project_uri VARCHAR, alias_of VARCHAR, project VARCHAR, project_path VARCHAR, origin VARCHAR);
