SELECT source_id, conversation_id, forked_from FROM conversations WHERE forked_from IS NOT NULL ORDER BY ALL;
--> s1 | aaaaaaaa-0000-4000-8000-000000000002 | aaaaaaaa-0000-4000-8000-000000000001
--> s1 | asked twice | alone
--> s1 | b | a
--> s1 | c | a
--> s1 | gone fork | a
--> s1 | never | a
--> s1 | twin 2 | twin 1
--> s2 | aaaaaaaa-0000-4000-8000-000000000002 | aaaaaaaa-0000-4000-8000-000000000001
-- the turn's answer repeats with its prompt, also a deleted one; c2 repeats b's own request
SELECT conversation_id, string_agg(message_id, ' ' ORDER BY message_id) FROM messages WHERE is_repeat AND source_id = 's1' GROUP BY ALL ORDER BY ALL;
--> aaaaaaaa-0000-4000-8000-000000000002 | v0
--> asked twice | w2
--> b | b0 b1 b4 b5
--> c | c0 c1 c2
--> gone fork | f0
--> never | n0
--> twin 2 | t0
-- 10 and 20 of a, 40 of b, 80 of the subagent, 160 of the one alone, 320 of the one that was asked twice
SELECT sum(input_tokens), sum(messages), sum(repeats) FROM tokens_by_model;
--> 630 | 6 | 4
SELECT table_name, string_agg(DISTINCT conversation_id, ' ' ORDER BY conversation_id) FROM _recalled GROUP BY ALL ORDER BY ALL;
--> messages | aaaaaaaa-0000-4000-8000-000000000002 asked twice b c gone fork never sub twin 2
-- what b has exactly as a has it is a copy; 9 is not 7
SELECT conversation_id, model, is_repeat FROM live_model_usage ORDER BY ALL;
--> a | auto | false
--> a | gpt-5 | false
--> a | o3 | false
--> alone | auto | false
--> b | auto | true
--> b | gpt-5 | true
--> b | new | false
--> b | o3 | false
SELECT model, cost_cents, conversations, repeats FROM cost_by_model ORDER BY model;
--> auto | 200 | 2 | 2
--> gpt-5 | NULL | 1 | 2
--> new | 3 | 1 | 2
--> o3 | 16 | 2 | 2
SELECT sum(prompts), sum(repeats) FROM sessions_per_week;
--> 11 | 6
-- the one without any time is in no session
SELECT sum(prompts), sum(repeats) FROM session_lengths;
--> 11 | 5
