-- Counts what a first load has written: conversations and quarantined rows.
SELECT (SELECT count(*) FROM conversations), (SELECT count(*) FROM quarantine);
