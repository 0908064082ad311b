-- Rows of each table; deleted and orphaned ones are kept, marked. Empty tables are left out.
SELECT table_name, live, orphaned, deleted
FROM report.tables
WHERE live + coalesce(orphaned, 0) + coalesce(deleted, 0) > 0
ORDER BY live DESC, table_name;
