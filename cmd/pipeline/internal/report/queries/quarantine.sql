-- Rows that could not be used, by kind of key and reason.
SELECT family || ': ' || replace(reason, '_', ' ') AS what, open, resolved
FROM report.quarantine
ORDER BY open DESC, resolved DESC, what;
