-- Takes the rows out of the stage of a table that the table has already, equal in every column: they stay where they are. Rows are compared by a hash of 64 bits of
-- all their cells, and deleted by their places: else whole rows would be held in memory. The variable changed_conversations has the ids in _changed if there are few, else
-- NULL.
DELETE FROM temp.stage_{{.Name}} WHERE rowid IN (
  SELECT s.place
  FROM (SELECT {{range .Key}}"{{.}}", {{end}}{{sum .Table}} AS cells, rowid AS place FROM temp.stage_{{.Name}}) s
  JOIN (
    SELECT {{range .Key}}"{{.}}", {{end}}{{sum .Table}} AS cells FROM {{.Name}} o
    SEMI JOIN _changed c ON c.source_id = o.source_id AND c.conversation_id = o.{{.ScopeColumn}}
    WHERE getvariable('changed_conversations') IS NULL OR list_contains(getvariable('changed_conversations'), o.{{.ScopeColumn}})
  ) o ON {{same "s" "o" .Table}} AND s.cells = o.cells
);
