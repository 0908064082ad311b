SELECT conversation_id, message_id, call_index, subagent_id FROM tool_calls WHERE subagent_id IS NOT NULL ORDER BY ALL;
--> e | m | 0 | named
--> p | #11 | 0 | one
--> p | #2 | 0 | one
--> p | #2 | 2 | more
--> p | #2 | 3 | three
--> r | #2 | 0 | of-r
