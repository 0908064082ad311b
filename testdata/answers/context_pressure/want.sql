SELECT source_id, title, level, tokens_used, share, fullest_in, fullest_position, fullest_at FROM context_pressure;
--> s2 | Over | full | 1500 | 1.5 | last turn | NULL | NULL
--> s1 | Compacted | full | 990 | 0.99 | message | 0 | NULL
--> s1 | Shrunk | full | 960 | 0.96 | message | 0 | NULL
--> s1 | Late | full | 950 | 0.95 | last turn | NULL | 2025-03-04 09:01:00
--> s1 | Moved | near | 949 | 0.949 | last turn | NULL | 2025-03-03 09:01:00
--> s1 | Timeless | near | 900 | 0.9 | last turn | NULL | NULL
--> s1 | Went on | near | 800 | 0.8 | message | 1 | 2025-03-01 09:01:00
-- what happened next
SELECT title, later_messages, later_tokens_min, later_summaries, has_summary, next_conversation_id, next_title, next_after_ms, what_next FROM context_pressure;
--> Over | 0 | NULL | 0 | false | NULL | NULL | NULL | unknown
--> Compacted | 1 | NULL | 1 | true | NULL | NULL | NULL | summarised
--> Shrunk | 2 | 300 | 1 | true | NULL | NULL | NULL | summarised
--> Late | 0 | NULL | 0 | false | NULL | NULL | NULL | ended
--> Moved | 0 | NULL | 0 | true | next | Next | 1800000 | new conversation
--> Timeless | 0 | NULL | 0 | false | NULL | NULL | NULL | unknown
--> Went on | 1 | 700 | 0 | true | NULL | NULL | NULL | went on
-- of thirteen live conversations eight record both tokens and a limit
SELECT title, with_message_context, messages, with_context, live_total FROM context_pressure WHERE title IN ('Over', 'Shrunk', 'Late');
--> Over | 0 | 0 | 8 | 13
--> Shrunk | 3 | 3 | 8 | 13
--> Late | 0 | 1 | 8 | 13
