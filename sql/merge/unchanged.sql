-- Takes the rows out of the stage of a table that the table has already, equal in every column: they stay where they are. The variable changed_conversations has the ids in
-- _changed if there are few, else NULL.
DELETE FROM temp.stage_{{.Name}} AS s USING (
  SELECT o.* FROM (
    FROM {{.Name}}
    WHERE getvariable('changed_conversations') IS NULL OR list_contains(getvariable('changed_conversations'), {{.ScopeColumn}})
  ) o
  SEMI JOIN _changed c ON c.source_id = o.source_id AND c.conversation_id = o.{{.ScopeColumn}}
) o
WHERE {{equal "s" "o" .Table}};
