-- Makes a temporary view with a table's name and its rows of the conversations whose ids the variable changed_conversations has. A check that reads the table by name then
-- sees only these, as temporary views come first, and reads only the columns that it asks for. Another source's conversation of the same id is among them.
CREATE OR REPLACE TEMP VIEW {{.Name}} AS
FROM {{.Database}}.{{.Object}} WHERE list_contains(getvariable('changed_conversations'), {{.ScopeColumn}});
