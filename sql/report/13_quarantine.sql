-- Which rows could not be used, and why?
-- One row per key family and reason. open are still so; resolved are those that a later load found usable, or gone.
-- Coverage: every row that any load refused; what was never read (secrets, unknown keys) is not among them but in key_families.
CREATE OR REPLACE VIEW report.quarantine AS
SELECT family, reason,
       count(*) FILTER (WHERE resolved_load_id IS NULL) AS open,
       count(resolved_load_id) AS resolved
FROM main.quarantine
GROUP BY family, reason;
COMMENT ON VIEW report.quarantine IS 'Rows that could not be used, by key family and reason: still so (open), or usable or gone since (resolved).';
