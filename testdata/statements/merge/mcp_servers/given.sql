CREATE TEMP TABLE _read_sources AS SELECT 's1' AS source_id;
INSERT INTO _mcp_servers (conversation_id, server) VALUES ('c1', 'stays'), ('c1', 'new'), ('', 'set');
CREATE TEMP TABLE stage__mcp_servers AS FROM _mcp_servers;
DELETE FROM _mcp_servers;
INSERT INTO _mcp_servers (source_id, conversation_id, server, is_gone) VALUES ('s1', 'c1', 'stays', false), ('s1', 'c1', 'goes', false), ('s1', 'c2', 'goes', false), ('s1', 'c3', 'other', false),
  ('s1', '', 'set', true), ('s1', '', 'unset', false), ('s2', '', 'unread', false), ('s2', 'c1', 'elsewhere', false);
INSERT INTO _changed VALUES ('s1', 'c1'), ('s1', 'c2'), ('s2', '');
