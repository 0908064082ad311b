-- Returns whether any quarantined row is not resolved.
SELECT EXISTS (FROM quarantine WHERE resolved_load_id IS NULL);
