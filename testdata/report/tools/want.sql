SELECT day, project, project_uri, tool, tool_kind, calls, outcome_known, failed, duration_known, duration_ms FROM report.tools ORDER BY day, project, tool;
--> 2025-03-10 00:00:00 | api | file:///p/api | edit_file | edit | 1 | 1 | 0 | 0 | NULL
--> 2025-03-10 00:00:00 | web | file:///p/web | edit_file | edit | 1 | 1 | 0 | 0 | NULL
--> 2025-03-10 00:00:00 | web | file:///p/web | grep | search | 1 | 0 | 0 | 0 | NULL
--> 2025-03-10 00:00:00 | web | file:///p/web | read_file | read | 2 | 2 | 1 | 2 | 100
--> 2025-03-11 00:00:00 | web | file:///p/web | edit_file | edit | 3 | 3 | 0 | 0 | NULL
--> NULL | NULL | NULL | (unnamed) | mcp | 1 | 0 | 0 | 0 | NULL

-- read_file of the main conversation was called at 18:31
SET TimeZone = 'Asia/Kathmandu';
SELECT day, calls, failed, duration_ms FROM report.tools WHERE tool = 'read_file' ORDER BY day;
--> 2025-03-10 00:00:00 | 1 | 0 | 60
--> 2025-03-11 00:00:00 | 1 | 1 | 40
