-- a, first turn: the prompt and the program's message have 4 words, the result 5; the answer 3, its thinking 4, the arguments 2. Second: the 9 and 5 of the first without thinking, and its own.
SELECT source_id, conversation_id, message_id, model, input_tokens, output_tokens, method, price_model, CAST(price_from AS VARCHAR), cost_cents, load_id FROM turn_estimates;
--> s1 | a | u1 | m1-high | 9 | 9 | counted | NULL | NULL | NULL | 7
--> s1 | a | u2 | m1 | 15 | 1 | counted | m1 | 2026-05-01 | 49 | 7
--> s1 | b | u1 | m1-low | 1500 | 15 | recorded | M1 | NULL | 1530 | 7
--> s1 | b | u2 | m1-low | NULL | 7 | recorded | M1 | NULL | NULL | 7
--> s1 | c | u1 | m1 | 4 | 1 | counted | m1 | 2026-05-01 | 16 | 7
--> s1 | eeeeeeee-0000-4000-8000-000000000001 | u1 | m1 | 1 | 1 | counted | m1 | 2026-05-01 | 7 | 7
--> s1 | f | u1 | odd | 1 | 1 | counted | NULL | NULL | NULL | 7
--> s1 | g | u1 | NULL | 2 | 1 | counted | NULL | NULL | NULL | 7
--> s1 | h | u0 | NULL | 3 | 1 | counted | NULL | NULL | NULL | 7
--> s1 | h | u1 | NULL | 4 | 1 | counted | NULL | NULL | NULL | 7
--> s1 | h | u2 | NULL | 1 | 2 | counted | NULL | NULL | NULL | 7
--> s1 | h | u3 | NULL | 4 | 1 | counted | NULL | NULL | NULL | 7
SELECT strftime(occurred_at AT TIME ZONE 'UTC', '%Y-%m-%d %H:%M') FROM turn_estimates WHERE conversation_id = 'a';
--> 2026-05-01 10:02
--> 2026-05-02 10:01
-- estimates stand in no recorded figure
SELECT count(*), count(event_id), sum(fresh_input_tokens), sum(estimated_input_tokens) FROM all_usage;
--> 14 | 2 | 5 | 1544
