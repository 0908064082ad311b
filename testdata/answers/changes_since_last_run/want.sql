SELECT what, source_id, conversation_id, title, project, message_count, new_messages, gone_messages, last_activity_at FROM changes_since_last_run;
--> deleted | s1 | lost | Lost | tide | 0 | NULL | 2 | 2025-05-01 09:00:00
--> new | s1 | new | New | tide | 2 | 2 | 0 | 2025-05-30 09:00:00
--> changed | s1 | grown | Grown | tide | 2 | 1 | 1 | 2025-05-29 09:00:00
--> changed | s1 | inline | Inline | NULL | 1 | NULL | 0 | 2025-05-28 09:00:00
--> changed | s1 | back | Back | NULL | 1 | 0 | 0 | 2025-05-27 09:00:00
--> changed | s2 | grown | Elsewhere | NULL | 1 | NULL | 0 | 2025-05-01 09:00:00
SELECT DISTINCT load_id, started_at, mode, new_known, changed FROM changes_since_last_run;
--> 3 | 2025-06-03 10:00:00 | incremental | 2 | 4
