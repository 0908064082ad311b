-- Copies to the staged sources when they were first seen, and the folder from which they were first read.
UPDATE temp.stage_sources AS s SET first_seen_at = o.first_seen_at, user_dir = o.user_dir FROM sources o WHERE o.source_id = s.source_id;
