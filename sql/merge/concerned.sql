-- Returns whether a table has rows of a conversation in _changed.
SELECT EXISTS (FROM {{.Name}} o SEMI JOIN _changed c ON c.source_id = o.source_id AND c.conversation_id = o.{{.ScopeColumn}});
