SELECT source_id, conversation_id FROM live_conversations ORDER BY ALL;
--> s1 | c1
--> s1 | c2
--> s1 | c3 empty
--> s2 | c1
--> s2 | sub
SELECT source_id, conversation_id, message_id FROM live_messages WHERE conversation_id <> 'c1' OR position > 6 ORDER BY ALL;
--> s1 | c1 | m7
--> s1 | c2 | m0
SELECT count(*) FROM live_messages;
--> 10
SELECT source_id, conversation_id, message_id, call_index FROM live_tool_calls ORDER BY ALL;
--> s1 | c1 | m2 | 0
--> s1 | c1 | m2 | 1
--> s2 | c1 | m0 | 0
--> s2 | c1 | m0 | 1
--> s2 | c1 | m0 | 2
--> s2 | c1 | m0 | 3
-- a call has the time, turn and model of its message, and the project and title of its conversation
SELECT tool, created_at, turn, model, project, project_uri, title FROM live_tool_calls WHERE source_id = 's1' ORDER BY call_index;
--> run_terminal_command | 2025-03-10 09:00:20 | 1 | gpt-5 | web | file:///a/web | Fix the parser
--> read_file | 2025-03-10 09:00:20 | 1 | gpt-5 | web | file:///a/web | Fix the parser
-- timeline: the columns of the data dictionary, one row a live message
SELECT string_agg(column_name, ', ' ORDER BY column_index) FROM duckdb_columns() WHERE table_name = 'timeline';
--> source_id, project, title, conversation_id, session_id, position, created_at, role, kind, text, thinking, tool, tool_kind, command, file_path, is_error, message_id, turn, model, input_tokens, output_tokens, turn_duration_ms, thinking_duration_ms, duration_ms, exit_code, mcp_server, mcp_tool, is_repeat
SELECT count(*), count(DISTINCT (source_id, conversation_id, position)) FROM timeline;
--> 10 | 10
SELECT source_id, project, title, session_id IS NOT NULL, position, created_at, role, kind, text, thinking, tool, tool_kind, command, file_path, is_error
FROM timeline WHERE conversation_id = 'c1' AND source_id = 's1' AND position IN (1, 2) ORDER BY position;
--> s1 | web | Fix the parser | true | 1 | 2025-03-10 09:00:10 | assistant | thinking |    | Let me see ÄÖÜ | NULL | NULL | NULL | NULL | NULL
--> s1 | web | Fix the parser | true | 2 | 2025-03-10 09:00:20 | assistant | tool_call | NULL | NULL | run_terminal_command | shell | grep "Töne" a_b | NULL | false
-- runs of user or of assistant messages; the unknown one at 4 ends a run
SELECT group_index, role, turn, first_position, last_position, started_at, ended_at, message_count, tool_call_message_count, text
FROM message_groups WHERE source_id = 's1' AND conversation_id = 'c1' ORDER BY 1;
--> 0 | user | 1 | 0 | 0 | 2025-03-10 09:00:00 | 2025-03-10 09:00:00 | 1 | 0 | Please fix 100% of it
--> 1 | assistant | 1 | 1 | 3 | 2025-03-10 09:00:10 | 2025-03-10 09:00:20 | 3 | 1 | Done
--> 2 | assistant | 1 | 5 | 5 | NULL | NULL | 1 | 0 | NULL
--> 3 | user | 2 | 6 | 7 | 2025-03-10 09:05:00 | 2025-03-10 09:06:00 | 2 | 0 | Again_and again\n\nNow
SELECT measure, known, total FROM coverage WHERE source_id = 's1' ORDER BY 1;
--> conversation_context | 0 | 2
--> conversation_cost | 0 | 2
--> conversation_created | 2 | 2
--> conversation_empty | 1 | 3
--> conversation_model | 1 | 2
--> conversation_project | 1 | 2
--> conversation_title | 2 | 2
--> conversation_tokens | 1 | 2
--> edit_decision | 1 | 2
--> message_model | 3 | 4
--> message_role | 8 | 9
--> message_time | 6 | 9
--> message_time_inherited | 7 | 9
--> message_tokens | 1 | 4
--> prompt_usage | 1 | 4
--> thinking_duration | 1 | 1
--> tool_decision | 0 | 2
--> tool_duration | 1 | 2
--> tool_outcome | 1 | 2
--> tool_result | 1 | 2
--> tool_start | 1 | 2
SELECT measure, known, total FROM coverage WHERE source_id = 's2' AND measure IN ('message_time', 'tool_start', 'tool_result') ORDER BY 1;
--> message_time | 1 | 1
--> tool_result | 2 | 4
--> tool_start | 0 | 4
SELECT source_id, load_id, started_at, status, mode, stores, incomplete_stores, bytes, rows_seen, rows_read, rows_changed FROM loads_latest ORDER BY 1;
--> s1 | 2 | 2025-06-02 00:00:00 | partial | incremental | 2 | 1 | 110 | 12 | 4 | 2
--> s2 | 1 | 2025-06-01 00:00:00 | ok | first | 1 | 0 | 50 | 5 | 5 | 5
-- every view has a comment
SELECT view_name FROM duckdb_views() WHERE NOT internal AND comment IS NULL;
