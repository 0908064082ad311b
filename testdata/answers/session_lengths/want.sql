-- 09:00:00 to 15:01:00 is 21,660 seconds, of which 51 minutes were active
SELECT source_id, title, started_at, ended_at, length_ms, active_ms, conversations, messages, prompts, real_times, has_real_end FROM session_lengths;
--> s1 | First | 2025-03-10 09:00:00 | 2025-03-10 15:01:00 | 21660000 | 3060000 | 2 | 7 | 3 | 6 | true
--> s2 | Elsewhere | 2025-03-10 09:00:00 | 2025-03-10 09:03:00 | 180000 | 0 | 1 | 1 | 1 | 1 | true
--> s1 | NULL | 2025-03-12 09:00:00 | 2025-03-12 09:00:00 | NULL | NULL | 1 | 1 | 1 | 0 | false
-- with another gap the step of 30 minutes is a pause
INSERT INTO _meta VALUES ('session_gap_ms', '1799999');
--> 1
SELECT title, active_ms FROM session_lengths WHERE title = 'First';
--> First | 1260000
