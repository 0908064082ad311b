SELECT conversation_id, message_id, call_index, subagent_id FROM tool_calls WHERE subagent_id IS NOT NULL ORDER BY ALL;
--> e | m | 0 | named
--> p | #10 | 0 | two-a
--> p | #11 | 0 | one
--> p | #2 | 0 | one
--> p | #2 | 1 | two-b
--> q | #2 | 0 | of-q
--> r | #2 | 0 | of-r
