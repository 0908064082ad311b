-- Makes the temporary table for the rows of a table until they are merged.
CREATE OR REPLACE TEMP TABLE stage_{{.Name}} AS FROM {{.Name}} LIMIT 0;
