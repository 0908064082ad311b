-- Both ends of the rule count. Five of eight files were touched by 09:45: read.go, edited.go under its old name, rejected.go, top.go, block.go; of these
-- two edited (what was rejected is not). late.go was touched later, failed.go not at all, the edited.go at the top is another file.
SELECT conversation_id, repository_id, commit_hash, commit_source_id, committed_at FROM conversation_commits ORDER BY committed_at, conversation_id;
--> c | r | at start | git | 2025-03-10 09:00:00
--> win | w | win | git | 2025-03-10 09:10:00
--> c | r | within | git | 2025-03-10 09:45:00
--> c | r | new | git | 2025-03-10 09:50:00
--> c | r | at end | git | 2025-03-10 10:30:00
--> old | r | of old | git | 2025-03-10 11:10:00
--> gone | r | of gone | git | 2025-03-12 10:30:00

SELECT commit_hash, gap_ms, files_touched, shared_files, edited_files, relevance FROM conversation_commits ORDER BY committed_at;
--> at start | 0 | 6 | 0 | 0 | 0
--> win | 600000 | 1 | 1 | 1 | 1
--> within | 900000 | 6 | 5 | 2 | 0.625
--> new | 1200000 | 6 | 0 | 0 | 0
--> at end | 1800000 | 7 | 1 | 1 | 0.5
--> of old | NULL | 0 | 0 | 0 | NULL
--> of gone | 1800000 | 0 | 0 | 0 | 0
