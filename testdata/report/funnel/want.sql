-- web on the 10th: the third prompt has no reply, the fourth no tool call. On the 11th: the first edit is rejected, the third prompt came after the commit.
SELECT day, project, project_uri, prompts, replied, called_tools, proposed_edits, decided_edits, accepted_edits, edits_without_tools FROM report.funnel ORDER BY day, project;
--> 2025-03-10 00:00:00 | api | file:///p/api | 1 | 1 | 1 | 1 | 0 | 0 | 0
--> 2025-03-10 00:00:00 | web | file:///p/web | 4 | 3 | 2 | 1 | 1 | 1 | 1
--> 2025-03-11 00:00:00 | web | file:///p/web | 3 | 3 | 3 | 3 | 1 | 0 | 0
--> NULL | NULL | NULL | 1 | 1 | 1 | 0 | 0 | 0 | 0

-- No repository of api was read, and nobody knows whose n is.
SELECT day, project, proposed_edits, commits_known, committed, committed_edits FROM report.funnel ORDER BY day, project;
--> 2025-03-10 00:00:00 | api | 1 | 0 | NULL | NULL
--> 2025-03-10 00:00:00 | web | 1 | 1 | 1 | 1
--> 2025-03-11 00:00:00 | web | 3 | 3 | 1 | 0
--> NULL | NULL | 0 | 0 | NULL | NULL

SET TimeZone = 'Asia/Kathmandu';
SELECT day, prompts, replied, called_tools, proposed_edits, committed FROM report.funnel WHERE project = 'web' ORDER BY day;
--> 2025-03-10 00:00:00 | 1 | 1 | 1 | 1 | 1
--> 2025-03-11 00:00:00 | 6 | 5 | 4 | 3 | 1
