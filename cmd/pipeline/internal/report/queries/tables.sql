-- Rows of each table; deleted and orphaned ones are kept, marked.
SELECT table_name, live, orphaned, deleted
FROM report.tables
ORDER BY live DESC, table_name;
