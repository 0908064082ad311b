-- Replaces the rows of a table by the staged rows with the same keys.
DELETE FROM {{.Name}} AS o USING temp.stage_{{.Name}} s WHERE {{same "o" "s" .Table}};
INSERT INTO {{.Name}} FROM temp.stage_{{.Name}};
