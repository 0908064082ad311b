-- Replaces the MCP servers that the conversations in _changed name, and those that the settings of the sources in _read_sources name. A server that is no
-- longer named stays, and is_gone says so. The settings' rows have the conversation '': what is in _changed under it are rows without an id.
UPDATE _mcp_servers AS o SET is_gone = true
FROM (SELECT source_id, conversation_id FROM _changed WHERE conversation_id <> '' UNION SELECT source_id, '' FROM temp._read_sources) c
WHERE c.source_id = o.source_id AND c.conversation_id = o.conversation_id AND NOT o.is_gone;
DELETE FROM _mcp_servers AS o USING temp.stage__mcp_servers s
WHERE s.source_id = o.source_id AND s.conversation_id = o.conversation_id AND s.server = o.server;
INSERT INTO _mcp_servers FROM temp.stage__mcp_servers;
