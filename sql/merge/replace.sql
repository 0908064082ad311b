-- Replaces the rows of a table by the staged rows with the same keys. They are deleted by their places: else whole rows would be held in memory.
DELETE FROM {{.Name}} WHERE rowid IN (SELECT o.rowid FROM {{.Name}} o SEMI JOIN temp.stage_{{.Name}} s ON {{same "o" "s" .Table}});
INSERT INTO {{.Name}} FROM temp.stage_{{.Name}};
