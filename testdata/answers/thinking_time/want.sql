-- only the first turn records a model; its last one counts. 4 s of 20 s measured; a measured turn of b whose thinking took no time
SELECT model, mode, turns, model_known, turns_with_thinking, thinking_messages, durations_known, thinking_ms, thinking_ms_each, measured_turns, thinking_share FROM thinking_time;
--> gpt-5 | agent | 3 | 1 | 2 | 3 | 2 | 4000 | 2000 | 2 | 0.2
--> (unknown) | (unknown) | 1 | 0 | 1 | 1 | 1 | 0 | 0 | 1 | 0
SELECT model, calls_with, outcome_known_with, failure_rate_with, calls_without, outcome_known_without, failure_rate_without FROM thinking_time;
--> gpt-5 | 3 | 2 | 0.5 | 1 | 1 | 0
--> (unknown) | 0 | 0 | NULL | 0 | 0 | NULL
