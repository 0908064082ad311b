-- Puts the staged rows of a table in the place of those that have their keys.
DELETE FROM {{.Name}} AS o USING temp.stage_{{.Name}} s WHERE {{same "o" "s" .}};
INSERT INTO {{.Name}} FROM temp.stage_{{.Name}};
