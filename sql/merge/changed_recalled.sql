-- Notes in _changes the months of the rows of a table that belong to conversations in _recalled. The variable load_id is the load.
INSERT INTO _changes
SELECT getvariable('load_id'), '{{.Name}}', p.month, p.source_id, p.conversation_id
FROM ({{placed .Table}}) p
SEMI JOIN (FROM _recalled WHERE table_name = '{{.Name}}') r ON r.conversation_id = p.conversation_id
EXCEPT FROM _changes;
