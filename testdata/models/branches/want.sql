-- active: what the list names, and everything where there is no list; a conversation that went as a whole keeps its branches
SELECT source_id, conversation_id, message_id, branch FROM message_branches ORDER BY ALL;
--> s1 | deleted | a0 | abandoned
--> s1 | deleted | a1 | deleted
--> s1 | deleted | u1 | active
--> s1 | edited | a0 | abandoned
--> s1 | edited | a1 | active
--> s1 | edited | a2 | active
--> s1 | edited | a3 | active
--> s1 | edited | gone | deleted
--> s1 | edited | u0 | abandoned
--> s1 | edited | u1 | active
--> s1 | edited | u2 | active
--> s1 | edited | x1 | active
--> s1 | no list | a1 | active
--> s1 | no list | u1 | active
--> s1 | orphan | a1 | active
--> s1 | orphan | u1 | active
--> s2 | edited | u1 | active
-- no run holds messages of both branches: u2 and u0 are two runs, though both are a user's
SELECT source_id, conversation_id, group_index, role, branch, first_position, last_position, message_count, text FROM message_groups ORDER BY ALL;
--> s1 | edited | 0 | user | active | 0 | 0 | 1 | Add a cache
--> s1 | edited | 1 | assistant | active | 1 | 2 | 2 | NULL
--> s1 | edited | 2 | assistant | active | 4 | 4 | 1 | Done
--> s1 | edited | 3 | user | active | 5 | 5 | 1 | Thanks
--> s1 | edited | 4 | user | abandoned | 6 | 6 | 1 | Add a cash
--> s1 | edited | 5 | assistant | abandoned | 7 | 7 | 1 | Cash?
--> s1 | no list | 0 | user | active | 0 | 0 | 1 | Who knows
--> s1 | no list | 1 | assistant | active | 1 | 1 | 1 | I do
--> s2 | edited | 0 | user | active | 0 | 0 | 1 | The same ids elsewhere
-- up to and with a message, as it was sent: texts, calls, and what they gave; neither thinking nor unknown roles nor deleted calls
SELECT source_id, message_id, position, role, content, tool, tool_call_id, arguments FROM conversation_until('edited', 'a3');
--> s1 | u1 | 0 | user | Add a cache | NULL | NULL | NULL
--> s1 | a2 | 2 | assistant | I look first | NULL | NULL | NULL
--> s1 | a2 | 2 | assistant | NULL | read_file_v2 | call_1 | {"target_file":"a.go"}
--> s1 | a2 | 2 | tool | package a\nvar x | read_file_v2 | call_1 | NULL
--> s1 | a2 | 2 | assistant | NULL | grep | call_2 | {"pattern":"x"}
--> s1 | a2 | 2 | tool | no such file | grep | call_2 | NULL
--> s1 | a2 | 2 | assistant | NULL | list_dir | NULL | NULL
--> s1 | a2 | 2 | tool | {"files":[]} | list_dir | NULL | NULL
--> s1 | a3 | 4 | assistant | Done | NULL | NULL | NULL
-- without a message the whole of it, of each source; a message that is not sent still ends it
SELECT source_id, message_id, turn, role, created_at FROM conversation_until('edited') WHERE role = 'user';
--> s1 | u1 | 1 | user | 2025-03-10 09:00:00
--> s1 | u2 | 2 | user | 2025-03-10 09:05:00
--> s2 | u1 | 1 | user | 2025-03-10 09:00:00
SELECT message_id FROM conversation_until('edited', 'a1');
--> u1
-- what is not on the active branch, or not live, gives nothing
SELECT message_id FROM conversation_until('edited', 'a0');
SELECT message_id FROM conversation_until('edited', 'gone');
SELECT message_id FROM conversation_until('deleted');
