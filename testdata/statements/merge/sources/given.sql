INSERT INTO sources (source_id, user_dir, host, first_seen_at, last_seen_at) VALUES
  ('s1', '/new', 'new', '2025-06-09 00:00:00+00', '2025-06-09 00:00:00+00'), ('s2', '/s2', 'host', '2025-06-09 00:00:00+00', '2025-06-09 00:00:00+00');
CREATE TEMP TABLE stage_sources AS FROM sources;
DELETE FROM sources;
INSERT INTO sources (source_id, user_dir, host) VALUES ('s1', '/old', 'old');
