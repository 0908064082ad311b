-- gone-srv is named no more; its deleted call keeps the name.
UPDATE _mcp_servers SET is_gone = true WHERE server = 'gone-srv';
