SELECT source_id, user_dir, host, first_seen_at, last_seen_at FROM temp.stage_sources ORDER BY 1;
--> s1 | /old | new | 2025-06-01 00:00:00 | 2025-06-09 00:00:00
--> s2 | /s2 | host | 2025-06-09 00:00:00 | 2025-06-09 00:00:00
