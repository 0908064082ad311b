-- Appends the staged rows of a table to it, in a first load.
INSERT INTO {{.Name}} FROM temp.stage_{{.Name}};
