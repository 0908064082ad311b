-- Makes a temporary table with a table's name and its rows of the conversations in _changed. A check that reads the table by name then sees only these,
-- as temporary tables come first. The variable changed_conversations has the ids in _changed if there are few, else NULL.
DROP TABLE IF EXISTS temp.{{.Name}};
CREATE TEMP TABLE {{.Name}} AS
SELECT o.* FROM (
  FROM {{.Name}}
  WHERE getvariable('changed_conversations') IS NULL OR list_contains(getvariable('changed_conversations'), {{.ScopeColumn}})
) o
SEMI JOIN _changed c ON c.source_id = o.source_id AND c.conversation_id = o.{{.ScopeColumn}};
