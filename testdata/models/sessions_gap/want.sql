-- The id is the first 16 hex digits of sha256(source_id, project_uri, start in ms), joined by U+001F:
-- printf 's1\037file:///p\0371741597200000' | sha256sum
SELECT session_id, source_id, project_uri, project, started_at, ended_at, duration_ms, conversation_count, message_count FROM sessions ORDER BY started_at;
--> 13b19f2d9f313ef7 | s1 | file:///p | p | 2025-03-10 09:00:00 | 2025-03-10 09:30:00 | 1800000 | 2 | 0
--> f2265958d48aeb51 | s1 | file:///p | p | 2025-03-10 10:00:00.001 | 2025-03-10 10:00:00.001 | 0 | 1 | 0
--> 9e59592dfc748c41 | s1 | file:///p | p | 2025-03-10 12:00:00 | 2025-03-10 12:00:00 | 0 | 2 | 0
SELECT conversation_id, session_id FROM conversations WHERE conversation_id < 'c4' ORDER BY 1;
--> c1 | 13b19f2d9f313ef7
--> c2 | 13b19f2d9f313ef7
--> c3 | f2265958d48aeb51
