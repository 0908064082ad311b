SELECT source_id, conversation_id, prompts, least_similarity, times_known, started_at, duration_ms FROM reprompt_loops;
--> s1 | g | 4 | 1 | 0 | NULL | NULL
--> s1 | h | 3 | 1 | 0 | NULL | NULL
--> s1 | i | 3 | 1 | 0 | NULL | NULL
--> s1 | c | 3 | 0.7143 | 2 | 2025-03-10 09:00:00 | 600000
--> s2 | c | 3 | 0.6 | 1 | 2025-03-11 09:00:00 | NULL

-- what was tried in between: the call after the last prompt of the run is not of it
SELECT project, title, first_message_id, first_position, last_position, tool_calls, outcome_known, failed_calls, first_prompt, last_prompt FROM reprompt_loops WHERE conversation_id = 'c';
--> tide | One | p0 | 0 | 4 | 2 | 1 | 1 | Fix the build of the parser | Please fix the build of the parser now!
--> site | Other | p0 | 0 | 2 | 0 | 0 | 0 | alpha beta gamma | gamma beta alpha
