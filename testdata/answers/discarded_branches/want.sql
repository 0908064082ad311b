SELECT source_id, conversation_id, title, project, message_count, discarded_messages, discarded_share, discarded_prompts, discarded_tool_calls,
    discarded_edits, lines_known, discarded_lines_added, discarded_lines_removed FROM discarded_branches;
--> s1 | a | Origin | tide | 7 | 5 | 0.7143 | 2 | 3 | 2 | 1 | 10 | 4
--> s1 | b | Fork | tide | 3 | 0 | 0 | 0 | 0 | 0 | 0 | NULL | NULL
-- the fork names its origin; of the three prompts of a one has no request
SELECT source_id, conversation_id, shared_requests, other_conversations, fork_of, prompts, requests_known FROM discarded_branches;
--> s1 | a | 1 | 1 | NULL | 3 | 2
--> s1 | b | 1 | 1 | a | 2 | 2
