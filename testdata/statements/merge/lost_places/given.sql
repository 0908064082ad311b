SET VARIABLE load_started_at = '2025-06-02 00:00:00+00'::TIMESTAMPTZ;
INSERT INTO conversation_sources (source_id, conversation_id, store_kind, path, is_primary, deleted_at) VALUES
  ('s1', 'c1', 'cli_store', 'chats/x/c1/store.db', true, NULL), ('s1', 'c1', 'transcript', 'projects/p/agent-transcripts/c1/c1.jsonl', false, NULL),
  ('s1', 'c2', 'transcript', 'projects/p/agent-transcripts/c2.jsonl', false, NULL), ('s2', 'c1', 'cli_store', 'chats/x/c1/store.db', true, NULL),
  ('s1', 'c3', 'cli_store', 'chats/x/c3/store.db', true, '2025-06-01 00:00:00+00');
CREATE TEMP TABLE _lost_places AS
FROM (VALUES ('s1', 'chats/x/c1', 'c1'), ('s1', 'projects/p/agent-transcripts/c2.jsonl', 'c2'), ('s1', 'chats/x/c3', 'c3')) t(source_id, store, id);
