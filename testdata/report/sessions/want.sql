-- Without the subagent's messages: 9:00 to 9:01 and 18:30 to 18:41 in the first of web.
SELECT day, project, project_uri, source_id, started_at, ended_at, active_ms, conversations, prompts, messages, real_times, title FROM report.sessions ORDER BY started_at;
--> 2025-03-10 00:00:00 | web | file:///p/web | s1 | 2025-03-10 09:00:00 | 2025-03-10 18:41:00 | 720000 | 1 | 4 | 9 | 8 | Parser
--> 2025-03-10 00:00:00 | api | file:///p/api | s1 | 2025-03-10 09:30:00 | 2025-03-10 09:30:00 | NULL | 1 | 1 | 2 | 0 | Api
--> 2025-03-11 00:00:00 | web | file:///p/web | s2 | 2025-03-11 10:00:00 | 2025-03-11 10:31:00 | 1860000 | 1 | 3 | 6 | 6 | Parser again
--> 2025-03-11 00:00:00 | api | file:///p/api | s1 | 2025-03-11 12:00:00 | 2025-03-11 12:00:00 | NULL | 1 | 0 | 0 | 0 | Later
SELECT count(DISTINCT session_id) FROM report.sessions;
--> 4

-- ten hours behind UTC it was still the 9th at 9:00
SET TimeZone = 'Pacific/Honolulu';
SELECT day, title FROM report.sessions ORDER BY started_at;
--> 2025-03-09 00:00:00 | Parser
--> 2025-03-09 00:00:00 | Api
--> 2025-03-11 00:00:00 | Parser again
--> 2025-03-11 00:00:00 | Later
