SELECT conversation_id, best_of_parent_id, forked_from FROM conversations WHERE best_of_parent_id IS NOT NULL OR forked_from IS NOT NULL ORDER BY ALL;
--> fork of v | NULL | v
--> fork of v1 | NULL | v1
--> p1 | p | NULL
--> p2 | p | NULL
--> q1 | q | NULL
--> s1 | p | NULL
--> s2 | q | NULL
--> v1 | v | NULL
--> z | p | NULL
SELECT conversation_id, parent_conversation_id FROM conversations WHERE is_subagent ORDER BY ALL;
--> p1 sub | p1
--> s3 | p
-- a copy, and a subagent of one, has the session of the parent, in whatever project and hours later; x, y and p3 have sessions of their own
SELECT string_agg(c.conversation_id, ' ' ORDER BY c.conversation_id) FROM conversations c GROUP BY session_id ORDER BY 1;
--> fork of v
--> fork of v1
--> p p1 p1 sub p2 s1 s3 z
--> p3
--> q q1 s2
--> v v1
--> x
--> y
SELECT conversation_count, user_message_count FROM sessions WHERE project_uri IN ('file:///p', 'file:///q');
--> 1 | 1
--> 1 | 1
SELECT conversation_id FROM messages WHERE is_repeat ORDER BY ALL;
--> fork of v
--> fork of v1
-- their tokens count, their prompts do not
SELECT sum(input_tokens), sum(repeats) FROM tokens_by_model;
--> 15 | 0
SELECT sum(prompts), sum(repeats), sum(conversations) FROM sessions_per_week;
--> 3 | 7 | 8
SELECT sum(prompts) FROM report.hours;
--> 3
