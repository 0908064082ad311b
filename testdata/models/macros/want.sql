-- newest activity first: messages count, not only updated_at; who has no message is not listed
SELECT conversation_id, title, created_at, updated_at, mode, message_count, project, source_id, also_in FROM list_conversations();
--> c2 | Straße | 2025-03-11 09:00:00 | NULL | chat | 1 | NULL | s1 | []
--> c1 | Fix the parser | 2025-03-10 09:00:00 | 2025-03-10 09:10:00 | agent | 8 | web | s1 | []
--> c1 | Fix the parser | 2025-03-10 08:00:00 | NULL | agent | 1 | web | s2 | []
SELECT id FROM list_conversations(max_rows := 1);
--> c2
SELECT id, name, created_at, updated_at, mode, message_count, project, source_id, status FROM get_conversation('c1');
--> c1 | Fix the parser | 2025-03-10 09:00:00 | 2025-03-10 09:10:00 | agent | 8 | web | s1 | completed
--> c1 | Fix the parser | 2025-03-10 08:00:00 | NULL | agent | 1 | web | s2 | completed
SELECT id FROM get_conversation('deleted');
SELECT id, conversation_id, content, content_type, sender_type, sender_name, is_outgoing, "timestamp", kind FROM list_messages('c1', max_rows := 7);
--> m0 | c1 | Please fix 100% of it | markdown | user | User | true | 2025-03-10 09:00:00 | text
--> m1 | c1 | Let me see ÄÖÜ | markdown | bot | gpt-5 | false | 2025-03-10 09:00:10 | thinking
--> m2 | c1 | run_terminal_command grep "Töne" a_b | markdown | bot | gpt-5 | false | 2025-03-10 09:00:20 | tool_call
--> m3 | c1 | Done | markdown | bot | gpt-5 | false | 2025-03-10 09:00:20 | text
--> m4 | c1 | NULL | markdown | system | System | false | NULL | empty
--> m5 | c1 | Too long | markdown | bot | Assistant | false | NULL | error
--> m6 | c1 | Again_and again | markdown | user | User | true | 2025-03-10 09:05:00 | text
-- the tables' names come first, and a chat viewer's names at the end say the same
SELECT string_agg(column_name, ' ') FROM (DESCRIBE FROM list_conversations());
--> conversation_id title project mode message_count last_activity_at created_at updated_at source_id also_in id name
SELECT string_agg(column_name, ' ') FROM (DESCRIBE FROM list_messages('c1'));
--> conversation_id message_id position turn role kind text tool model created_at id content content_type sender_type sender_name is_outgoing timestamp
SELECT string_agg(column_name, ' ') FROM (DESCRIBE FROM search_messages('a'));
--> conversation_id title project message_id position role kind found_in text created_at id name content sender_type timestamp
SELECT message_id, role, text, tool, model, created_at FROM list_messages('c1', max_rows := 4) WHERE kind <> 'thinking';
--> m0 | user | Please fix 100% of it | NULL | NULL | 2025-03-10 09:00:00
--> m2 | assistant | NULL | run_terminal_command | gpt-5 | 2025-03-10 09:00:20
--> m3 | assistant | Done | NULL | gpt-5 | 2025-03-10 09:00:20
SELECT conversation_id, last_activity_at FROM list_conversations(max_rows := 2);
--> c2 | 2025-03-11 09:00:00
--> c1 | 2025-03-10 09:10:00
SELECT count(*) FROM list_messages('c1');
--> 9
SELECT count(*) FROM list_messages('orphan');
--> 0
SELECT id, conversation_id, content, kind, position, tool, tool_status FROM get_message('c1', 'm2');
--> m2 | c1 | run_terminal_command grep "Töne" a_b | tool_call | 2 | run_terminal_command | completed
SELECT id FROM get_message('c1', 'm8 deleted');
-- in any case, also beyond ASCII, in all four places
SELECT id, conversation_id, found_in FROM search_messages('straSSE');
--> m0 | c2 | text
SELECT id, found_in FROM search_messages('σίσυφο');
--> m0 | text
SELECT id, found_in FROM search_messages('äöü');
--> m1 | thinking
SELECT id, found_in FROM search_messages('TÖNE');
--> m2 | params
SELECT id, found_in FROM search_messages('"töne" A_B');
--> m2 | params
SELECT id, found_in FROM search_messages('NEEDLE');
--> m2 | params
SELECT id, found_in FROM search_messages('ONE' || chr(10) || 'line');
--> m2 | result
-- % and _ are plain characters
SELECT id FROM search_messages('100%');
--> m0
SELECT id FROM search_messages('%');
--> m0
SELECT id FROM search_messages('n_a');
--> m6
SELECT id FROM search_messages('f_x');
-- neither deleted nor orphaned messages; newest first
SELECT count(*) FROM search_messages('parser');
--> 0
SELECT id, "timestamp" FROM search_messages('a', max_rows := 3) WHERE kind <> 'tool_call';
--> m0 | 2025-03-11 09:00:00
--> m6 | 2025-03-10 09:05:00
SELECT id FROM search_messages('nowhere');
