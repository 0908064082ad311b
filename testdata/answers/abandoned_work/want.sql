-- the latest first
SELECT source_id, conversation_id, reason, status, idle_since, last_message_id, last_tool FROM abandoned_work;
--> s2 | h | unanswered | completed | 2025-03-24 10:00:00 | m0 | NULL
--> s1 | m | unanswered | completed | 2025-03-22 10:00:00 | m0 | NULL
--> s1 | k | unanswered | completed | 2025-03-21 10:01:00 | m1 | NULL
--> s1 | g | aborted | aborted | 2025-03-17 10:01:00 | m1 | NULL
--> s1 | f | tool_failed | completed | 2025-03-16 10:01:00 | m1 | read_tool
--> s1 | e | tool_rejected | completed | 2025-03-15 10:01:00 | m1 | shell_tool
--> s1 | d | tool_cancelled | aborted | 2025-03-14 10:02:00 | m2 | shell_tool
--> s1 | c | tool_running | completed | 2025-03-13 10:01:00 | m1 | edit_tool
--> s1 | b | error | completed | 2025-03-12 10:01:00 | m1 | NULL
--> s1 | a | unanswered | completed | 2025-03-11 10:01:00 | m1 | NULL

SELECT conversation_id, title, prompts, messages, missing_messages, tool_calls, edit_calls, call_lines_known, lines_added, lines_removed FROM abandoned_work WHERE conversation_id IN ('a', 'c', 'd');
--> d | Chat d | 1 | 3 | 0 | 3 | 2 | 1 | 4 | 4
--> c | Chat c | 1 | 2 | 0 | 1 | 1 | 1 | 30 | 30
--> a | Chat a | 1 | 2 | 1 | 0 | 0 | 0 | NULL | NULL
