-- a: 1000 + 100 (its first version again) + 70 + 45; all versions: 1000 + 100 + 120 + 50 + 70 + 30 + 40 + 45
SELECT source_id, conversation_id, title, project, rows, present_bytes, largest_row_bytes, versions, kept_bytes, message_rows, message_count FROM storage_by_conversation;
--> s1 | a | Large | tide | 4 | 1215 | 1000 | 8 | 1455 | 3 | 3
--> s1 | b | Small | tide | 3 | 920 | 500 | 3 | 920 | 1 | 1
--> s2 | a | Elsewhere | tide | 1 | 300 | 300 | 1 | 300 | 0 | 1
--> s1 | c | Gone | web | 0 | 0 | NULL | 1 | 700 | 0 | 0
