-- Tells whether a quarantined row waits to be resolved.
SELECT EXISTS (FROM quarantine WHERE resolved_load_id IS NULL);
