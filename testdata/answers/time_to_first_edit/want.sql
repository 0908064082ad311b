SELECT source_id, message_id, prompt_at, proposed, timed, accepted, timed_accepted, rejected, first_proposed_ms, first_accepted_ms FROM time_to_first_edit;
--> s1 | p1 | 2025-03-10 09:00:00 | 4 | 3 | 3 | 2 | 1 | 10000 | 60000
--> s2 | p1 | 2025-03-12 09:00:00 | 1 | 1 | 1 | 1 | 0 | 0 | 0
--> s1 | p4 | 2025-03-10 09:07:00 | 1 | 1 | 0 | 0 | 0 | 30000 | NULL
--> s1 | p2 | NULL | 1 | 0 | 1 | 0 | 0 | NULL | NULL

-- the median of the comment
SELECT project, median(first_accepted_ms), count(first_accepted_ms) AS known, count(*) AS prompts FROM time_to_first_edit GROUP BY ALL;
--> tide | 30000 | 2 | 4

SELECT title, turn, prompt FROM time_to_first_edit WHERE message_id = 'p4';
--> One | 4 | One more
