-- those of root first, in the order in which they began; the circle and the lone one have no depth
SELECT source_id, conversation_id, parent_title, parent_is_lost, subagents_of_parent, depth, root_conversation_id, subagents, type FROM subagents;
--> s1 | k2 | Build it | false | 2 | 1 | root | 0 | generalPurpose
--> s1 | k1 | Build it | false | 2 | 1 | root | 1 | shell
--> s2 | k3 | Another | false | 2 | 1 | root | 0 | general-purpose
--> s2 | k1 | Another | false | 2 | 1 | root | 0 | explore
--> s1 | g | Look around | false | 1 | 2 | root | 0 | its own
--> s1 | late | Old | true | 1 | 1 | old | 0 | NULL
--> s1 | y | X | false | 1 | NULL | NULL | 1 | NULL
--> s1 | x | Y | false | 1 | NULL | NULL | 1 | NULL
--> s1 | lone | NULL | false | NULL | NULL | NULL | 0 | NULL
SELECT conversation_id, messages, tool_calls, outcome_known, failed, lines_added, lines_removed, files_changed, started_at, duration_ms, mode, model, status,
    subagents_in_source, subagents_with_parent FROM subagents WHERE parent_title = 'Build it';
--> k2 | 0 | 0 | 0 | 0 | 40 | 0 | 2 | 2025-03-10 09:01:00 | NULL | agent | NULL | aborted | 7 | 6
--> k1 | 4 | 4 | 2 | 1 | NULL | NULL | NULL | 2025-03-10 09:02:00 | 60000 | agent | gpt-5 | completed | 7 | 6
