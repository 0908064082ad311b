-- a was paid for under two models and is one conversation of known cost; the user's message that records tokens is among the messages.
SELECT day, project, project_uri, model, conversations, tokens_known, input_tokens, output_tokens, cost_known, cost_cents, messages, messages_tokens_known
FROM report.cost ORDER BY day, project, model;
--> 2025-03-10 00:00:00 | api | file:///p/api | auto | 0 | 0 | NULL | NULL | 0 | 2.5 | 0 | 0
--> 2025-03-10 00:00:00 | api | file:///p/api | o3 | 0 | 0 | NULL | NULL | 0 | 12.5 | 1 | 0
--> 2025-03-10 00:00:00 | api | file:///p/api | NULL | 1 | 0 | NULL | NULL | 1 | NULL | 0 | 0
--> 2025-03-10 00:00:00 | web | file:///p/web | auto | 1 | 1 | NULL | NULL | 0 | NULL | 0 | 0
--> 2025-03-10 00:00:00 | web | file:///p/web | gpt-5 | 0 | 0 | 100 | 10 | 0 | NULL | 3 | 1
--> 2025-03-10 00:00:00 | web | file:///p/web | NULL | 1 | 0 | 7 | NULL | 0 | NULL | 4 | 1
--> 2025-03-11 00:00:00 | api | file:///p/api | NULL | 1 | 0 | NULL | NULL | 0 | NULL | 0 | 0
--> 2025-03-11 00:00:00 | web | file:///p/web | sonnet | 1 | 0 | NULL | NULL | 0 | NULL | 2 | 0
--> 2025-03-11 00:00:00 | web | file:///p/web | NULL | 0 | 0 | NULL | NULL | 0 | NULL | 1 | 0
--> NULL | NULL | NULL | NULL | 1 | 0 | NULL | NULL | 0 | NULL | 1 | 0

SET TimeZone = 'Asia/Kathmandu';
SELECT day, input_tokens FROM report.cost WHERE input_tokens IS NOT NULL ORDER BY day;
--> 2025-03-10 00:00:00 | 100
--> 2025-03-11 00:00:00 | 7
SET TimeZone = 'Pacific/Honolulu';
SELECT day, cost_cents FROM report.cost WHERE cost_cents IS NOT NULL ORDER BY cost_cents;
--> 2025-03-09 00:00:00 | 2.5
--> 2025-03-09 00:00:00 | 12.5
